"""`/metrics` counts what happens, for whoever has the token."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client

from annotation.projects.models import Project
from common.tasks import QueueAway
from config.operation import metrics
from config.operation.health import Health
from config.operation.metrics import Metric, Requests, write
from tests.annotation.assignments.factories import judge_next, make_question
from tests.factories import make_member, read_what_is_new

TOKEN = "a long random text"


class FakeQueue:
    """A queue that keeps hashes, as Redis does, and is away while `is_away`."""

    def __init__(self) -> None:
        self.hashes: dict[bytes, int] = {}
        self.is_away = False
        self.message_count = 3
        self.channel_errors = (LookupError,)
        self.default_channel = self.client = self

    def __enter__(self) -> "FakeQueue":
        if self.is_away:
            raise QueueAway
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def hincrby(self, _key: str, name: str, number: int) -> None:
        self.hashes[name.encode()] = self.hashes.get(name.encode(), 0) + number

    def hgetall(self, _key: str) -> dict[bytes, bytes]:
        return {name: str(number).encode() for name, number in self.hashes.items()}

    def queue_declare(self, _name: str, *, passive: bool) -> "FakeQueue":
        assert passive
        if not self.message_count:
            raise LookupError
        return self


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> FakeQueue:
    made = FakeQueue()
    monkeypatch.setattr(metrics, "open_queue", lambda: made)
    return made


@pytest.fixture(autouse=True)
def _is_on(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings.ASSAY_METRICS_TOKEN = TOKEN
    monkeypatch.setattr(metrics, "look", Health)
    monkeypatch.setattr(metrics, "requests", Requests())
    cache.clear()
    yield
    cache.clear()


def ask(client: Client, token: str = TOKEN) -> Any:
    return client.get("/metrics", headers={"authorization": f"Bearer {token}"})


class TestAccess:
    def test_there_is_no_such_address_without_a_token_in_the_settings(
        self, client: Client, settings: LazySettings
    ) -> None:
        settings.ASSAY_METRICS_TOKEN = ""
        assert ask(client, "").status_code == 404

    @pytest.mark.parametrize("token", ["", "another", "ä"])
    def test_is_refused_without_the_token(self, client: Client, token: str) -> None:
        assert ask(client, token).status_code == 401
        assert client.get("/metrics").status_code == 401

    def test_is_only_read(self, client: Client) -> None:
        assert client.post("/metrics").status_code == 405


class TestCounts:
    def test_has_rows_by_state(self, client: Client, project: Project, queue: FakeQueue) -> None:
        make_question(project=project, answers=2)
        judge_next(read_what_is_new(make_member(project=project)))
        said = ask(client).content.decode().splitlines()
        assert 'assay_judgments{state="counted"} 2' in said
        assert 'assay_judgments{state="surplus"} 0' in said
        assert 'assay_working{part="database"} 1' in said
        assert "assay_spent_usd 0" in said
        assert "assay_queue_messages 3" in said

    def test_are_the_same_for_a_while(
        self, client: Client, db: None, queue: FakeQueue, django_assert_num_queries: Any
    ) -> None:
        first = ask(client).content
        with django_assert_num_queries(0):
            assert ask(client).content == first

    def test_leave_out_what_cannot_be_asked(
        self, client: Client, db: None, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        queue.is_away = True
        monkeypatch.setattr(metrics, "look", lambda: Health(database="cannot be reached"))
        said = ask(client).content.decode()
        assert 'assay_working{part="database"} 0' in said
        assert "assay_judgments" not in said
        assert "assay_queue_messages" not in said

    def test_a_queue_that_is_empty_is_not_there(self, client: Client, db: None, queue: FakeQueue) -> None:
        queue.message_count = 0
        assert "assay_queue_messages 0" in ask(client).content.decode()

    def test_name_no_project_and_nobody(self, client: Client, project: Project, queue: FakeQueue) -> None:
        assert project.slug not in ask(client).content.decode()


class TestRequests:
    def test_are_added_up_over_processes(self, queue: FakeQueue, db: None, client: Client) -> None:
        for _ in range(2):
            process = Requests()
            process.add("GET", 200, 2)
            process.add("BREW", 405)
            assert process.tell()
        said = ask(client).content.decode()
        assert 'assay_requests_total{method="GET",status="200"} 4' in said
        assert 'assay_requests_total{method="other",status="405"} 2' in said

    def test_wait_for_a_queue_that_is_away(self, queue: FakeQueue) -> None:
        process = Requests()
        process.add("GET", 200)
        queue.is_away = True
        assert not process.tell()
        process.add("GET", 200)
        queue.is_away = False
        assert process.tell()
        assert process.tell()
        assert queue.hashes == {b"GET 200": 2}

    def test_where_there_are_none_nobody_is_asked(self, queue: FakeQueue) -> None:
        queue.is_away = True
        assert Requests().tell()


class TestWrite:
    def test_is_what_prometheus_reads(self) -> None:
        said = write(
            [
                Metric("a_b", "What.", {(("x", "y"),): 1.0, (("x", "z"),): 0.125}),
                Metric("c", "So.", {(): 2e15}),
            ]
        )
        assert said == (
            '# HELP a_b What.\n# TYPE a_b gauge\na_b{x="y"} 1\na_b{x="z"} 0.125\n'
            "# HELP c So.\n# TYPE c gauge\nc 2e+15\n"
        )
