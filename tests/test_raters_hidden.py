"""Adjudicators and viewers learn of no answer who judged it, neither by name nor by lists chosen by rater.

How far each rater agrees stays open to them, under pseudonyms; what is held is that no reply brings a
pseudonym together with an answer or a question.
"""

from collections.abc import Iterator, Sequence

import pytest
from pytest_django import DjangoDbBlocker

from annotation.items.models import Candidate
from annotation.projects.models import Membership
from common.memory import forget_everything
from tests.annotation.assignments.factories import judge_next
from tests.asking import ADJUDICATOR, VIEWER, Asked, Reader, Request, tell_apart
from tests.conftest import made_once
from tests.factories import make_member, read_what_is_new
from tests.world import World, make_world

pytestmark = pytest.mark.long

NAMES = ("R-ONE", "R-TWO", "R-THREE")
TOGETHER = (frozenset({"by", "part"}), frozenset({"state", "raters"}))
ASKED = Asked(texts=(*NAMES, "R-ONE~R-TWO", "R-THREE~R-TWO"), together=TOGETHER)


def make_judged_world() -> World:
    """Return a world of which three raters have judged different parts, and not always alike."""
    world = make_world(slug="own")
    third = read_what_is_new(make_member(project=world.project, username="third"))
    judge_next(third, "correct")
    for name, rater in zip(NAMES, (*judges(world), third), strict=True):
        Membership.objects.filter(pk=rater.pk).update(pseudonym=name)
    tell_apart(world)
    # Whatever was judged is in the queue, too.
    judged = Candidate.objects.filter(judgments__rater__pseudonym__in=NAMES)
    judged.update(state=Candidate.State.DISPUTED)
    return world


def judges(world: World) -> Sequence[Membership]:
    return world.cast["annotator"], world.cast["colleague"]


@pytest.fixture(scope="module")
def made_world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with made_once(django_db_blocker, make_judged_world) as made:
        yield made


def swap_names(world: World) -> None:
    """Let every rater be another by name, and nothing else change."""
    raters = list(Membership.objects.filter(project=world.project, pseudonym__in=NAMES).order_by("pk"))
    names = [rater.pseudonym for rater in raters]
    for number, rater in enumerate(raters):
        Membership.objects.filter(pk=rater.pk).update(pseudonym=f"{number}")
    for rater, name in zip(raters, (*names[1:], names[0]), strict=True):
        Membership.objects.filter(pk=rater.pk).update(pseudonym=name)


@pytest.fixture(scope="module", params=[ADJUDICATOR, VIEWER])
def role(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def heard(made_world: World, role: str) -> dict[Request, bytes]:
    """What somebody in the role hears of each request."""
    reader = Reader(made_world, role, ASKED)
    return {request: reader.hear(*request) for request in reader.requests()}


def names_one(told: bytes) -> bool:
    return any(name.encode() in told for name in NAMES)


class TestHidden:
    def test_no_reply_names_a_rater_beside_an_answer(self, heard: dict[Request, bytes]) -> None:
        assert sum(map(bool, heard.values())) > 30, "who hears nothing proves nothing"
        named = sorted(f"{method} {path}" for (method, path, _), told in heard.items() if names_one(told))
        assert not named, "\n".join(named)

    def test_no_list_of_answers_depends_on_who_judged_them(
        self, heard: dict[Request, bytes], world: World, role: str
    ) -> None:
        reader = Reader(world, role, ASKED)
        swap_names(world)
        forget_everything()
        asked = [request for request in heard if request[0] == "GET"]
        differ = [request[1] for request in asked if reader.hear(*request) != heard[request]]
        assert not differ, "\n".join(differ)


class TestShown:
    def test_leads_choose_answers_by_rater(self, world: World) -> None:
        """The same requests find answers for leads, so that the tests above can fail."""
        reader = Reader(world, "lead", ASKED)
        for query in ("judged_by=R-ONE", "by=rater&part=R-ONE"):
            told = reader.hear("GET", f"/api/projects/own/answers?{query}")
            assert 0 < told.count(b"THE-ANSWER") < Candidate.objects.filter(project=world.project).count()
