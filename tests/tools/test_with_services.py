"""Servers for tests: found, or started for the occasion and stopped again."""

import contextlib
from pathlib import Path
from urllib.parse import urlsplit

import psycopg2
import pytest
import redis

from tools import with_services


def _answers(url: str) -> str:
    with contextlib.closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute("SHOW data_directory")
        row = cursor.fetchone()
    assert row is not None
    return str(row[0])


class TestDatabase:
    def test_an_address_that_is_given_is_taken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DATABASE_URL", "postgres://somewhere/else")
        with contextlib.ExitStack() as stack:
            assert with_services.database(stack) == "postgres://somewhere/else"

    @pytest.mark.services
    def test_the_one_from_pypi_starts_where_nothing_is_installed_and_is_stopped(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("DATABASE_URL", raising=False)
        monkeypatch.setattr(with_services, "running_postgres", lambda: None)
        monkeypatch.setattr(with_services, "installed_postgres", lambda: None)
        with contextlib.ExitStack() as stack:
            url = with_services.database(stack)
            assert urlsplit(url).hostname == "127.0.0.1"
            folder = _answers(url)
        assert not Path(folder).exists()
        with pytest.raises(psycopg2.OperationalError):
            _answers(url)


class TestQueue:
    def test_an_address_that_is_given_is_taken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REDIS_URL", "redis://somewhere/else")
        with contextlib.ExitStack() as stack:
            assert with_services.queue(stack) == "redis://somewhere/else"

    @pytest.mark.services
    def test_the_one_from_pypi_starts_where_nothing_is_installed_and_is_stopped(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("REDIS_URL", raising=False)
        monkeypatch.setattr(with_services, "running_redis", lambda: None)
        monkeypatch.setattr("shutil.which", lambda name: None)
        with contextlib.ExitStack() as stack:
            client = redis.Redis.from_url(with_services.queue(stack))
            assert client.ping()
            client.close()
        with pytest.raises(redis.ConnectionError):
            client.ping()
