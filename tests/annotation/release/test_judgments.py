"""All judgments leave with what they were for; the exports of votes hold votes only."""

import csv
import json
from pathlib import Path

import pytest

from annotation.assignments.models import Purpose
from annotation.known_answers.models import TrainingAnswer, TrainingAttempt
from annotation.projects.models import Membership, Project
from annotation.release.selectors.rows import count_judgments, count_votes, released_judgments, released_votes
from annotation.release.services import write_file
from common.clock import now
from tests.annotation.assignments.test_purposes import UNCOUNTED, add_uncounted, begun_project
from tests.annotation.known_answers.factories import make_known

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> tuple[Project, list[Membership]]:
    project, raters = begun_project("openqa-eval")
    add_uncounted(project, raters)
    return project, raters


def train(project: Project, rater: Membership) -> TrainingAnswer:
    known, *_ = make_known(project=project, use="training")
    attempt = TrainingAttempt.objects.create(rater=rater, number=1, started_at=now())
    return TrainingAnswer.objects.create(
        attempt=attempt, known=known, label="incorrect", is_right=False, answered_at=now()
    )


class TestReleasedJudgments:
    def test_votes_are_those_of_the_export_of_votes(self, study: tuple[Project, list[Membership]]) -> None:
        project, _ = study
        votes = [row.said for row in released_judgments(project) if row.purpose == Purpose.VOTE]
        assert len(votes) == count_votes(project) > 0
        assert votes == list(released_votes(project))

    def test_the_rest_says_what_it_was_for_and_counts_nowhere(
        self, study: tuple[Project, list[Membership]]
    ) -> None:
        project, _ = study
        rest = [row for row in released_judgments(project) if row.purpose != Purpose.VOTE]
        assert {row.purpose for row in rest} == set(UNCOUNTED)
        assert {row.said.state for row in rest} == {"surplus"}

    def test_training_leaves_under_the_pseudonym(self, study: tuple[Project, list[Membership]]) -> None:
        project, (rater, *_) = study
        before = count_judgments(project)
        said = train(project, rater)
        (row,) = [
            row.said
            for row in released_judgments(project)
            if row.purpose == "training" and row.said.protocol_version is None
        ]
        assert (row.rater, row.label, row.answer) == (
            rater.pseudonym,
            "incorrect",
            said.known.candidate.text,
        )
        assert count_judgments(project) == before + 1 == len(list(released_judgments(project)))

    def test_a_preview_is_the_beginning_of_the_whole(self, study: tuple[Project, list[Membership]]) -> None:
        project, (rater, *_) = study
        train(project, rater)
        everything = list(released_judgments(project))
        for limit in (1, 7, len(everything) - 1):
            assert list(released_judgments(project, limit=limit)) == everything[:limit]

    def test_both_forms_hold_the_same(self, study: tuple[Project, list[Membership]], tmp_path: Path) -> None:
        project, (rater, *_) = study
        train(project, rater)
        for key in ("judgments-csv", "judgments-jsonl"):
            write_file(project=project, format_key=key, path=tmp_path / key)
        rows = list(csv.DictReader((tmp_path / "judgments-csv").read_text("utf-8").splitlines()))
        lines = [json.loads(line) for line in (tmp_path / "judgments-jsonl").read_text("utf-8").splitlines()]
        assert [row["purpose"] for row in rows] == [line["purpose"] for line in lines]
        assert list(rows[0]) == list(lines[0])
        assert next(iter(lines[0])) == "purpose"
