"""Many raters at once, in real processes on a database of their own; see `promises.md` P1 to P5."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings

from tests.faults.arena import Arena, open_arena
from tests.faults.history import Tables, violations
from tests.faults.proof import Proof

ON_POSTGRESQL = "postgresql" in settings.DATABASES["default"]["ENGINE"]


class Load(NamedTuple):
    """How much work, and how many people at it."""

    questions: int
    answers: int
    raters: int
    tabs: int
    processes: int


# On PostgreSQL 32 clients hand in 2,400 judgments, and 100,000 as proof; SQLite has one writer at a time.
SHORT = Load(60, 20, 16, 2, 4) if ON_POSTGRESQL else Load(16, 20, 6, 2, 2)
LONG = Load(2_500, 20, 32, 2, 4) if ON_POSTGRESQL else Load(500, 20, 32, 2, 2)
BROKEN = Load(12, 4, 8, 1, 2)
# Whether clients meet is chance; that they do not in either of two arenas is hardly one.
BROKEN_ARENAS = 2
TAKEN_IN = {"counted": 3, "surplus": 0, "message": "", "came_back": False, "unblinded": False}


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    with open_arena(tmp_path) as made:
        yield made


def work(arena: Arena, load: Load, *, is_broken: bool = False) -> tuple[list[str], Tables]:
    started = time.monotonic()
    history = arena.judge(**load._asdict(), is_broken=is_broken)
    tables = Tables(arena)
    print(f"{len(tables.judgments)} judgments in {len(history)} requests, {time.monotonic() - started:.1f} s")
    raters = [f"rater{number}" for number in range(load.raters)]
    return violations(history=history, tables=tables, raters=raters), tables


@pytest.mark.services
class TestManyRatersAtOnce:
    def test_every_answer_gets_its_votes_once_and_nothing_is_lost(self, arena: Arena) -> None:
        found, tables = work(arena, SHORT)
        assert found == []
        assert len(tables.judgments) >= SHORT.questions * SHORT.answers * 2

    @pytest.mark.prove
    def test_the_same_with_a_long_study(self, arena: Arena, proof: Proof) -> None:
        found, tables = work(arena, LONG)
        assert found == []
        fault = f"{LONG.raters} raters, {LONG.tabs} tabs each, in {LONG.processes} processes"
        measured = f"0 violations in {len(tables.judgments):,} judgments"
        for promise in ("P1", "P2"):
            proof.record(promise, fault, promised="0 violations", measured=measured, database=arena.database)

    def test_the_checker_notices_when_constraints_and_locks_are_gone(self, tmp_path: Path) -> None:
        assert any(is_noticed(tmp_path / f"broken-{number}") for number in range(BROKEN_ARENAS))


def is_noticed(folder: Path) -> bool:
    """Let raters loose on an arena without constraints and locks, and ask the checker."""
    folder.mkdir()
    with open_arena(folder) as arena:
        found, _ = work(arena, BROKEN, is_broken=True)
    return any("too many" in words or "held twice" in words for words in found)


@pytest.mark.services
class TestOneSubmitManyTimes:
    def test_a_hundred_identical_submits_at_once_are_one_judgment(self, arena: Arena) -> None:
        arena.run("hammer", requests=100, connections_at_once=25)
        replies = json.loads((arena.folder / "replies.json").read_text(encoding="utf-8"))
        assert replies == [[200, TAKEN_IN]] * 100
        revisions = arena.rows("SELECT count(*) FROM annotation_judgmentrevision")
        assert revisions == [(3,)]

    @pytest.mark.prove
    def test_are_one_judgment_every_time(self, arena: Arena, proof: Proof) -> None:
        arena.run("hammer", requests=1_000, connections_at_once=50)
        replies = json.loads((arena.folder / "replies.json").read_text(encoding="utf-8"))
        assert replies == [[200, TAKEN_IN]] * 1_000
        assert arena.rows("SELECT count(*) FROM annotation_judgmentrevision") == [(3,)]
        proof.record(
            "P4",
            "1,000 identical submits, 50 at once",
            promised="1 revision an answer",
            measured="1 revision an answer",
            database=arena.database,
        )
