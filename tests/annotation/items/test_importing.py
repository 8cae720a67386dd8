"""Upload, check, confirm, undo: as a whole or not at all."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import IntegrityError

from annotation.items import selectors, services
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question, System
from annotation.items.rules import Ballot
from annotation.items.services import applying, reading, staging
from annotation.items.services.applying import AnotherImportRuns, ImportNotReady
from annotation.items.services.reading import BadOption
from annotation.items.services.staging_answers import Staging
from annotation.items.services.uploading import FileTooLarge, ImportNotWaiting, MixedFormats, NoFiles
from annotation.projects.models import Project
from common.clock import now
from tests.annotation.items.conftest import import_into, jsonl, outputs, rows_stored, upload_to

State = DataImport.State
DPR = {"NQ_DPR.jsonl": outputs(q1="Paris", q2="Rome")}
FID = {"FiD.jsonl": outputs(q1="paris", q2="Milan", q3="Oslo")}


class TestCheck:
    def test_it_says_what_would_happen_and_stores_nothing(self, project: Project) -> None:
        data_import = upload_to(project, files=DPR | FID)
        assert data_import.state == State.READY
        assert data_import.counts == {
            "questions": 3,
            "gold_answers": 3,
            "systems": 2,
            "predictions": 5,
            "answers": 4,
            "answers_to_judge": 4,
        }
        assert data_import.sample[0] == {
            "file": "NQ_DPR.jsonl",
            "line": 1,
            "question": "q1",
            "gold": ["gold"],
            "answers": {"NQ_DPR": "Paris"},
        }
        assert not any(rows_stored().values())

    def test_of_several_files_each_shows_its_first_rows(self, project: Project) -> None:
        sample = upload_to(project, files=DPR | FID).sample
        assert [(row["file"], row["line"]) for row in sample] == [
            ("NQ_DPR.jsonl", 1),
            ("NQ_DPR.jsonl", 2),
            ("FiD.jsonl", 1),
            ("FiD.jsonl", 2),
        ]

    def test_rows_without_an_answer_and_empty_answers_are_told_once_a_file(self, project: Project) -> None:
        rows = [
            {"question": "q1", "prediction": "x"},
            {"question": "q2"},
            {"question": "q3"},
            {"question": "q4", "prediction": " "},
        ]
        problems = upload_to(project, files={"a.jsonl": jsonl(rows)}).problems
        assert [(each["code"], each["line"], each["message"].split(",")[0]) for each in problems] == [
            ("rows_without_answer", 2, "2 rows have a question and no answer"),
            ("empty_answers", 4, "1 answer is empty"),
        ]

    def test_a_file_of_questions_lacks_nothing(self, project: Project) -> None:
        files = {"questions.jsonl": jsonl([{"question": "q1", "answer": ["a"]}, {"question": "q2"}])}
        assert upload_to(project, files=files).problems == []

    def test_problems_stand_in_the_order_of_files_and_lines(self, project: Project) -> None:
        broken = b'{"question": "q1", "prediction": "x"}\n{"question": "q1", "prediction": "y"}\n{\n'
        data_import = upload_to(project, files={"b.jsonl": broken, "a.jsonl": b"{\n"})
        places = [(each["file"], each["line"]) for each in data_import.problems]
        assert places == [("b.jsonl", 2), ("b.jsonl", 3), ("a.jsonl", 1)]
        assert data_import.message.startswith("b.jsonl, line 2:")

    def test_it_foresees_what_applying_does(self, project: Project) -> None:
        import_into(project, files=DPR)
        data_import = upload_to(project, files=FID)
        assert data_import.counts["questions_known"] == 2
        assert (data_import.counts["answers_known"], data_import.counts["answers"]) == (1, 2)
        before = rows_stored()
        services.confirm_import(data_import=data_import)
        after = rows_stored()
        assert after["Candidate"] - before["Candidate"] == 2
        assert after["Question"] - before["Question"] == data_import.counts["questions"] == 1
        assert after["Prediction"] - before["Prediction"] == data_import.counts["predictions"] == 3

    def test_one_broken_line_keeps_the_whole_import_out(self, project: Project) -> None:
        data_import = upload_to(project, files={"a.jsonl": outputs(q1="a") + '{"question": "half'})
        assert data_import.state == State.REFUSED
        (problem,) = data_import.problems
        assert (problem["file"], problem["line"], problem["code"]) == ("a.jsonl", 2, "not_json")
        assert data_import.message.startswith("a.jsonl, line 2: ")
        with pytest.raises(ImportNotReady):
            services.confirm_import(data_import=data_import)
        assert not any(rows_stored().values())

    @pytest.mark.parametrize(
        ("files", "code"),
        [
            ({"a.jsonl": b""}, "empty_file"),
            ({"a.csv": "question\n"}, "no_rows"),
            ({"a.csv": b"question\ncaf\xe9\n"}, "not_utf8"),
            ({"a.csv": "question,colour\na,b\n"}, "unknown_column"),
            ({"a.csv": "id,prediction\n7,b\n"}, "unknown_question"),
            ({"a.jsonl": outputs(q1="a") + outputs(q1="b")}, "two_answers"),
        ],
    )
    def test_bad_files_are_refused(self, project: Project, files: dict[str, Any], code: str) -> None:
        data_import = upload_to(project, files=files)
        assert (data_import.state, data_import.problems[0]["code"]) == (State.REFUSED, code)
        assert data_import.problems[0]["line"] >= 1

    def test_a_hundred_problems_are_shown_and_all_are_counted(self, project: Project) -> None:
        data_import = upload_to(project, files={"a.jsonl": "{\n" * 150})
        assert (len(data_import.problems), data_import.problem_count) == (100, 150)

    def test_a_repeated_row_is_a_warning(self, project: Project) -> None:
        data_import = upload_to(project, files={"a.jsonl": outputs(q1="a") * 2})
        assert (data_import.state, data_import.problems[0]["code"]) == (State.READY, "repeated_row")
        services.confirm_import(data_import=data_import)
        assert Prediction.objects.count() == 1

    def test_a_system_cannot_answer_twice(self, project: Project) -> None:
        import_into(project, files=DPR)
        data_import = upload_to(project, files=DPR)
        assert (data_import.state, data_import.problems[0]["code"]) == (State.REFUSED, "already_answered")

    def test_other_options_are_checked_anew(self, project: Project) -> None:
        data_import = upload_to(project, files={"a.csv": "Frage,prediction\nwer,ich\n"})
        assert data_import.state == State.REFUSED
        services.recheck_import(
            data_import=data_import, format_key="", options={"map": {"Frage": "question"}}
        )
        assert (data_import.state, data_import.problems) == (State.READY, [])

    def test_an_applied_import_is_not_checked_anew(self, project: Project) -> None:
        data_import = import_into(project, files=DPR)
        with pytest.raises(ImportNotWaiting):
            services.recheck_import(data_import=data_import, format_key="", options={})

    @pytest.mark.parametrize(
        ("arguments", "error"),
        [
            ({"files": {}}, NoFiles),
            ({"files": DPR, "format_key": "tiff"}, selectors.UnknownFormat),
            ({"files": DPR, "colour": "red"}, BadOption),
            (
                {"files": DPR | {"v.tsv": "id\tQuestion\tModel answer\tAcceptable?\tannotator1\n"}},
                MixedFormats,
            ),
        ],
    )
    def test_what_cannot_be_read_leaves_nothing_behind(
        self, project: Project, settings: LazySettings, arguments: dict[str, Any], error: type[Exception]
    ) -> None:
        with pytest.raises(error):
            upload_to(project, **arguments)
        assert not DataImport.objects.exists()

    def test_a_file_over_the_limit_is_not_stored(self, project: Project, settings: LazySettings) -> None:
        settings.ASSAY_UPLOAD_MAX_BYTES = 10
        with pytest.raises(FileTooLarge, match=r"a\.jsonl"):
            upload_to(project, files={"a.jsonl": outputs(q1="a")})
        assert not DataImport.objects.exists()

    def test_a_discarded_import_leaves_no_file(self, project: Project, settings: LazySettings) -> None:
        data_import = upload_to(project, files=DPR)
        path = Path(settings.DATA_DIR) / data_import.files[0]["path"]
        assert path.exists()
        services.discard_import(data_import=data_import)
        assert not path.exists()
        assert not DataImport.objects.exists()

    def test_an_applied_import_cannot_be_discarded(self, project: Project) -> None:
        with pytest.raises(ImportNotWaiting):
            services.discard_import(data_import=import_into(project, files=DPR))


class TestConfirm:
    def test_everything_is_there_and_open(self, project: Project) -> None:
        data_import = import_into(project, files=DPR)
        assert (data_import.state, data_import.rows_done) == (State.APPLIED, 2)
        assert rows_stored() == {"Question": 2, "GoldAnswer": 2, "System": 1, "Candidate": 2, "Prediction": 2}
        assert set(Candidate.objects.values_list("state", "wanted", "taken")) == {("open", 2, 0)}
        assert System.objects.get().label == "DPR"

    def test_systems_that_would_be_called_the_same_keep_their_names(self, project: Project) -> None:
        import_into(project, files=DPR)
        import_into(project, files={"TQ_DPR.jsonl": outputs(q1="Paris"), "TQ_FiD.jsonl": outputs(q1="Paris")})
        assert set(System.objects.values_list("label", flat=True)) == {"DPR", "TQ_DPR", "FiD"}

    def test_it_happens_once(self, project: Project) -> None:
        data_import = import_into(project, files=DPR)
        with pytest.raises(ImportNotReady):
            services.confirm_import(data_import=data_import)

    def test_two_imports_of_one_project_do_not_run_together(self, project: Project) -> None:
        other = upload_to(project, files=FID)
        DataImport.objects.filter(pk=upload_to(project, files=DPR).pk).update(state=State.APPLYING)
        with pytest.raises(AnotherImportRuns):
            services.confirm_import(data_import=other)

    def test_questions_meet_across_tokenizations(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": jsonl([{"question": "who don't know?", "prediction": "x"}])})
        import_into(project, files={"b.jsonl": jsonl([{"question": "Who do n't know", "prediction": "y"}])})
        assert Question.objects.count() == 1

    def test_predictions_can_name_questions_by_id(self, project: Project) -> None:
        questions = "id,question,answer\n7,who,me\n"
        files = {"1.csv": questions, "DPR.csv": "id,prediction\n7,you\n"}
        import_into(project, files=files)
        assert Prediction.objects.get().question.text == "who"

    def test_patterns_are_added_to_questions_by_id(self, project: Project) -> None:
        import_into(project, files={"q.csv": "id,question\n7,who\n"})
        import_into(project, files={"p.txt": "7 a|b\n7 c+\n"}, format_key="trec-patterns")
        golds = GoldAnswer.objects.order_by("position").values_list("text", "kind", "position")
        assert list(golds) == [("a|b", "regex", 0), ("c+", "regex", 1)]

    def test_gold_answers_that_differ_stay_with_their_file(self, project: Project) -> None:
        import_into(project, files=DPR)
        rows = [{"question": "q1", "answer": ["gold", "or"], "prediction": "x"}]
        data_import = import_into(project, files={"EviGen.jsonl": jsonl(rows)})
        assert [problem["code"] for problem in data_import.problems] == ["gold_differs"]
        assert Prediction.objects.get(system__name="EviGen").golds == ["gold", "or"]
        assert set(Prediction.objects.filter(system__name="NQ_DPR").values_list("golds", flat=True)) == {None}
        assert GoldAnswer.objects.filter(question__text="q1").count() == 1

    def test_each_element_of_a_split_list_is_judged(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": outputs(q1=["a", "b"])}, list_prediction="split")
        assert set(Candidate.objects.values_list("text", "state")) == {("a", "open"), ("b", "open")}
        prediction = Prediction.objects.get()
        assert (prediction.text, prediction.raw) == ("a", ["a", "b"])

    def test_what_files_say_besides_is_kept(self, project: Project) -> None:
        row = {"question": "q", "dataset": "NQ", "tags": ["x"], "prediction": "a", "confidence": 0.5}
        row |= {"metadata": {"k": 1}, "reference_count": 4}
        import_into(project, files={"a.jsonl": jsonl([row])})
        question, prediction = Question.objects.get(), Prediction.objects.get()
        assert (question.dataset, question.tags, question.reference_count) == ("NQ", ["x"], 4)
        assert (prediction.confidence, prediction.metadata) == (0.5, {"k": 1})


class TestBreaking:
    """An import that breaks is taken out whole."""

    @pytest.fixture
    def small_chunks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reading.chunks, "__defaults__", (1,))

    def test_nothing_of_it_is_kept(
        self, project: Project, small_chunks: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import_into(project, files=FID)
        before = rows_stored()
        data_import = upload_to(project, files=DPR)
        staged: list[int] = []

        def break_at_second(state: Staging, records: Any) -> list[Ballot]:
            if staged:
                assert rows_stored() != before
                raise IntegrityError("the disk is full")
            staged.append(1)
            return staging.stage_items(state, records)

        monkeypatch.setattr(applying, "stage_items", break_at_second)
        with pytest.raises(IntegrityError):
            services.confirm_import(data_import=data_import)
        data_import.refresh_from_db()
        assert (data_import.state, data_import.rows_done) == (State.FAILED, 0)
        assert rows_stored() == before
        monkeypatch.undo()
        services.confirm_import(data_import=data_import)
        assert data_import.state == State.APPLIED

    def test_nobody_is_asked_about_half_of_it(
        self, project: Project, small_chunks: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[set[str]] = []
        stage = staging.stage_items

        def look(state: Staging, records: Any) -> list[Ballot]:
            ballots = stage(state, records)
            seen.append(set(Candidate.objects.values_list("state", flat=True)))
            return ballots

        monkeypatch.setattr(applying, "stage_items", look)
        import_into(project, files=DPR)
        assert seen == [{"unasked"}, {"unasked"}]

    def test_the_sweeper_takes_out_what_a_dead_worker_left(self, project: Project) -> None:
        data_import = upload_to(project, files=DPR)
        past = now() - timedelta(minutes=1)
        DataImport.objects.filter(pk=data_import.pk).update(state=State.APPLYING, lease_expires_at=past)
        Question.objects.create(
            project=project, data_import=data_import, key="q1", key_hash="x", text="q1", position=0
        )
        services.sweep_imports()
        data_import.refresh_from_db()
        assert data_import.state == State.FAILED
        assert not Question.objects.exists()

    def test_the_sweeper_takes_up_what_nobody_heard_of(self, project: Project) -> None:
        data_import = upload_to(project, files=DPR)
        past = now() - timedelta(minutes=1)
        DataImport.objects.filter(pk=data_import.pk).update(state=State.CHECKING, created_at=past)
        services.sweep_imports()
        DataImport.objects.filter(pk=data_import.pk, state=State.READY).update(state=State.APPLYING)
        services.sweep_imports()
        data_import.refresh_from_db()
        assert data_import.state == State.APPLIED

    def test_a_worker_that_lost_its_lease_stops(self, project: Project) -> None:
        data_import = upload_to(project, files=DPR)
        DataImport.objects.filter(pk=data_import.pk).update(state=State.APPLYING)
        lease = applying.Lease.take(data_import.pk)
        assert lease is not None
        assert applying.Lease.take(data_import.pk) is None
        lease.renew(rows_done=1)
        DataImport.objects.filter(pk=data_import.pk).update(lease_expires_at=now())
        with pytest.raises(applying.ImportInterrupted):
            lease.renew()

    def test_large_files_wait_for_a_worker(self, project: Project, settings: LazySettings) -> None:
        settings.ASSAY_INLINE_IMPORT_BYTES = 1
        data_import = upload_to(project, files=DPR)
        assert data_import.state == State.CHECKING
        services.check_import(import_id=data_import.pk)
        data_import.refresh_from_db()
        services.confirm_import(data_import=data_import)
        assert data_import.state == State.APPLYING
        services.apply_import(import_id=data_import.pk)
        data_import.refresh_from_db()
        assert data_import.state == State.APPLIED
