"""`/healthz` says what works, and which part does not."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.conf import LazySettings
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from kombu import Connection

from common.clock import now
from common.tasks import is_queue_there
from config.operation import health
from judges.runs.selectors.progress import Lack
from judges.runs.services.worker import note_sweep


@pytest.fixture(autouse=True)
def _nothing_known() -> Iterator[None]:
    cache.clear()
    # The tables of tests are copied.
    cache.set("has-tables", True)
    yield
    cache.clear()


def checks(client: Client, **extra: Any) -> tuple[int, dict[str, str]]:
    reply = client.get("/healthz", **extra)
    assert reply.headers["Cache-Control"] == "no-store"
    said = reply.json()
    assert said["status"] == ("ok" if reply.status_code == 200 else "failing")
    return reply.status_code, {name: what for name, what in said["checks"].items() if what != "ok"}


def say(monkeypatch: pytest.MonkeyPatch, lack: Lack, *, has_queue: bool) -> None:
    monkeypatch.setattr(health, "background_lack", lambda: lack)
    monkeypatch.setattr(health, "is_queue_there", lambda: has_queue)


class TestHealth:
    def test_the_sweepers_row_says_that_all_is_well(self, client: Client, db: None) -> None:
        note_sweep(at=now())
        assert checks(client) == (200, {})

    def test_needs_one_query_and_none_for_who_asks_again(
        self, client: Client, db: None, django_assert_num_queries: Any
    ) -> None:
        note_sweep(at=now())
        with django_assert_num_queries(1):
            assert [checks(client)[0] for _ in range(20)] == [200] * 20

    def test_a_late_row_has_the_queue_and_the_worker_asked(
        self, client: Client, db: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        note_sweep(at=now() - timedelta(minutes=1))
        monkeypatch.setattr("judges.runs.selectors.progress._ask_a_worker", lambda: Lack.WORKER)
        monkeypatch.setattr(health, "is_queue_there", lambda: True)
        status, wrong = checks(client)
        assert (status, wrong["worker"]) == (503, "does not respond")

    def test_a_database_that_is_away_is_named(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail() -> Lack:
            raise OperationalError("could not connect to server db-secret:5432")

        monkeypatch.setattr(health, "background_lack", fail)
        status, wrong = checks(client)
        assert (status, wrong["database"]) == (503, "cannot be reached")
        assert "secret" not in str(wrong)

    def test_tables_of_an_earlier_version_are_named(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        say(monkeypatch, Lack.NOTHING, has_queue=True)
        cache.delete("has-tables")
        monkeypatch.setattr(health, "missing_migrations", lambda: ["annotation.0999_later"])
        status, wrong = checks(client)
        assert (status, wrong["tables"]) == (503, "migrations are missing")
        cache.delete("health")
        monkeypatch.setattr(health, "missing_migrations", list)
        assert checks(client) == (200, {})
        cache.delete("health")
        monkeypatch.setattr(health, "missing_migrations", lambda: pytest.fail("looked for tables again"))
        assert checks(client) == (200, {})

    def test_a_queue_that_is_away_is_named(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        say(monkeypatch, Lack.WORKER, has_queue=False)
        status, wrong = checks(client)
        assert (status, wrong["queue"]) == (503, "cannot be reached")

    def test_a_clock_that_stopped_is_named(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        say(monkeypatch, Lack.CLOCK, has_queue=True)
        assert checks(client) == (503, {"clock": "has not run for 15 seconds"})

    def test_is_asked_by_any_name_and_without_https(
        self, client: Client, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.SECURE_SSL_REDIRECT = True
        say(monkeypatch, Lack.NOTHING, has_queue=True)
        assert checks(client, headers={"host": "127.0.0.1:8000"})[0] == 200

    def test_while_one_looks_others_are_told_what_was_seen_last(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        say(monkeypatch, Lack.CLOCK, has_queue=True)
        checks(client)
        cache.delete("health")
        monkeypatch.setattr(health, "look", lambda: pytest.fail("looked twice at once"))
        with health._looking:
            assert checks(client)[0] == 503

    def test_a_queue_that_nobody_serves_is_not_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            current_app,
            "connection_for_write",
            lambda: Connection("redis+socket:///nowhere/redis.sock"),
        )
        assert not is_queue_there()

    def test_is_only_read(self, client: Client) -> None:
        assert client.post("/healthz").status_code == 405
