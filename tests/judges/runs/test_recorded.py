"""Recorded verdicts: the released files of NQ301 land on every answer, and count as published."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.accounts.models import User
from annotation.gold.models import GoldChange
from annotation.gold.selectors.ledger import gold_lists
from annotation.items.formats.records import VerdictRecord
from annotation.items.models import DataImport
from annotation.items.rules import RecordedVerdict, key_of_question
from annotation.items.services.applying import confirm_import, undo_import
from annotation.items.services.uploads import create_import
from annotation.projects.models import Project
from common.clock import now
from judges.runs.models import JudgeRun
from judges.runs.selectors.work import judge_inputs
from judges.runs.services.control import (
    NotRepeatable,
    apply_recorded_verdicts,
    discard_recorded_verdicts,
    retry_failed,
)
from judges.runs.services.worker import work_on_run
from tests.judges.runs.conftest import add_question

ZERO_SHOT = "model_outputs/NQ301_text-davinci-003_zeroshot.jsonl"
PUBLISHED = {
    # key: TP, FN, FP, TN, unscored
    "recorded:bem": (599, 217, 72, 602, 0),
    "recorded:text-davinci-003": (667, 149, 93, 581, 0),
    "recorded:gpt-4": (679, 137, 89, 583, 2),
    "exact_match": (321, 495, 20, 654, 0),
}

Bring = Callable[..., DataImport]


@pytest.fixture(autouse=True)
def silent_doorbell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("common.tasks._ring", lambda *_: None)


@pytest.fixture
def bring(lead: User, data_folder: Path) -> Bring:
    """Import files of OpenQA-eval into a project, within the test."""

    def _bring(project: Project, *names: str, **options: str) -> DataImport:
        paths = [data_folder / "openqa-eval" / name for name in names]
        files = [SimpleUploadedFile(path.name, path.read_bytes()) for path in paths]
        data_import = create_import(project=project, by=lead, files=files, options=options)
        data_import.refresh_from_db()
        assert data_import.state == DataImport.State.READY, data_import.problems[:3]
        data_import = confirm_import(data_import=data_import, in_background=False)
        assert data_import.state == DataImport.State.APPLIED, data_import.message
        return data_import

    return _bring


@pytest.fixture
def judged(project: Project, data_folder: Path) -> dict[int, bool]:
    """The rows of the human file as answers of a project, and what people decided of each."""
    zero_shot = (data_folder / "openqa-eval" / ZERO_SHOT).read_text(encoding="utf-8").splitlines()
    golds = {key_of_question(text=row["question"]): row["answer"] for row in map(json.loads, zero_shot)}
    lines = (data_folder / "openqa-eval" / "NQ301_human.tsv").read_text(encoding="utf-8").split("\n")[1:]
    rows = [line.split("\t") for line in lines if line]
    answers: dict[str, list[str]] = {}
    for row in rows:
        answers.setdefault(row[1], []).append(row[2])
    added = [
        candidate
        for question, texts in answers.items()
        for candidate in add_question(
            project, question, golds=golds[key_of_question(text=question)], answers=texts
        )
    ]
    return {candidate.pk: row[3] == "Yes" for candidate, row in zip(added, rows, strict=True)}


def _counts(run: JudgeRun, judged: dict[int, bool]) -> tuple[int, ...]:
    pairs = [(judged[pk], accepted) for pk, accepted in run.verdicts.values_list("candidate_id", "accepted")]
    cells = [(True, True), (True, False), (False, True), (False, False)]
    return (*map(pairs.count, cells), sum(accepted is None for _, accepted in pairs))


class TestOnOpenQAEval:
    def test_every_row_lands_and_counts_as_published(
        self, project: Project, judged: dict[int, bool], bring: Bring
    ) -> None:
        verdicts = bring(project, "NQ301_BEM.tsv", "NQ301_text-davinci-003.tsv", "NQ301_gpt-4.tsv")
        runs = {run.judge_key: run for run in project.judge_runs.all()}
        assert set(runs) == {*PUBLISHED, "token_f1", "containment", "learned"}
        work_on_run(run_id=runs["exact_match"].pk, batches=100)
        assert {key: _counts(runs[key], judged) for key in PUBLISHED} == PUBLISHED
        recorded = [runs[key] for key in PUBLISHED if key.startswith("recorded:")]
        assert [run.verdicts.count() for run in recorded] == [1490] * 3
        assert all(run.state == JudgeRun.State.FINISHED for run in recorded)
        abstained = runs["recorded:gpt-4"].verdicts.filter(accepted=None)
        assert set(abstained.values_list("unscored_reason", flat=True)) == {"abstained"}
        undo_import(data_import=verdicts)
        assert not project.judge_runs.filter(judge_key__startswith="recorded:").exists()


class TestApplyRecordedVerdicts:
    @pytest.fixture
    def data_import(self, study: Project) -> DataImport:
        data_import = study.imports.get()
        data_import.files = [{"name": "NQ301_Oracle.tsv", "size": 1, "path": "x", "sha256": "f" * 64}]
        data_import.save()
        return data_import

    def _rows(
        self, study: Project, *, reply: str = "Yes, it is.", score: float | None = None
    ) -> list[RecordedVerdict]:
        return [
            RecordedVerdict(
                pk,
                VerdictRecord(1, 1, "oracle", "q", "a", "No", accepted=False, score=score, raw_reply=reply),
            )
            for pk in study.candidates.order_by("pk").values_list("pk", flat=True)
        ]

    def _apply(self, data_import: DataImport, rows: list[RecordedVerdict]) -> JudgeRun:
        return apply_recorded_verdicts(data_import=data_import, judge="oracle", verdicts=rows, at=now())

    def test_takes_the_files_own_column_and_keeps_the_reply(
        self, study: Project, data_import: DataImport
    ) -> None:
        run = self._apply(data_import, self._rows(study))
        assert (run.judge_key, run.gold_version, run.state) == ("recorded:oracle", "as-recorded", "finished")
        assert run.signature == (
            "judge:recorded:oracle|parser:column|threshold:0.5|gold:as-recorded|files:ffffffffffffffff|revision:2"
        )
        assert set(run.verdicts.values_list("accepted", "raw_reply")) == {(False, "Yes, it is.")}

    def test_stands_beside_the_gold_of_the_files_and_not_what_was_amended_since(
        self, study: Project, data_import: DataImport
    ) -> None:
        run = self._apply(data_import, self._rows(study))
        candidate = study.candidates.order_by("pk")[0]
        GoldChange.objects.create(
            question=candidate.question,
            action=GoldChange.Action.ADDED,
            text="added since",
            text_hash="added",
            rule="rule",
            reason="because",
            changed_at=now(),
        )
        (asked,) = judge_inputs(run, [candidate.pk]).values()
        assert "added since" in gold_lists(study, amended=True)[candidate.question_id]
        assert "added since" not in asked.golds

    def test_reads_probabilities_anew(self, study: Project, data_import: DataImport) -> None:
        run = self._apply(data_import, self._rows(study, reply="[[0.2, 0.8]]", score=0.8))
        assert set(run.verdicts.values_list("accepted", "score")) == {(True, 0.8)}

    def test_adds_chunk_to_chunk_and_nothing_twice(self, study: Project, data_import: DataImport) -> None:
        rows = self._rows(study)
        runs = [self._apply(data_import, share) for share in (rows[:2], rows[1:], rows)]
        assert len({run.pk for run in runs}) == 1
        assert runs[0].verdicts.count() == 5

    def test_is_not_judged_again(self, study: Project, data_import: DataImport) -> None:
        run = self._apply(data_import, self._rows(study))
        run.verdicts.update(accepted=None, unscored_reason="abstained")
        with pytest.raises(NotRepeatable):
            retry_failed(run=run, reason="abstained")
        run.refresh_from_db()
        assert (run.state, run.verdicts.count()) == (JudgeRun.State.FINISHED, 5)

    def test_is_taken_back_as_a_whole(self, study: Project, data_import: DataImport) -> None:
        self._apply(data_import, self._rows(study))
        discard_recorded_verdicts(data_import=data_import)
        assert not study.judge_runs.exists()
