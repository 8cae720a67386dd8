"""The cast of every test: a lead, annotators, an adjudicator, an outsider, and where the real data lie."""

import gc
import os
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from itertools import chain, count, zip_longest
from pathlib import Path
from typing import TypeVar

import pytest
from django.conf import settings as django_settings
from django.core.cache import caches
from django.db import transaction
from django.test import override_settings
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from annotation.accounts.models import User
from annotation.projects.models import Membership, Project
from common.memory import forget_everything
from tests import tables
from tests.documented import statuses_checked
from tests.factories import make_member, make_project, make_user
from tests.hostile import Provider
from tests.settings import IS_FIRST_PROCESS
from tests.tiny_model import start_server, write_model
from tests.world import World, make_world

Made = TypeVar("Made")

# One of a file's tests has such a mark, so the file takes long: the first longest, the last by waiting.
LONG = ("browser", "long", "services")
# The fixtures of these folders last as long as the folder; what the last one's tests load takes seconds.
SHARING = ("tests/e2e/", "tests/judges/nq301/", "tests/judges/methods/neural/")
# A busy machine is slow, not broken.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
# What factories tell rows apart by; keys of questions and answers are made of it, and draws of these.
NUMBERS = (
    "tests.factories._numbers",
    "tests.annotation.assignments.factories._keys",
    "tests.annotation.adjudication.factories._numbers",
)
DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: the long files wait for other processes most of the time.

    Not more than eight: each may start the whole product, on a Redis database of its own.
    """
    return min((os.cpu_count() or 1) + 1, 8)


class ByFileOrStudy(LoadFileScheduling):
    """Gives a worker all tests of a file, or of a folder whose files chunk what takes long to get."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return next((folder for folder in SHARING if file.startswith(folder)), file)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    """Let files that chunk a study go to one worker, which makes it once."""
    return ByFileOrStudy(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files that take long in front: at the end one worker would run them while the other is idle.

    Those that wait for processes take turns with those that compute: side by side they would all wait.
    """
    driving, computing, waiting = (
        list(dict.fromkeys(item.path for item in items if item.get_closest_marker(mark))) for mark in LONG
    )
    in_turn = chain.from_iterable(zip_longest(computing, waiting))
    places = {path: place for place, path in enumerate(dict.fromkeys([*driving, *in_turn]))}
    items.sort(key=lambda item: places.get(item.path, len(places)))


# Six thousand tests are found without looking for garbage among them.
gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage seldom, and among what tests make alone: finding tests leaves little."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def pytest_unconfigure() -> None:
    """Take away what all test processes copied, once they are gone."""
    if IS_FIRST_PROCESS:
        tables.drop_pattern()


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """Have Django use SQLite's file as it lies there."""
    return django_db_keepdb or not tables.IS_POSTGRES


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> Iterator[None]:
    """Give Django's test database its tables, which then need no migration."""
    with tables.tables_for_django():
        yield


def draw_by(name: str, patch: pytest.MonkeyPatch, *, first: int = 1) -> None:
    """Draw ids and seeds by a name, and number what is made from the first: all runs see the same draws."""
    drawn = random.Random(name)
    patch.setattr("secrets.randbelow", drawn.randrange)
    patch.setattr("secrets.token_bytes", drawn.randbytes)
    for numbers in NUMBERS:
        patch.setattr(numbers, count(first))


@pytest.fixture(autouse=True)
def _draw_by_name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    draw_by(request.node.nodeid, monkeypatch)


@contextmanager
def made_once(blocker: DjangoDbBlocker, make: Callable[[], Made]) -> Iterator[Made]:
    """Make rows for all tests of a file, which take back what they change; gone after the last of them."""
    with blocker.unblock(), transaction.atomic():
        with pytest.MonkeyPatch.context() as patch:
            # From a number that no test of the file comes to.
            draw_by(make.__qualname__, patch, first=1_001)
            made = make()
        yield made
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def _share_as_a_quick_machine_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what is written in chunks come in as many, and so in as many queries, on a machine of any speed."""
    monkeypatch.setattr("common.database.rows.monotonic", lambda: 0.0)


@pytest.fixture(autouse=True, scope="session")
def _share_replies() -> Iterator[None]:
    """Share what web processes make for each other as Redis does, within this process."""
    local = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "shared"}
    with override_settings(CACHES=django_settings.CACHES | {"shared": local}):
        yield


@pytest.fixture(autouse=True, scope="session")
def _check_statuses() -> Iterator[None]:
    """Have every reply of the API, to any test, keep to the schema."""
    with statuses_checked():
        yield


@pytest.fixture(autouse=True)
def _forget_other_tests(_share_replies: None) -> None:
    """Forget what was read: rows of the next test have the same keys."""
    forget_everything()
    caches["shared"].clear()


@pytest.fixture(scope="class")
def little_garbage() -> Iterator[None]:
    """Hide what other tests left from statsmodels, which collects garbage at every call."""
    gc.freeze()
    yield
    gc.unfreeze()
    # What was found when tests were collected stays hidden.
    gc.freeze()


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The papers' released files; tests that need them are skipped where they are absent."""
    if not DATA.is_dir():
        pytest.skip("the papers' files are not at ../shared/data")
    return DATA


@pytest.fixture
def start_provider(tmp_path: Path) -> Iterator[Callable[[str], Provider]]:
    """Start providers that misbehave as a script says (`tests.hostile`); they stop with the test."""
    numbers = count(1)
    with ExitStack() as stack:

        def start(script: str) -> Provider:
            # A number of its own: a journal is a file only once somebody asked.
            journal = tmp_path / f"journal-{next(numbers)}.jsonl"
            return stack.enter_context(Provider(script, journal=journal))

        yield start


@pytest.fixture(scope="session")
def tiny_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real server with a tiny random model (`tests.tiny_model`)."""
    pytest.importorskip("xllamacpp")
    path = tmp_path_factory.mktemp("model") / "tiny.gguf"
    write_model(path)
    server = start_server(path)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def lead(db: None) -> User:
    return make_user(username="lead", name="Lea Lead")


@pytest.fixture
def outsider(db: None) -> User:
    return make_user(username="outsider", name="Otto Outsider")


@pytest.fixture
def project(lead: User) -> Project:
    return make_project(lead=lead, name="Small study", slug="small")


@pytest.fixture
def annotators(project: Project) -> list[Membership]:
    return [make_member(project=project, username=f"annotator{number}") for number in (1, 2, 3)]


@pytest.fixture
def adjudicator(project: Project) -> Membership:
    return make_member(project=project, role=Membership.Role.ADJUDICATOR, username="adjudicator")


@pytest.fixture
def people(
    lead: User, annotators: list[Membership], adjudicator: Membership, outsider: User
) -> dict[str, User]:
    """One of each role in the project `small`, by the role, and somebody who is not in it."""
    return {
        "lead": lead,
        "annotator": annotators[0].user,
        "adjudicator": adjudicator.user,
        "outsider": outsider,
    }


@pytest.fixture(scope="module")
def made_world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with made_once(django_db_blocker, lambda: make_world(slug="own")) as made:
        yield made


@pytest.fixture
def world(made_world: World, db: None) -> World:
    """A project with something of every kind (`tests.world`), which the tests of a file share."""
    return deepcopy(made_world)


@pytest.fixture
def client_of() -> "type[ClientOf]":
    return ClientOf


class ClientOf(APIClient):
    """An HTTP client signed in as a person, as the browser is."""

    def __init__(self, user: User) -> None:
        super().__init__()
        self.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
