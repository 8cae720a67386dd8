"""The revision of a project under real transactions that come and go at once, on PostgreSQL."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from random import Random
from threading import Event

import psycopg2
import pytest
from psycopg2.extensions import ISOLATION_LEVEL_REPEATABLE_READ, connection

from annotation.projects.services.upkeep import MERGE_CHANGES
from tests.tables import IS_POSTGRES, database_with_tables

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not IS_POSTGRES, reason="SQLite lets one write at a time: tests/config/steps/test_revisions.py"
    ),
]
WRITE = """
    INSERT INTO annotation_protocolversion (project_id, number, spec, content_hash, created_at)
    VALUES (1, %s, '{}', '', now())
"""
REVISION = "SELECT sum(changes), max(mark) FROM annotation_change WHERE project_id = 1"
CONTENT = "SELECT array_agg(number ORDER BY number) FROM annotation_protocolversion"
WRITERS, WRITES = 4, 60


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with database_with_tables("revisions_at_once") as made:
        with closing(psycopg2.connect(made)) as database, database, database.cursor() as cursor:
            # Keys are looked up by nobody here: what counts is which project a row says it belongs to.
            cursor.execute("ALTER TABLE annotation_protocolversion DISABLE TRIGGER ALL")
            cursor.execute("ALTER TABLE annotation_protocolversion ENABLE TRIGGER USER")
        yield made


def write(database: connection, number: int) -> None:
    with database.cursor() as cursor:
        cursor.execute(WRITE, [number])


def read(database: connection) -> tuple[tuple[int, int], tuple[int, ...]]:
    """Return the revision and all that it stands for, of one snapshot."""
    with database, database.cursor() as cursor:
        cursor.execute(REVISION)
        revision = cursor.fetchone()
        cursor.execute(CONTENT)
        found = cursor.fetchone()
    assert revision is not None
    assert found is not None
    return (revision[0], revision[1]), tuple(found[0] or ())


def reader(address: str) -> connection:
    database = psycopg2.connect(address)
    database.set_session(isolation_level=ISOLATION_LEVEL_REPEATABLE_READ)
    return database


def test_whoever_wrote_first_may_commit_last_and_nobody_waits(address: str) -> None:
    with (
        closing(psycopg2.connect(address)) as early,
        closing(psycopg2.connect(address)) as late,
        closing(reader(address)) as looking,
    ):
        with late.cursor() as cursor:
            cursor.execute("SET lock_timeout = '5s'")
        late.commit()
        write(early, 1_001)
        write(late, 1_002)
        late.commit()
        between, _ = read(looking)
        early.commit()
        after, _ = read(looking)
        # The newest mark is that of who committed before: it alone would hide what came after.
        assert between[1] == after[1]
        assert between != after


def work(address: str, place: int) -> None:
    random = Random(place)
    with closing(psycopg2.connect(address)) as database:
        for each in range(WRITES):
            number = 10_000 * (place + 1) + 10 * each
            write(database, number)
            with database.cursor() as cursor:
                cursor.execute("SAVEPOINT half")
                write(database, number + 1)
                if random.random() < 0.5:
                    cursor.execute("ROLLBACK TO SAVEPOINT half")
            database.rollback() if random.random() < 0.3 else database.commit()


def merge(address: str, over: Event) -> int:
    merged = 0
    with closing(psycopg2.connect(address)) as database:
        while not over.is_set():
            with database, database.cursor() as cursor:
                cursor.execute(MERGE_CHANGES)
                merged += cursor.rowcount
    return merged


def look(address: str, over: Event) -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    seen = []
    with closing(reader(address)) as database:
        while not over.is_set():
            seen.append(read(database))
    return seen


def test_equal_revisions_are_equal_contents_whatever_comes_at_once(address: str) -> None:
    over = Event()
    with ThreadPoolExecutor(WRITERS + 4) as people:
        merging = [people.submit(merge, address, over) for _ in range(2)]
        looking = [people.submit(look, address, over) for _ in range(2)]
        for writing in [people.submit(work, address, place) for place in range(WRITERS)]:
            writing.result()
        over.set()
        seen = [each for found in looking for each in found.result()]
        assert sum(found.result() for found in merging) > 0
    contents = dict(seen)
    assert len(contents) > 3
    assert all(contents[revision] == content for revision, content in seen)
    assert len(set(contents.values())) == len(contents)
