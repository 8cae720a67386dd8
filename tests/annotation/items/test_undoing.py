"""Undo: everything of an import goes, what others use stays."""

from typing import ClassVar

import pytest

from annotation.accounts.models import User
from annotation.adjudication.services.deciding import ImportLeaves, decide_answer
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate, DataImport, GoldAnswer, Question
from annotation.items.services import applying
from annotation.items.services.applying import (
    ImportInUse,
    ImportNotApplied,
    confirm_import,
    fail_import,
    sweep_imports,
    undo_import,
)
from annotation.projects.models import Membership, Project
from common.clock import now
from tests.annotation.items.conftest import import_into, outputs, rows_stored, upload_to
from tests.dying import killed_at

State = DataImport.State
DPR = {"NQ_DPR.jsonl": outputs(q1="Paris", q2="Rome")}
FID = {"FiD.jsonl": outputs(q1="paris", q2="Milan", q3="Oslo")}


class TestUndo:
    def test_everything_of_it_goes(self, project: Project) -> None:
        data_import = import_into(project, files=DPR)
        undo_import(data_import=data_import)
        assert data_import.state == State.UNDONE
        assert not any(rows_stored().values())

    def test_the_files_can_then_be_imported_again(self, project: Project) -> None:
        undo_import(data_import=import_into(project, files=DPR))
        assert import_into(project, files=DPR).state == State.APPLIED

    def test_what_another_import_uses_stays_with_it(self, project: Project) -> None:
        first, second = import_into(project, files=DPR), import_into(project, files=FID)
        undo_import(data_import=first)
        assert set(Candidate.objects.values_list("text", "data_import")) == {
            ("Paris", second.pk),
            ("Milan", second.pk),
            ("Oslo", second.pk),
        }
        assert GoldAnswer.objects.count() == Question.objects.count() == 3
        undo_import(data_import=second)
        assert not any(rows_stored().values())

    def test_it_is_refused_where_raters_have_answers_of_it(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        data_import = import_into(project, files=DPR)
        hand_out(rater=annotators[0])
        with pytest.raises(ImportInUse):
            undo_import(data_import=data_import)
        data_import.refresh_from_db()
        assert data_import.state == State.APPLIED
        assert rows_stored()["Prediction"] == 2

    def test_only_applied_imports_can_be_undone(self, project: Project) -> None:
        data_import = upload_to(project, files=DPR)
        with pytest.raises(ImportNotApplied):
            undo_import(data_import=data_import)


class TestOnItsWayOut:
    """While an import goes nobody is given anything of it, and it is undone only when all of it is gone."""

    MANY: ClassVar = {"many.jsonl": outputs(**{f"q{number}": "x" for number in range(10)})}

    def test_the_sweeper_finishes_what_somebody_died_over(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        data_import = import_into(project, files=self.MANY)
        before = sum(rows_stored().values())
        # PostgreSQL goes through the questions once before, in five shares, to lock them.
        with killed_at(8, applying):
            undo_import(data_import=data_import)
        data_import.refresh_from_db()
        assert data_import.state == State.UNDOING
        assert 0 < sum(rows_stored().values()) < before
        assert hand_out(rater=annotators[0]) == []
        with pytest.raises(applying.AnotherImportRuns):
            import_into(project, files=DPR)
        sweep_imports()
        data_import.refresh_from_db()
        assert data_import.state == State.UNDONE
        assert not any(rows_stored().values())

    def test_a_failed_one_is_failed_once_it_is_gone(self, project: Project) -> None:
        data_import = import_into(project, files=self.MANY)
        DataImport.objects.update(state=State.APPLYING, undone_at=None)
        with killed_at(4, applying):
            fail_import(data_import=data_import, message="It broke.")
        sweep_imports()
        data_import.refresh_from_db()
        assert (data_import.state, data_import.message) == (State.FAILED, "It broke.")
        assert not any(rows_stored().values())
        assert confirm_import(data_import=data_import).state == State.APPLIED

    def test_a_person_decides_nothing_meanwhile(self, project: Project, lead: User) -> None:
        import_into(project, files=DPR)
        DataImport.objects.update(state=State.UNDOING, undone_at=now())
        answer = Candidate.objects.order_by("pk")[0]
        with pytest.raises(ImportLeaves):
            decide_answer(
                project=project, candidate_id=answer.public_id, by=lead, label="correct", reason="so"
            )

    def test_what_somebody_was_given_before_the_check_makes_it_stay(
        self, project: Project, annotators: list[Membership], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        data_import = import_into(project, files=DPR)
        hand_out(rater=annotators[0])
        DataImport.objects.update(state=State.UNDOING, undone_at=now())
        sweep_imports()
        data_import.refresh_from_db()
        assert (data_import.state, data_import.undone_at) == (State.APPLIED, None)
        assert rows_stored()["Prediction"] == 2
