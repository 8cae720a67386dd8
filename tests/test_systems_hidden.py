"""Adjudicators to whom the protocol does not show systems learn of no answer which system gave it.

Scores by system stay open to them; what is held is that no reply brings a system together with an answer or
a question, neither by naming both nor by listing answers that were chosen by their system.
"""

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from annotation.items.models import Prediction, System
from annotation.projects.services.protocols import set_protocol
from common.memory import forget_everything
from tests.asking import ADJUDICATOR, Asked, Reader, Request, tell_apart
from tests.conftest import made_once
from tests.world import HIDDEN, World, make_world

pytestmark = pytest.mark.long

SYSTEM = f"{HIDDEN}-system-"
NAMED = SYSTEM.encode()
# The systems' sizes, which single one out as well as its name does.
SMALLEST = "1000"
ASKED = Asked(
    texts=(*(f"{SYSTEM}{number}" for number in range(3)), "people", "exact_match"),
    numbers=(SMALLEST, "1", "0"),
    together=(
        frozenset({"by", "part"}),
        frozenset({"board", "column"}),
        frozenset({"board", "system", "column"}),
    ),
)


def make_world_apart() -> World:
    """Return a world whose answers and questions can be told apart in any reply."""
    world = make_world(slug="own")
    tell_apart(world)
    for number, system in enumerate(System.objects.filter(project=world.project).order_by("pk")):
        system.description = {**system.description, "size_bytes": int(SMALLEST) + number}
        system.save()
    return world


@pytest.fixture(scope="module")
def made_world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with made_once(django_db_blocker, make_world_apart) as made:
        yield made


def move_answers(world: World) -> None:
    """Let every answer be another system's, in place: a system has one answer to a question."""
    rows = list(Prediction.objects.filter(system__project=world.project).order_by("pk"))
    systems = dict(enumerate(System.objects.order_by("pk")))
    place = {system.pk: number for number, system in systems.items()}
    Prediction.objects.filter(pk__in=[row.pk for row in rows]).delete()
    for row in rows:
        row.system = systems[(place[row.system_id] + 1) % len(systems)]
    Prediction.objects.bulk_create(rows)


@pytest.fixture(scope="module")
def heard(made_world: World) -> dict[Request, bytes]:
    """What the adjudicator hears of each request."""
    reader = Reader(made_world, ADJUDICATOR, ASKED)
    return {request: reader.hear(*request) for request in reader.requests()}


class TestHidden:
    def test_no_reply_names_a_system_beside_an_answer(self, heard: dict[Request, bytes]) -> None:
        assert sum(map(bool, heard.values())) > 30, "who hears nothing proves nothing"
        named = sorted(f"{method} {path}" for (method, path, _), told in heard.items() if NAMED in told)
        assert not named, "\n".join(named)

    def test_no_list_of_answers_depends_on_who_gave_them(
        self, heard: dict[Request, bytes], world: World
    ) -> None:
        reader = Reader(world, ADJUDICATOR, ASKED)
        # The new rows have the old ones' ids and, summed up, systems: what was kept would be heard again.
        move_answers(world)
        forget_everything()
        asked = [request for request in heard if request[0] == "GET"]
        differ = [request[1] for request in asked if reader.hear(*request) != heard[request]]
        assert not differ, "\n".join(differ)


class TestShown:
    @pytest.mark.parametrize("role", ["lead", ADJUDICATOR])
    def test_leads_and_who_may_see_them_do(self, role: str, world: World) -> None:
        """The same requests find systems where they are shown, so that the tests above can fail."""
        protocol = world.project.protocol
        assert protocol is not None
        if role == ADJUDICATOR:
            set_protocol(project=world.project, spec={**protocol.spec, "adjudication_unblinded": True})
        reader = Reader(world, role, ASKED)
        unnamed = {"/api/projects/own", "/api/projects/own/answers"}
        # Asked only until each has shown one: these are hundreds of requests.
        for method, address, _ in reader.requests():
            place = address.partition("?")[0].rpartition("/")[0]
            if method == "GET" and place in unnamed and NAMED in reader.hear(method, address):
                unnamed.remove(place)
        assert not unnamed
