"""Answers whose file has other gold answers than the question are scored by those."""

import pytest

from annotation.accounts.models import User
from annotation.gold.models import GoldChange
from annotation.gold.services.ledger import undo_change
from annotation.items.models import Prediction
from annotation.projects.models import Project
from annotation.projects.services.protocols import set_protocol
from judges.comparison.rules.leaderboard.standings import Leaderboard
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.runs.models import JudgeRun
from tests.judges.comparison.conftest import Decider


@pytest.fixture(autouse=True)
def other_gold(study: Project) -> None:
    """Alpha's file calls "William S." right; Beta's knows the Atlantic only."""
    Prediction.objects.filter(system__name="alpha", text="William S.").update(golds=["william s", "Bard"])
    Prediction.objects.filter(system__name="beta", text="Pacific").update(golds=["Atlantic"])


def correct(board: Leaderboard, key: str) -> dict[str, int | None]:
    return {
        row.system: score.correct if (score := row.scores[key]) is not None else None for row in board.rows
    }


def read(project: Project) -> Leaderboard:
    return read_leaderboard(project=project)


class TestOwnGolds:
    def test_each_system_is_scored_by_its_own_file(self, study: Project, exact_match: JudgeRun) -> None:
        assert correct(read(study), "exact_match") == {"alpha": 2, "beta": 1}

    def test_the_score_is_as_complete_as_before(self, study: Project, exact_match: JudgeRun) -> None:
        rows = read(study).rows
        assert [score.n for row in rows if (score := row.scores["exact_match"]) is not None] == [3, 3]

    def test_what_people_accept_joins_the_files_own_gold(
        self, study: Project, exact_match: JudgeRun, decide: Decider
    ) -> None:
        decide("Marlowe", "incorrect")
        assert correct(read(study), "human") == {"alpha": 2, "beta": 1}
        # Gold of the question already, but not of Beta's file.
        decide("Pacific", "correct")
        assert correct(read(study), "human") == {"alpha": 2, "beta": 2}
        decide("the city of Paris", "correct")
        assert correct(read(study), "human") == {"alpha": 3, "beta": 2}

    def test_a_change_a_lead_undid_stays_undone_there(
        self, study: Project, exact_match: JudgeRun, decide: Decider, lead: User
    ) -> None:
        decide("William S.", "incorrect")
        Prediction.objects.filter(text="William S.").update(golds=["Bard"])
        decide("William S.", "correct")
        assert correct(read(study), "human") == {"alpha": 2, "beta": 1}
        change = GoldChange.objects.get(text="William S.", undone_at=None)
        undo_change(project=study, public_id=change.public_id, by=lead, reason="too short")
        assert correct(read(study), "human") == {"alpha": 1, "beta": 1}

    def test_a_protocol_that_reads_a_label_otherwise_counts_at_once(
        self, study: Project, exact_match: JudgeRun, decide: Decider
    ) -> None:
        decide("Pacific", "correct")
        assert correct(read(study), "human") == {"alpha": 2, "beta": 2}
        assert study.protocol is not None
        labels = [
            {**label, "credit": "possible"} if label["key"] == "correct" else label
            for label in study.protocol.spec["labels"]
        ]
        certain = {**study.protocol.spec["labels"][0], "key": "certain", "name": "Certain"}
        set_protocol(project=study, spec={**study.protocol.spec, "labels": [certain, *labels]})
        # Gold of the question without anybody's word, and still not of Beta's file.
        assert correct(read(study), "human") == {"alpha": 2, "beta": 1}
