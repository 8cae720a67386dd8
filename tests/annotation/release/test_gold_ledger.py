"""The gold ledger as it leaves: every change, in the order they were made, without who made it."""

import csv
from pathlib import Path

import pytest

from annotation.accounts.models import User
from annotation.adjudication.services.recorded import replay_votes
from annotation.gold.models import GoldChange
from annotation.gold.services.ledger import undo_change
from annotation.items.formats.records import Vote
from annotation.projects.models import Project
from annotation.release.selectors.rows import count_changes, released_changes
from annotation.release.services import write_file
from tests.annotation.adjudication.factories import make_answers, make_ballot


@pytest.fixture
def amended(project: Project) -> Project:
    """Paris joins the gold list of one question and Lyon leaves it."""
    answers = make_answers(
        project=project, question="capital of france", gold=["Paris", "lyon"], texts=["Lyon", "paris"]
    )
    ballots = [
        make_ballot(answer.pk, [Vote("r1", word), Vote("r2", word)])
        for answer, word in zip(answers, ["No", "Yes"], strict=True)
    ]
    replay_votes(project=project, ballots=ballots)
    return project


class TestReleasedChanges:
    def test_stand_in_the_order_they_were_made(self, amended: Project) -> None:
        rows = list(released_changes(amended))
        made = [(row.action, row.text) for row in GoldChange.objects.order_by("changed_at", "pk")]
        assert [(row.action, row.answer) for row in rows] == made
        assert len(rows) == count_changes(amended) == 2
        assert list(released_changes(amended, limit=1)) == rows[:1]

    def test_say_that_and_why_one_was_undone(self, amended: Project, lead: User) -> None:
        change = GoldChange.objects.get(action="removed")
        undo_change(project=amended, public_id=change.public_id, by=lead, reason="Lyon was meant")
        (row,) = [row for row in released_changes(amended) if row.action == "removed"]
        assert row.undone_at
        assert row.undo_reason == "Lyon was meant"

    def test_name_nobody(self, amended: Project, lead: User, tmp_path: Path) -> None:
        User.objects.filter(pk=lead.pk).update(username="xqlead", name="Xqlena")
        GoldChange.objects.update(changed_by=lead)
        write_file(project=amended, format_key="gold-ledger-csv", path=tmp_path / "ledger.csv")
        text = (tmp_path / "ledger.csv").read_text("utf-8")
        assert "xq" not in text.lower()
        assert [row["answer"] for row in csv.DictReader(text.splitlines())] == [
            row.answer for row in released_changes(amended)
        ]
