"""Undo: everything of an import goes, what others use stays."""

import pytest

from annotation.assignments.services import hand_out
from annotation.items import services
from annotation.items.models import Candidate, DataImport, GoldAnswer, Question
from annotation.items.services.removing import ImportInUse
from annotation.items.services.undoing import ImportNotApplied
from annotation.projects.models import Membership, Project
from tests.annotation.items.conftest import import_into, outputs, rows_stored, upload_to

State = DataImport.State
DPR = {"NQ_DPR.jsonl": outputs(q1="Paris", q2="Rome")}
FID = {"FiD.jsonl": outputs(q1="paris", q2="Milan", q3="Oslo")}


class TestUndo:
    def test_everything_of_it_goes(self, project: Project) -> None:
        data_import = import_into(project, files=DPR)
        services.undo_import(data_import=data_import)
        assert data_import.state == State.UNDONE
        assert not any(rows_stored().values())

    def test_the_files_can_then_be_imported_again(self, project: Project) -> None:
        services.undo_import(data_import=import_into(project, files=DPR))
        assert import_into(project, files=DPR).state == State.APPLIED

    def test_what_another_import_uses_stays_with_it(self, project: Project) -> None:
        first, second = import_into(project, files=DPR), import_into(project, files=FID)
        services.undo_import(data_import=first)
        assert set(Candidate.objects.values_list("text", "data_import")) == {
            ("Paris", second.pk),
            ("Milan", second.pk),
            ("Oslo", second.pk),
        }
        assert GoldAnswer.objects.count() == Question.objects.count() == 3
        services.undo_import(data_import=second)
        assert not any(rows_stored().values())

    def test_it_is_refused_where_raters_have_answers_of_it(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        data_import = import_into(project, files=DPR)
        hand_out(rater=annotators[0])
        with pytest.raises(ImportInUse):
            services.undo_import(data_import=data_import)
        data_import.refresh_from_db()
        assert data_import.state == State.APPLIED
        assert rows_stored()["Prediction"] == 2

    def test_only_applied_imports_can_be_undone(self, project: Project) -> None:
        data_import = upload_to(project, files=DPR)
        with pytest.raises(ImportNotApplied):
            services.undo_import(data_import=data_import)
