"""All answers in one file, with what people and judges say of each."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pyarrow import parquet

from annotation.assignments.models import Purpose, QuestionFlag, Sheet
from annotation.items.models import Candidate, Question
from annotation.judgments.models import CheckAnswer, Judgment
from annotation.projects.models import Membership, Project
from annotation.release.services import write_file
from common.clock import now
from common.memory import forget_everything
from tests.annotation.adjudication.factories import make_answers, vote
from tests.judges.comparison.conftest import make_run

Decider = Callable[[str, str], None]


@pytest.fixture(autouse=True)
def judged(study: Project, annotators: list[Membership], decide: Decider) -> None:
    """Let a rater judge, a lead decide, and two judges speak."""
    vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "incorrect"})
    Judgment.objects.filter(candidate__text="the city of Paris").update(state=Judgment.State.WITHDRAWN)
    question = Question.objects.get(text="capital of france")
    Question.objects.filter(pk=question.pk).update(external_id="q7", dataset="nq", tags=["places"])
    QuestionFlag.objects.create(question=question, rater=annotators[0], kind="list", flagged_at=now())
    decide("the city of Paris", "correct")
    make_run(study, "exact_match", {"Paris": 1.0, "the city of Paris": 0.0})
    make_run(study, "bem", {"the city of Paris": None})


def written(project: Project, key: str, folder: Path) -> str:
    path = folder / "file"
    write_file(project=Project.objects.get(pk=project.pk), format_key=key, path=path)
    return path.read_text()


class TestJsonLines:
    def test_an_answer_is_told_whole(
        self, study: Project, annotators: list[Membership], tmp_path: Path
    ) -> None:
        rows = [json.loads(line) for line in written(study, "answers-jsonl", tmp_path).splitlines()]
        assert [row["answer"] for row in rows] == [
            "the city of Paris",
            "Paris",
            "Pacific",
            "William S.",
            "Marlowe",
        ]
        assert rows[0] == {
            "item_id": Candidate.objects.get(text="the city of Paris").public_id,
            "question_id": "q7",
            "question": "capital of france",
            "dataset": "nq",
            "tags": ["places"],
            "flags": ["list"],
            "checks": [],
            "gold": ["Paris"],
            "amended_gold": ["Paris", "the city of Paris"],
            "answer": "the city of Paris",
            "systems": ["alpha"],
            "passages": [],
            "retrieved": {},
            "votes": [],
            "label": "correct",
            "source": "adjudicated",
            "category": "",
            "reason": "looked it up",
            "verdicts": {
                "exact_match": {"accepted": False, "score": 0.0, "unscored_reason": "", "reply": ""},
                "bem": {"accepted": None, "score": None, "unscored_reason": "abstained", "reply": ""},
            },
        }
        assert rows[1]["votes"] == [
            {"rater": annotators[0].pseudonym, "label": "correct", "round": "first", "state": "counted"}
        ]
        assert (rows[2]["systems"], rows[2]["label"], rows[2]["verdicts"]) == (["alpha", "beta"], "", {})

    def test_chunks_join_and_cost_the_same(
        self, study: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = written(study, "answers-jsonl", tmp_path)
        with monkeypatch.context() as patched:
            patched.setattr("annotation.release.selectors.rows.ROWS_AT_ONCE", 2)
            assert written(study, "answers-jsonl", tmp_path) == whole

        def count() -> int:
            forget_everything()
            with CaptureQueriesContext(connection) as asked:
                written(study, "answers-jsonl", tmp_path)
            return len(asked)

        few = count()
        for number in range(9):
            make_answers(project=study, question=f"q {number}", gold=["g"], texts=["one", "two"])
        assert count() == few


class TestCsv:
    def test_judges_are_columns_and_lists_are_json(self, study: Project, tmp_path: Path) -> None:
        rows: list[dict[str, Any]] = list(
            csv.DictReader(written(study, "answers-csv", tmp_path).splitlines())
        )
        first, second = rows[:2]
        assert json.loads(first["amended_gold"]) == ["Paris", "the city of Paris"]
        assert json.loads(second["votes"])[0]["label"] == "correct"
        assert (first["exact_match:accepted"], first["exact_match:score"]) == ("false", "0.0")
        assert (first["bem:accepted"], first["bem:unscored_reason"]) == ("", "abstained")
        assert (rows[2]["exact_match:accepted"], rows[2]["votes"]) == ("", "")

    def test_letters_of_lists_stand_as_they_are(self, study: Project, tmp_path: Path) -> None:
        Question.objects.filter(external_id="q7").update(tags=["München"])
        assert '["München"]' in written(study, "answers-csv", tmp_path).replace('""', '"')

    def test_no_cell_is_a_formula(self, study: Project, tmp_path: Path) -> None:
        Candidate.objects.filter(text="Paris").update(text="=1+1")
        rows = list(csv.DictReader(written(study, "answers-csv", tmp_path).splitlines()))
        assert "'=1+1" in {row["answer"] for row in rows}


class TestChecks:
    """Of every answer, what raters said of its question."""

    @pytest.fixture(autouse=True)
    def _checked(self, study: Project, annotators: list[Membership]) -> None:
        (sheet,) = Sheet.objects.filter(rater=annotators[0])
        for rater, key, turn, said, purpose in (
            (annotators[0], "outdated", "first", False, Purpose.VOTE),
            (annotators[1], "ambiguous", "first", False, Purpose.VOTE),
            (annotators[1], "ambiguous", "again", True, Purpose.VOTE),
            (annotators[0], "ambiguous", "first", True, Purpose.PILOT),
        ):
            CheckAnswer.objects.create(
                sheet=sheet,
                question=sheet.question,
                rater=rater,
                check_key=key,
                round=turn,
                answer=said,
                purpose=purpose,
                answered_at=now(),
            )

    @staticmethod
    def expected(annotators: list[Membership]) -> list[dict[str, str]]:
        first, second = annotators[0].pseudonym, annotators[1].pseudonym
        return [
            {"check": "ambiguous", "rater": second, "round": "first", "answer": "no"},
            {"check": "ambiguous", "rater": second, "round": "again", "answer": "yes"},
            {"check": "outdated", "rater": first, "round": "first", "answer": "no"},
        ]

    def test_stand_with_each_answer_of_their_question(
        self, study: Project, annotators: list[Membership], tmp_path: Path
    ) -> None:
        rows = [json.loads(line) for line in written(study, "answers-jsonl", tmp_path).splitlines()]
        assert [row["checks"] for row in rows] == [self.expected(annotators)] * 2 + [[]] * 3

    def test_are_json_in_a_cell(self, study: Project, annotators: list[Membership], tmp_path: Path) -> None:
        rows = list(csv.DictReader(written(study, "answers-csv", tmp_path).splitlines()))
        assert json.loads(rows[1]["checks"]) == self.expected(annotators)
        assert rows[2]["checks"] == ""

    def test_are_records_in_parquet(
        self, study: Project, annotators: list[Membership], tmp_path: Path
    ) -> None:
        path = tmp_path / "answers.parquet"
        write_file(project=Project.objects.get(pk=study.pk), format_key="answers-parquet", path=path)
        rows = parquet.read_table(path).to_pylist()
        assert [row["checks"] for row in rows] == [self.expected(annotators)] * 2 + [[]] * 3

    def test_are_those_of_the_file_of_checks_that_are_votes(self, study: Project, tmp_path: Path) -> None:
        answers = [json.loads(line) for line in written(study, "answers-jsonl", tmp_path).splitlines()]
        lines = [json.loads(line) for line in written(study, "checks-jsonl", tmp_path).splitlines()]
        of_votes = [line for line in lines if line["purpose"] == "vote"]
        assert len(lines) == len(of_votes) + 1
        for row in answers:
            said = [line for line in of_votes if line["question_id"] == row["question_id"]]
            names = ("check", "rater", "round", "answer")
            assert row["checks"] == [{name: line[name] for name in names} for line in said]
