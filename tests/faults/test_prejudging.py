"""A policy settles answers while raters are handed sheets, and takes nothing out of their hands."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.faults.arena import Arena, open_arena

ON_POSTGRESQL = "postgresql" in settings.DATABASES["default"]["ENGINE"]
LOAD = {"questions": 18, "answers": 3, "raters": 4, "processes": 2}

# Answers that a rule decided and that are still decided so.
SETTLED = """
    SELECT answer.candidate_id FROM judges_prejudgedanswer answer
    JOIN annotation_decision decision ON decision.id = answer.decision_id
    WHERE answer.undone_at IS NULL AND decision.is_current
"""
AUDITED = "SELECT candidate_id FROM judges_prejudgedanswer WHERE is_audited AND undone_at IS NULL"


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    with open_arena(tmp_path) as made:
        yield made


def taken_from_people(arena: Arena) -> list[object]:
    """Return settled answers that a rater held or judged when they were settled, or was handed since."""
    in_hand = f"""
        SELECT id FROM annotation_assignment WHERE state IN ('live', 'done') AND candidate_id IN ({SETTLED})
    """
    counted = f"""
        SELECT id FROM annotation_judgment WHERE state = 'counted' AND candidate_id IN ({SETTLED})
    """
    return [*arena.rows(in_hand), *arena.rows(counted)]


@pytest.mark.services
class TestPolicyAmongRaters:
    def test_nothing_held_is_settled_and_nothing_settled_is_handed_out(self, arena: Arena) -> None:
        arena.run("prejudge", **LOAD)
        settled, audited = len(arena.rows(SETTLED)), len(arena.rows(AUDITED))
        print(f"{settled} settled, {audited} audited, on {arena.database}")
        assert settled
        assert taken_from_people(arena) == []
        # Whatever no rule settled was judged to the end, what is audited included.
        assert set(arena.rows("SELECT state FROM annotation_candidate")) == {("decided",)}
        by_machine = f"SELECT id FROM annotation_decision WHERE is_current AND source = 'prejudged' AND \
            candidate_id IN ({AUDITED})"
        assert arena.rows(by_machine) == []
        twice = "SELECT candidate_id FROM annotation_decision WHERE is_current GROUP BY 1 HAVING count(*) > 1"
        assert arena.rows(twice) == []

    @pytest.mark.skipif(not ON_POSTGRESQL, reason="on SQLite hardly anybody comes in between")
    def test_the_test_notices_when_guards_and_constraints_are_gone(self, arena: Arena) -> None:
        arena.run("prejudge", **LOAD, is_broken=True)
        assert taken_from_people(arena)
