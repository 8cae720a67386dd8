"""Whoever works long keeps nobody from writing, and whoever exports takes little memory, at 100,000 votes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.arena import Arena, open_arena
from tests.faults.proof import Proof

# 3,348 questions with 10 answers and three votes on each: 100,440 votes.
LARGE = {"questions": 3_348, "answers": 10}
SMALL = {"questions": 12, "answers": 2}
LONGEST_WAIT_SECONDS = 1.0
MOST_MEMORY = 200_000_000


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    with open_arena(tmp_path) as made:
        yield made


def measured(arena: Arena, command: str, **load: Any) -> list[dict[str, Any]]:
    arena.run(command, **load)
    lines = (arena.folder / "measured.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.services
class TestBesideLongWork:
    def test_a_writer_is_let_in(self, arena: Arena) -> None:
        found = measured(arena, "work_beside_a_writer", **SMALL, only=["drawing a sample"])
        assert [(row["name"], row["writes"] > 0) for row in found] == [("drawing a sample", True)]

    @pytest.mark.prove
    def test_a_writer_waits_a_second_at_most(self, arena: Arena, proof: Proof) -> None:
        rows = measured(arena, "work_beside_a_writer", **LARGE, only=[])
        for row in rows:
            proof.record(
                "P23",
                f"a writer beside {row['name']}, {row['votes']:,} votes",
                promised="≤ 1 s",
                measured=f"{row['longest_wait']:.2f} s at most, of {row['took']:.0f} s",
                database=arena.database,
            )
        assert [row for row in rows if row["longest_wait"] > LONGEST_WAIT_SECONDS] == []

    @pytest.mark.prove
    def test_exports_take_little_memory(self, arena: Arena, proof: Proof) -> None:
        rows = measured(arena, "write_all_exports", **LARGE)
        for row in rows:
            proof.record(
                "P23",
                f"exporting {row['name']}, {row['votes']:,} votes",
                promised="≤ 200 MB, a writer waits ≤ 1 s",
                measured=f"{row['memory'] / 1e6:.0f} MB for {row['size'] / 1e6:.0f} MB, "
                f"a writer waited {row['longest_wait']:.2f} s at most",
                database=arena.database,
            )
        assert [row for row in rows if row["memory"] > MOST_MEMORY] == []
        assert [row for row in rows if row["longest_wait"] > LONGEST_WAIT_SECONDS] == []
