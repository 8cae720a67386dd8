"""Web servers and databases that are killed while people judge lose nothing; see `promises.md` P3."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.arena import Arena, open_arena
from tests.faults.guard import Guard
from tests.faults.history import Tables, lost_or_repeated
from tests.faults.proof import Proof
from tests.faults.servers import OwnPostgres
from tests.faults.visitors import Website

SUBMITS_BETWEEN_KILLS = 20


@pytest.fixture
def guard(tmp_path: Path) -> Iterator[Guard]:
    with Guard(log=tmp_path / "log") as made:
        yield made


@pytest.fixture
def website(tmp_path: Path, guard: Guard) -> Iterator[Website]:
    with open_arena(tmp_path) as arena:
        yield Website(arena, guard=guard)


@pytest.fixture
def stoppable_website(postgres: OwnPostgres, tmp_path: Path, guard: Guard) -> Iterator[Website]:
    with open_arena(tmp_path, server=postgres.url) as arena:
        yield Website(arena, guard=guard)


@pytest.mark.services
class TestAcknowledgedJudgments:
    def test_outlive_the_web_server(self, website: Website) -> None:
        work_through_kills(website, web_kills=1, questions=150, raters=4)

    def test_outlive_the_database(self, stoppable_website: Website, postgres: OwnPostgres) -> None:
        work_through_kills(
            stoppable_website, web_kills=0, database=postgres, database_kills=1, questions=150, raters=4
        )

    @pytest.mark.prove
    def test_outlive_many_web_servers(self, website: Website, proof: Proof) -> None:
        work_through_kills(website, web_kills=50, questions=2_000, raters=8)
        tell(proof, website, "50 kill -9 of web processes")

    @pytest.mark.prove
    def test_outlive_many_databases(
        self, stoppable_website: Website, postgres: OwnPostgres, proof: Proof
    ) -> None:
        work_through_kills(
            stoppable_website, web_kills=0, database=postgres, database_kills=10, questions=600, raters=8
        )
        tell(proof, stoppable_website, "10 kill -9 of the database")

    def test_would_be_missed_if_they_were_lost(self, website: Website) -> None:
        website.open(questions=4, raters=2)
        website.wait_for_more(submits=2)
        website.close()
        lose_one(website.arena)
        found = lost_or_repeated(history=website.history(), tables=Tables(website.arena))
        assert any("is lost" in words for words in found)


def work_through_kills(
    website: Website,
    *,
    web_kills: int,
    questions: int,
    raters: int,
    database: OwnPostgres | None = None,
    database_kills: int = 0,
) -> None:
    """Kill servers while people judge, and look for what was acknowledged."""
    at_a_time = questions // (web_kills + database_kills + 1)
    website.open(questions=questions, raters=raters, at_a_time=at_a_time)
    for _ in range(web_kills):
        website.wait_for_more(submits=SUBMITS_BETWEEN_KILLS)
        website.kill()
        website.start()
    for _ in range(database_kills):
        assert database is not None
        website.wait_for_more(submits=SUBMITS_BETWEEN_KILLS)
        database.kill()
        database.start()
    website.wait_for_more(submits=SUBMITS_BETWEEN_KILLS)
    website.close()
    assert website.retries() > 0
    assert lost_or_repeated(history=website.history(), tables=Tables(website.arena)) == []


def lose_one(arena: Arena) -> None:
    """Take one judgment out of the tables, with its history."""
    (judgment,) = arena.rows("SELECT min(id) FROM annotation_judgment")[0]
    arena.execute(f"DELETE FROM annotation_judgmentrevision WHERE judgment_id = {int(judgment)}")
    arena.execute(f"DELETE FROM annotation_judgment WHERE id = {int(judgment)}")


def tell(proof: Proof, website: Website, fault: str) -> None:
    """Write down what was promised and what was measured."""
    measured = f"0 lost of {website.submits()} acknowledged sheets, {website.retries()} attempts repeated"
    proof.record("P3", fault, promised="0 lost", measured=measured, database=website.arena.database)
