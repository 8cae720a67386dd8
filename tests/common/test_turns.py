"""Writers on SQLite take turns: who writes all the time lets in who has waited."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.db import DatabaseError
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

from common.database.sqlite3.base import DatabaseWrapper, turn
from config import env

ROWS = 20_000
# As many as a writer may see go by who waits, and as many as prove that nobody let it in.
FEW, MANY = 20, 200


@pytest.fixture
def unblocked(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with django_db_blocker.unblock():
        yield


def connect(path: Path) -> DatabaseWrapper:
    described = env.database(folder=path)
    described.pop("TEST", None)
    settings = ConnectionHandler({"default": described}).settings["default"]
    return DatabaseWrapper(settings, "default")


@contextmanager
def transaction(database: DatabaseWrapper) -> Iterator[None]:
    database.ensure_connection()
    database._start_transaction_under_autocommit()
    database.autocommit = False
    try:
        yield
    finally:
        database.cursor().execute("COMMIT")
        database.autocommit = True


def write(database: DatabaseWrapper) -> None:
    database.cursor().execute("UPDATE kept SET number = number + 1")


class Hog(threading.Thread):
    """Writes one long transaction after the other, without a pause, until told to stop."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.folder = folder
        self.turns = 0
        self.is_over = threading.Event()
        self.has_begun = threading.Event()

    def run(self) -> None:
        with closing(connect(self.folder)) as database:
            while not self.is_over.is_set() and self.turns < MANY:
                with transaction(database):
                    write(database)
                self.turns += 1
                self.has_begun.set()


@pytest.fixture
def hog(tmp_path: Path, unblocked: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hog]:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with closing(connect(tmp_path)) as database:
        database.cursor().execute("CREATE TABLE kept (number INTEGER)")
        with transaction(database):
            database.cursor().executemany("INSERT INTO kept VALUES (%s)", [(n,) for n in range(ROWS)])
    made = Hog(tmp_path)
    yield made
    made.is_over.set()
    if made.is_alive():
        made.join()


class TestTurns:
    @pytest.mark.parametrize("in_a_transaction", [True, False])
    def test_a_writer_comes_in_although_another_never_pauses(
        self, hog: Hog, tmp_path: Path, in_a_transaction: bool
    ) -> None:
        hog.start()
        hog.has_begun.wait()
        seen = []
        with closing(connect(tmp_path)) as database:
            for _ in range(3):
                before = hog.turns
                if in_a_transaction:
                    with transaction(database):
                        write(database)
                else:
                    write(database)
                seen.append(hog.turns - before)
        assert max(seen) <= FEW
        assert hog.turns < MANY

    def test_who_fails_to_begin_leaves_the_queue(self, hog: Hog, tmp_path: Path) -> None:
        with closing(connect(tmp_path)) as database:
            with transaction(database), pytest.raises(DatabaseError):
                database._start_transaction_under_autocommit()
            write(database)

    def test_a_folder_that_is_gone_is_told_by_sqlite(self, tmp_path: Path) -> None:
        with turn(tmp_path / "gone" / "assay.sqlite3-turn") as entered:
            assert entered is None
