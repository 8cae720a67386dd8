"""Files of predictions, verdicts and checks: what they hold, and that one thing has one id in all files."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.items.models import Candidate, Prediction, Question
from annotation.judgments.models import CheckAnswer
from annotation.projects.models import Membership, Project
from annotation.release.selectors.formats import find_format
from annotation.release.services import preview_lines, write_file
from common.clock import now
from common.memory import forget_everything
from judges.runs.models import JudgeRun, Verdict
from tests.annotation.adjudication.factories import make_answers, vote
from tests.judges.comparison.conftest import make_run


@pytest.fixture(autouse=True)
def judged(study: Project, annotators: list[Membership]) -> None:
    """Let a rater judge and answer a check, and two judges speak."""
    Question.objects.filter(text="capital of france").update(external_id="q7")
    sheet = vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "incorrect"})
    CheckAnswer.objects.create(
        sheet=sheet,
        question=sheet.question,
        rater=annotators[0],
        check_key="ambiguous",
        answer=True,
        answered_at=now(),
    )
    make_run(study, "exact_match", {"Paris": 1.0, "the city of Paris": 0.0})
    make_run(study, "bem", {"the city of Paris": None})


def written(project: Project, key: str, folder: Path) -> list[dict[str, Any]]:
    path = folder / "file"
    write_file(project=Project.objects.get(pk=project.pk), format_key=key, path=path)
    text = path.read_text()
    if key.endswith("csv"):
        return list(csv.DictReader(text.splitlines()))
    return [json.loads(line) for line in text.splitlines()]


class TestPredictions:
    def test_every_system_says_what_it_answered(self, study: Project, tmp_path: Path) -> None:
        Prediction.objects.filter(system__name="alpha", text="Pacific").update(
            raw="The Pacific, I think.", golds=["Pacific Ocean"], confidence=0.5
        )
        rows = written(study, "predictions-jsonl", tmp_path)
        assert [(row["system"], row["prediction"]) for row in rows] == [
            *(("alpha", text) for text in ("the city of Paris", "Pacific", "William S.")),
            *(("beta", text) for text in ("Paris", "Pacific", "Marlowe")),
        ]
        pacific = Candidate.objects.get(text="Pacific")
        assert rows[1] == {
            "system": "alpha",
            "question_id": "2",
            "question": "largest ocean",
            "item_id": pacific.public_id,
            "answer": "Pacific",
            "prediction": "Pacific",
            "raw_prediction": "The Pacific, I think.",
            "own_gold": ["Pacific Ocean"],
            "confidence": 0.5,
        }
        # Both systems gave it, so people judged it once.
        assert rows[4]["item_id"] == pacific.public_id

    def test_a_spreadsheet_has_the_same(self, study: Project, tmp_path: Path) -> None:
        Prediction.objects.filter(system__name="alpha", text="Pacific").update(golds=["Pacific Ocean"])
        rows = written(study, "predictions-csv", tmp_path)
        assert (rows[1]["own_gold"], rows[1]["confidence"]) == ('["Pacific Ocean"]', "")
        assert (rows[0]["own_gold"], rows[0]["raw_prediction"]) == ("", "the city of Paris")


class TestVerdicts:
    def test_every_run_says_what_it_said(self, study: Project, tmp_path: Path) -> None:
        Verdict.objects.filter(accepted=None).update(raw_reply="Hmm.", flags="odd,long")
        rows = written(study, "verdicts-jsonl", tmp_path)
        assert [(row["judge"], row["answer"], row["accepted"]) for row in rows] == [
            ("exact_match", "the city of Paris", False),
            ("exact_match", "Paris", True),
            ("bem", "the city of Paris", None),
        ]
        run = JudgeRun.objects.get(judge_key="bem")
        assert rows[2] == {
            "run": run.public_id,
            "judge": "bem",
            "question_id": "q7",
            "item_id": Candidate.objects.get(text="the city of Paris").public_id,
            "question": "capital of france",
            "answer": "the city of Paris",
            "accepted": None,
            "score": None,
            "unscored_reason": "abstained",
            "flags": ["odd", "long"],
            "reply": "Hmm.",
            "signature": run.signature,
        }

    def test_what_was_not_judged_is_empty_in_a_spreadsheet_and_never_false(
        self, study: Project, tmp_path: Path
    ) -> None:
        rows = written(study, "verdicts-csv", tmp_path)
        assert [row["accepted"] for row in rows] == ["false", "true", ""]
        assert [row["score"] for row in rows] == ["0.0", "1.0", ""]

    def test_a_preview_reads_no_further_than_it_shows(self, study: Project) -> None:
        form = find_format("verdicts-csv")
        assert form is not None
        lines = preview_lines(project=study, form=form)
        assert len(lines) == 3
        with CaptureQueriesContext(connection) as asked:
            preview_lines(project=study, form=form)
        for number in range(9):
            make_answers(project=study, question=f"q {number}", gold=["g"], texts=[f"one {number}"])
        make_run(study, "token_f1", {f"one {number}": 1.0 for number in range(9)})
        forget_everything()
        preview_lines(project=study, form=form)
        with CaptureQueriesContext(connection) as further:
            preview_lines(project=study, form=form)
        assert len(further) <= len(asked)


class TestChecks:
    def test_raters_stand_under_pseudonyms(
        self, study: Project, annotators: list[Membership], tmp_path: Path
    ) -> None:
        (row,) = written(study, "checks-jsonl", tmp_path)
        assert row == {
            "question_id": "q7",
            "question": "capital of france",
            "check": "ambiguous",
            "rater": annotators[0].pseudonym,
            "round": "first",
            "answer": "yes",
            "purpose": "vote",
            "answered_at": row["answered_at"],
        }
        assert written(study, "checks-csv", tmp_path) == [row]


class TestIds:
    def test_one_question_and_one_answer_have_one_id_in_all_files(
        self, study: Project, tmp_path: Path, all_decided: None
    ) -> None:
        keys = ("answers", "predictions", "verdicts", "votes", "checks")
        files = {key: written(study, f"{key}-csv", tmp_path) for key in keys}
        files["gold-ledger"] = written(study, "gold-ledger-csv", tmp_path)
        questions = {row["question"]: row["question_id"] for row in files["answers"]}
        items = {(row["question"], row["answer"]): row["item_id"] for row in files["answers"]}
        assert len(items) == 5
        for key, rows in files.items():
            assert rows, key
            for row in rows:
                assert row["question_id"] == questions[row["question"]], key
                if "item_id" in row:
                    assert row["item_id"] == items[row["question"], row["answer"]], key
