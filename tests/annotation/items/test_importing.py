"""Upload, check, confirm, undo: as a whole or not at all."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, OperationalError

from annotation.accounts.models import User
from annotation.items import selectors
from annotation.items.formats import generic
from annotation.items.formats.golds import parse_golds
from annotation.items.formats.records import Gold, ItemRecord, QuestionRecord, Row, Source
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question, System
from annotation.items.services import applying, uploads
from annotation.items.services.applying import (
    AnotherImportRuns,
    ImportNotReady,
    apply_import,
    confirm_import,
    sweep_imports,
)
from annotation.items.services.known import Known
from annotation.items.services.plan import Chunk, Plan
from annotation.items.services.reading import BadOption
from annotation.items.services.uploads import (
    FileTooLarge,
    ImportNotWaiting,
    MixedFormats,
    NoFiles,
    NotBeingChecked,
    cancel_check,
    check_import,
    discard_import,
    recheck_import,
)
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from common.clock import now
from common.database import rows
from tests.annotation.items.conftest import (
    import_into,
    jsonl,
    outputs,
    rows_stored,
    upload_in_background,
    upload_to,
)
from tests.factories import make_project

State = DataImport.State
DPR = {"NQ_DPR.jsonl": outputs(q1="Paris", q2="Rome")}
FID = {"FiD.jsonl": outputs(q1="paris", q2="Milan", q3="Oslo")}


def labels(project: Project) -> dict[str, str]:
    return dict(project.systems.order_by("name").values_list("name", "label"))


SQUAD = {
    "dev.json": json.dumps(
        {"data": [{"paragraphs": [{"qas": [{"id": "s1", "question": "q1", "answers": [{"text": "gold"}]}]}]}]}
    )
}


class TestFilesOfSeveralFormats:
    """Questions and answers come in together, each file in the format recognized in it."""

    FILES = SQUAD | {"gpt.json": json.dumps({"s1": "Paris"})} | DPR

    def test_each_is_read_in_its_own(self, project: Project) -> None:
        data_import = import_into(project, files=self.FILES)
        assert (data_import.state, data_import.options["recognize"]) == (State.APPLIED, "yes")
        said = Prediction.objects.values_list("system__name", "question__text", "text").order_by("pk")
        assert list(said) == [("gpt", "q1", "Paris"), ("NQ_DPR", "q1", "Paris"), ("NQ_DPR", "q2", "Rome")]

    def test_what_stays_out_is_said_of_its_file(self, project: Project) -> None:
        content = json.loads(SQUAD["dev.json"]) | {"version": "1.1"}
        causes = upload_to(project, files=self.FILES | {"dev.json": json.dumps(content)}).causes
        ((file, message),) = [
            (each["file"], each["message"]) for each in causes if each["code"] == "left_out_fields"
        ]
        assert file == "dev.json"
        assert message.startswith("This field of the file is not imported: “version”. ")

    def test_with_a_mapping_all_are_read_by_their_columns(self, project: Project) -> None:
        data_import = upload_to(project, files=self.FILES, map={"question": "question"})
        assert "mapped_column_missing" in {problem["code"] for problem in data_import.problems}

    def test_answers_by_id_find_questions_of_an_earlier_import(self, project: Project) -> None:
        import_into(project, files=SQUAD)
        import_into(project, files={"gpt.json": json.dumps({"s1": ""})})
        assert [each.text for each in Prediction.objects.all()] == [""]

    def test_answers_to_unknown_questions_are_refused_as_a_whole(self, project: Project) -> None:
        import_into(project, files=SQUAD)
        before = rows_stored()
        data_import = upload_to(project, files={"gpt.json": json.dumps({"s1": "a", "s9": "b"})})
        assert (data_import.state, rows_stored()) == (State.REFUSED, before)


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
        assert [(each["code"], each["line"], each["message"].split(".")[0]) for each in problems] == [
            ("rows_without_answer", 2, "2 rows have a question but no answer (the first is line 2)"),
            ("empty_answers", 4, "1 answer is empty (line 4)"),
        ]

    def test_what_files_say_of_a_question_is_read_once_in_each_pass(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read: list[Any] = []

        def note(value: Any, **options: Any) -> tuple[Gold, ...]:
            read.append(value)
            return parse_golds(value, **options)

        monkeypatch.setattr(generic, "parse_golds", note)
        files = {f"{name}.jsonl": outputs(q1=name, q2=name) for name in "abc"}
        data_import = upload_to(project, files=files)
        assert (data_import.state, len(read)) == (State.READY, 2)
        confirm_import(data_import=data_import)
        assert len(read) == 4
        assert GoldAnswer.objects.count() == 2
        assert Prediction.objects.count() == 6

    def test_what_there_is_to_say_of_a_question_is_said_of_each_file(self, project: Project) -> None:
        row = {"question": "q1", "answer": ["[a, b]"], "prediction": "x"}
        files = {f"{name}.jsonl": jsonl([row]) for name in "abc"}
        causes = upload_to(project, files=files).causes
        warned = [cause["file"] for cause in causes if cause["code"] == "gold_looks_like_list"]
        assert warned == list(files)

    def test_a_question_is_read_as_its_own_file_says(self, project: Project) -> None:
        row = {"question": "q1", "dataset": "", "answer": "a"}
        reread = {"question": "q1", "dataset": "", "golds": "a"}
        questions: generic.ReadQuestions = {}

        def read(row: dict[str, str], **options: str) -> QuestionRecord:
            reader = generic.RowReader(Source("a.jsonl", Path()), {**options, "questions": questions})
            return reader.record(Row(1, row)).question

        first = read(row)
        assert read(row) is first
        assert read(row, dataset="nq").dataset == "nq"
        assert read(row, gold_kind="regex").golds == (Gold("a", is_regex=True),)
        # Of another column, which may be split in another way.
        assert read(reread) is not first
        assert read(row, dataset="nq").dataset == "nq"

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
        confirm_import(data_import=data_import)
        after = rows_stored()
        assert after["Candidate"] - before["Candidate"] == 2
        assert after["Question"] - before["Question"] == data_import.counts["questions"] == 1
        assert after["Prediction"] - before["Prediction"] == data_import.counts["predictions"] == 3

    def test_it_counts_no_votes_of_rows_that_are_left_out(self, project: Project) -> None:
        row = "Question\tModel answer\tannotator1\tannotator2\n" + "q1\tParis\tYes\tYes\n"
        data_import = import_into(
            project, files={"votes.tsv": row + "q1\tParis\tNo\tYes\n"}, keep_duplicate_rows="no"
        )
        assert data_import.counts["votes"] == Judgment.objects.count() == 2

    def test_it_says_which_votes_their_raters_gave_before(self, project: Project) -> None:
        header = "Question\tModel answer\tannotator1\tannotator2\n"
        first = header + "q1\tParis\tYes\tYes\nq1\tLyon\tNo\t\n"
        import_into(project, files={"votes.tsv": first})
        second = header + "q1\tParis\tyes\tNo\nq1\tLyon\tYes\tNo\nq1\tNice\tNo\tNo\n"
        data_import = upload_to(project, files={"again.tsv": second})
        assert [(each["code"], each["line"], each["column"]) for each in data_import.problems] == [
            ("vote_known", 2, "annotator1"),
            ("vote_differs", 2, "annotator2"),
            ("vote_differs", 3, "annotator1"),
            ("passed_on_before", 3, "annotator2"),
        ]
        assert [each["count"] for each in data_import.causes] == [1, 2, 1]
        assert data_import.problems[1]["message"] == (
            "“annotator2” judged this answer “Correct” in an earlier import. That vote counts, and “No” is "
            "ignored. To use “No” instead, undo the earlier import first."
        )
        before = Judgment.objects.count()
        confirm_import(data_import=data_import)
        assert data_import.counts["votes"] == Judgment.objects.count() - before == 2

    def test_one_broken_line_keeps_the_whole_import_out(self, project: Project) -> None:
        data_import = upload_to(project, files={"a.jsonl": outputs(q1="a") + '{"question": "half'})
        assert data_import.state == State.REFUSED
        (problem,) = data_import.problems
        assert (problem["file"], problem["line"], problem["code"]) == ("a.jsonl", 2, "not_json")
        assert data_import.message.startswith("a.jsonl, line 2: ")
        with pytest.raises(ImportNotReady):
            confirm_import(data_import=data_import)
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

    def test_the_second_answer_of_a_system_is_left_out_where_the_lead_says_so(self, project: Project) -> None:
        files = {"a.jsonl": outputs(q1="a", q2="c") + outputs(q1="b")}
        data_import = upload_to(project, files=files, bad_rows="leave_out")
        assert [(each["code"], each["line"]) for each in data_import.problems] == [("two_answers", 3)]
        assert "to “q1”. Only the first" in data_import.problems[0]["message"]
        confirm_import(data_import=data_import)
        assert sorted(Prediction.objects.values_list("text", flat=True)) == ["a", "c"]

    def test_a_hundred_problems_are_shown_and_all_are_counted(self, project: Project) -> None:
        data_import = upload_to(project, files={"a.jsonl": "{\n" * 150})
        assert (len(data_import.problems), data_import.problem_count) == (100, 150)

    def test_a_thousand_of_one_cause_hide_no_other(self, project: Project) -> None:
        """All are counted by cause, though only the first hundred are kept line by line."""
        rows = outputs(**{f"q{number}": "a" for number in range(120)})
        files = {"a.jsonl": rows * 2, "b.jsonl": rows + "\n{"}
        data_import = upload_to(project, files=files)
        causes = [(each["file"], each["code"], each["count"]) for each in data_import.causes]
        assert data_import.causes[0]["severity"] == "error"
        assert causes[0][0] == "b.jsonl"
        assert ("a.jsonl", "repeated_row", 120) in causes
        assert sum(count for *_, count in causes) == data_import.problem_count > len(data_import.problems)
        repeated = next(each for each in data_import.causes if each["code"] == "repeated_row")
        assert (repeated["lines"], repeated["line"]) == (list(range(121, 141)), 121)

    def test_a_cause_of_the_whole_file_names_no_line(self, project: Project) -> None:
        (cause,) = upload_to(project, files={"a.jsonl": ""}).causes
        assert (cause["count"], cause["lines"]) == (1, [cause["line"]] if cause["line"] else [])

    def test_a_repeated_row_is_a_warning(self, project: Project) -> None:
        data_import = upload_to(project, files={"a.jsonl": outputs(q1="a") * 2})
        assert (data_import.state, data_import.problems[0]["code"]) == (State.READY, "repeated_row")
        confirm_import(data_import=data_import)
        assert Prediction.objects.count() == 1

    def test_a_system_cannot_answer_twice(self, project: Project) -> None:
        import_into(project, files=DPR)
        data_import = upload_to(project, files=DPR)
        assert (data_import.state, data_import.problems[0]["code"]) == (State.REFUSED, "already_answered")

    def test_other_options_are_checked_anew(self, project: Project) -> None:
        data_import = upload_to(project, files={"a.csv": "Aufgabe,prediction\nwer,ich\n"})
        assert data_import.state == State.REFUSED
        recheck_import(data_import=data_import, format_key="", options={"map": {"Aufgabe": "question"}})
        assert (data_import.state, data_import.problems) == (State.READY, [])

    def test_an_applied_import_is_not_checked_anew(self, project: Project) -> None:
        data_import = import_into(project, files=DPR)
        with pytest.raises(ImportNotWaiting):
            recheck_import(data_import=data_import, format_key="", options={})

    @pytest.mark.parametrize(
        ("arguments", "error"),
        [
            ({"files": {}}, NoFiles),
            ({"files": DPR, "format_key": "tiff"}, selectors.UnknownFormat),
            ({"files": DPR, "colour": "red"}, BadOption),
            ({"files": DPR, "dataset": {"a": 1}}, BadOption),
            ({"files": DPR, "system": float("inf")}, BadOption),
            ({"files": DPR, "system": None}, BadOption),
            ({"files": DPR, "group": "g" * 61}, BadOption),
            ({"files": DPR, "dataset": "d" * 1_001}, BadOption),
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
        discard_import(data_import=data_import)
        assert not path.exists()
        assert not DataImport.objects.exists()

    def test_an_applied_import_cannot_be_discarded(self, project: Project) -> None:
        with pytest.raises(ImportNotWaiting):
            discard_import(data_import=import_into(project, files=DPR))

    def test_a_common_prefix_of_systems_is_asked_about(self, project: Project) -> None:
        files = {f"NQ_{name}.jsonl": outputs(q1="Paris") for name in ("DPR", "FiD", "FiD-KD")}
        (problem,) = upload_to(project, files=files).problems
        assert (problem["code"], problem["severity"]) == ("common_prefix", "warning")
        assert "all 3 new systems have the prefix “NQ_”" in problem["message"]
        assert "set “System names” to “without common prefix.”" in problem["message"]

    @pytest.mark.parametrize(
        "names", [("NQ_DPR",), ("NQ_DPR", "NQ301_GPT"), ("FiD", "FiD-KD"), ("A_", "A_b")]
    )
    def test_no_prefix_that_is_none_is_asked_about(self, project: Project, names: tuple[str, ...]) -> None:
        files = {f"{name}.jsonl": outputs(q1="Paris") for name in names}
        assert upload_to(project, files=files).problems == []

    def test_what_shortened_names_leave_out_is_said(self, project: Project) -> None:
        files = {f"NQ_{name}.jsonl": outputs(q1="Paris") for name in ("DPR", "FiD", "FiD-KD")}
        (problem,) = upload_to(project, files=files, system_names="shortened").problems
        assert (problem["code"], problem["severity"]) == ("shortened_names", "warning")
        assert problem["message"].startswith(
            "System names are shown without “NQ_”. On pages, the systems are named “DPR”, “FiD”, “FiD-KD”. "
        )

    def test_shortened_names_of_which_nothing_is_left_out_go_unsaid(self, project: Project) -> None:
        files = {f"{name}.jsonl": outputs(q1="Paris") for name in ("DPR", "FiD")}
        assert upload_to(project, files=files, system_names="shortened").problems == []

    def test_files_without_systems_do_without_names_of_them(self, project: Project) -> None:
        import_into(project, files=DPR)
        votes = "Question\tModel answer\tannotator1\tannotator2\nq1\tParis\tYes\tYes\n"
        data_import = upload_to(project, files={"votes.tsv": votes}, system_names="shortened")
        assert data_import.state == DataImport.State.READY
        assert "system_names" not in data_import.options

    def test_systems_that_answer_fewer_questions_than_others_are_named(self, project: Project) -> None:
        files = {"FiD.jsonl": outputs(q1="Paris", q2="Rome", q3="Bern"), "GPT.jsonl": outputs(q2="Oslo")}
        (problem,) = upload_to(project, files=files).problems
        assert (problem["code"], problem["severity"]) == ("uneven_coverage", "warning")
        assert problem["message"].startswith("1 of 2 systems answers only 1 of 3 questions: “GPT”. ")

    def test_systems_are_compared_with_those_that_the_project_has(self, project: Project) -> None:
        import_into(project, files={"FiD.jsonl": outputs(q1="Paris", q2="Rome", q3="Bern")})
        (problem,) = upload_to(
            project, files={"A.jsonl": outputs(q1="Oslo"), "B.jsonl": outputs(q1="Ulm", q2="Ulm")}
        ).problems
        assert "2 of 3 systems answer only 1 to 2 of 3 questions: “A”, “B”." in problem["message"]
        rest = upload_to(project, files={"C.jsonl": outputs(q1="Ulm", q2="Ulm", q3="Ulm")})
        assert rest.problems == []


class TestAnswersToJudge:
    """The check counts what raters get once the protocol has settled answers that equal a gold answer."""

    ANSWERS = {"q1": "The Seine.", "q2": "Oslo", "q3": "The", "q4": "12", "q5": "seine"}
    GOLDS = {"q1": ["Marne", "seine"], "q2": ["Bergen"], "q3": ["a"]}
    FILES = {
        "answers.jsonl": jsonl({"question": q, "prediction": answer} for q, answer in ANSWERS.items()),
        "golds.jsonl": jsonl({"question": q, "answer": golds} for q, golds in GOLDS.items()),
    }

    @pytest.fixture
    def graded(self, lead: User) -> Project:
        return make_project(lead=lead, slug="graded", preset="efficientqa")

    @pytest.mark.parametrize("names", [("golds.jsonl", "answers.jsonl"), ("answers.jsonl", "golds.jsonl")])
    def test_gold_answers_count_before_and_after_the_answers(
        self, graded: Project, names: tuple[str, str]
    ) -> None:
        assert self._imported(graded, {name: self.FILES[name] for name in names}) == (4, 4)

    def test_gold_answers_of_an_earlier_import_count(self, graded: Project) -> None:
        import_into(graded, files={"golds.jsonl": self.FILES["golds.jsonl"]})
        assert self._imported(graded, {"answers.jsonl": self.FILES["answers.jsonl"]}) == (4, 4)

    @pytest.mark.parametrize("is_earlier", [True, False])
    def test_a_pattern_settles_nothing(self, graded: Project, is_earlier: bool) -> None:
        row = {"question": "q1", "answer": ["Seine"]}
        if is_earlier:
            import_into(graded, files={"golds.jsonl": jsonl([row])}, gold_kind="regex")
        answers = {"answers.jsonl": jsonl([row | {"prediction": "Seine"}])}
        assert self._imported(graded, answers, gold_kind="regex") == (1, 1)

    def test_of_a_list_each_answer_is_one(self, graded: Project) -> None:
        row = {"question": "q1", "answer": ["Seine"], "prediction": ["Loire", "the Seine", "Marne"]}
        assert self._imported(graded, {"a.jsonl": jsonl([row])}, list_prediction="split") == (2, 2)

    def test_where_people_judge_every_answer_every_one_counts(self, project: Project) -> None:
        assert self._imported(project, self.FILES) == (5, 5)

    def _imported(self, project: Project, files: dict[str, str], **options: Any) -> tuple[int, int]:
        """Return how many answers there are to judge, as the check says and as they are open."""
        made = import_into(project, files=files, **options)
        return made.counts["answers_to_judge"], Candidate.objects.filter(state=Candidate.State.OPEN).count()


class TestConfirm:
    def test_everything_is_there_and_open(self, project: Project) -> None:
        data_import = import_into(project, files=DPR)
        assert (data_import.state, data_import.rows_done) == (State.APPLIED, 2)
        stored = {name: count for name, count in rows_stored().items() if count}
        assert stored == {"Question": 2, "GoldAnswer": 2, "System": 1, "Candidate": 2, "Prediction": 2}
        assert set(Candidate.objects.values_list("state", "wanted", "taken")) == {("open", 2, 0)}
        assert System.objects.get().label == "NQ_DPR"

    @pytest.mark.parametrize(
        "names",
        [
            ("FB_Hybrid", "FB_system", "MS_UnitedQA", "UCLNLP_29M"),
            ("CSQA2_test_GPT", "CSQA2_test_PromptRetrieve"),
            ("NQ_ANCE-plus_FiD", "NQ_DPR"),
        ],
    )
    def test_systems_are_called_as_their_files(self, project: Project, names: tuple[str, ...]) -> None:
        import_into(project, files={f"{name}.jsonl": outputs(q1="Paris") for name in names})
        assert list(labels(project)) == list(names)

    def test_a_common_prefix_goes_where_the_lead_says_so(self, project: Project) -> None:
        import_into(
            project,
            files={f"CSQA2_test_{name}.jsonl": outputs(q1="Paris") for name in ("GPT", "PromptRetrieve")},
            system_names="without_common_prefix",
        )
        assert labels(project) == {"CSQA2_test_GPT": "GPT", "CSQA2_test_PromptRetrieve": "PromptRetrieve"}

    def test_shortened_names_lose_a_data_set_with_its_size(self, project: Project) -> None:
        all_questions = outputs(q1="Paris", q2="Rome", q3="Bern")
        import_into(
            project,
            files={
                "NQ_DPR_test.jsonl": all_questions,
                "NQ_FiD_test.jsonl": all_questions,
                "NQ2_GPT_test.jsonl": outputs(q1="Paris", q2="Rome"),
            },
            system_names="shortened",
        )
        assert labels(project) == {"NQ2_GPT_test": "GPT", "NQ_DPR_test": "DPR", "NQ_FiD_test": "FiD"}

    def test_a_prefix_is_common_to_the_whole_import_and_not_to_a_chunk(self, project: Project) -> None:
        many = outputs(**{f"q{number}": "Paris" for number in range(250)})
        import_into(
            project,
            files={"NQ_a_DPR.jsonl": many, "NQ_a_FiD.jsonl": many, "NQ_b.jsonl": outputs(q1="Paris")},
            system_names="without_common_prefix",
        )
        assert list(labels(project).values()) == ["a_DPR", "a_FiD", "b"]

    def test_a_short_name_that_is_taken_is_not_given_again(self, project: Project) -> None:
        import_into(project, files={"DPR.jsonl": outputs(q1="Paris")})
        import_into(
            project,
            files={"TQ_DPR.jsonl": outputs(q1="Paris"), "TQ_FiD.jsonl": outputs(q1="Paris")},
            system_names="without_common_prefix",
        )
        assert labels(project) == {"DPR": "DPR", "TQ_DPR": "TQ_DPR", "TQ_FiD": "FiD"}

    def test_it_happens_once(self, project: Project) -> None:
        data_import = import_into(project, files=DPR)
        with pytest.raises(ImportNotReady):
            confirm_import(data_import=data_import)

    def test_two_imports_of_one_project_do_not_run_together(self, project: Project) -> None:
        other = upload_to(project, files=FID)
        DataImport.objects.filter(pk=upload_to(project, files=DPR).pk).update(state=State.APPLYING)
        with pytest.raises(AnotherImportRuns):
            confirm_import(data_import=other)

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

    def test_patterns_find_a_question_by_each_id_that_its_rows_have(self, project: Project) -> None:
        files = {"q.csv": "id,question\n7,who\n8,Who?\n", "p.csv": "id,answer\n7,a|b\n8,c+\n"}
        import_into(project, files=files, gold_kind="regex")
        assert Question.objects.count() == 1
        golds = GoldAnswer.objects.order_by("position").values_list("text", "kind", "position")
        assert list(golds) == [("a|b", "regex", 0), ("c+", "regex", 1)]

    def test_gold_answers_that_differ_stay_with_their_file(self, project: Project) -> None:
        import_into(project, files=DPR)
        rows = [{"question": "q1", "answer": ["gold", "or"], "prediction": "x"}]
        data_import = import_into(project, files={"EviGen.jsonl": jsonl(rows)})
        assert [problem["code"] for problem in data_import.problems] == ["uneven_coverage", "gold_differs"]
        assert Prediction.objects.get(system__name="EviGen").golds == ["gold", "or"]
        assert set(Prediction.objects.filter(system__name="NQ_DPR").values_list("golds", flat=True)) == {None}
        assert GoldAnswer.objects.filter(question__text="q1").count() == 1

    def test_so_they_do_among_the_files_of_one_import(self, project: Project) -> None:
        rows = [{"question": "q1", "answer": ["gold", "or"], "prediction": "x"}]
        data_import = import_into(project, files={**DPR, "NQ_EviGen.jsonl": jsonl(rows)})
        differing = [each for each in data_import.causes if each["code"] == "gold_differs"]
        assert [(each["file"], each["count"]) for each in differing] == [("NQ_EviGen.jsonl", 1)]
        message = differing[0]["message"]
        assert message.startswith(
            "The gold answers in this row (“gold”, “or”) differ from those in an earlier row (“gold”). "
            "The question keeps those in the earlier row."
        )
        assert "are scored against the gold answers in this row." in message
        assert Prediction.objects.get(system__name="NQ_EviGen").golds == ["gold", "or"]

    def test_gold_answers_that_differ_are_shown_though_they_have_no_spaces(self, project: Project) -> None:
        rows = [{"question": "q", "answer": ["山" * 90], "prediction": "x"}]
        import_into(project, files={"a.jsonl": jsonl(rows)})
        rows = [{"question": "q", "answer": ["川" * 90], "prediction": "x"}]
        *_, problem = import_into(project, files={"b.jsonl": jsonl(rows)}).problems
        assert f"this row (“{'川' * 59}…”) differ" in problem["message"]
        assert f"those in the project (“{'山' * 59}…”)." in problem["message"]

    @pytest.mark.parametrize("end", [["d"], ["c", "e"]])
    def test_none_are_shown_where_what_differs_would_not_be(self, project: Project, end: list[str]) -> None:
        first = ["a", "b", "x" * 100 + end[0]]
        rows = [{"question": "q", "answer": [*first, "d"], "prediction": "x"}]
        import_into(project, files={"a.jsonl": jsonl(rows)})
        rows = [{"question": "q", "answer": [*first[:2], first[2] + "!", *end], "prediction": "x"}]
        *_, problem = import_into(project, files={"b.jsonl": jsonl(rows)}).problems
        assert problem["message"].startswith(
            "The gold answers in this row differ from those in the project. "
        )

    def test_of_long_gold_answers_only_what_is_shown_is_kept(self, project: Project) -> None:
        data_import = import_into(project, files=DPR)
        known = Known(data_import)
        question = known.add_question(ItemRecord(1, QuestionRecord(text="a new one")), in_sample=True)
        known.add_gold(question, Gold("x " * 500_000))
        assert [len(text) for text in known.shown_golds(question)] == [60]

    def test_patterns_that_differ_are_not_kept_as_strings(self, project: Project) -> None:
        import_into(project, files=DPR)
        rows = [{"question": "q1", "answer": ["gol+d"], "prediction": "x"}]
        data_import = import_into(project, files={"EviGen.jsonl": jsonl(rows)}, gold_kind="regex")
        _, problem = data_import.problems
        assert problem["code"] == "gold_differs"
        assert problem["message"].startswith(
            "The gold answers in this row (“gol+d”) differ from those in the project (“gold”). "
            "The question keeps those in the project."
        )
        assert "are scored against the question’s gold answers, because patterns" in problem["message"]
        assert Prediction.objects.get(system__name="EviGen").golds is None

    def test_every_column_is_shown_with_its_first_values(self, project: Project) -> None:
        lines = [
            "question,answer,answer_gpt,comment",
            "q1,Paris,Rome,fine",
            f"q2,Rome,{'long ' * 30},",
            "q3,Oslo,Rome,so",
        ]
        found = upload_to(project, files={"wide.csv": "\n".join(lines)}).columns
        assert [(each["name"], each["meaning"], each["system"]) for each in found] == [
            ("question", "question", ""),
            ("answer", "gold", ""),
            ("answer_gpt", "prediction", "gpt"),
            ("comment", "ignore", ""),
        ]
        assert found[0]["values"] == ["q1", "q2", "q3"]
        assert found[2]["values"] == ["Rome", f"{('long ' * 30)[:60]}…"]
        assert found[3]["values"] == ["fine", "so"]

    def test_few_columns_and_values_are_kept_of_a_hostile_file(self, project: Project) -> None:
        rows = [
            {"question": f"q{row}", **{f"c{row}-{column}": [column] for column in range(60)}}
            for row in range(50)
        ]
        columns = upload_to(project, files={"a.jsonl": jsonl(rows)}).columns
        assert len(columns) == 200
        assert max(len(each["values"]) for each in columns) == 3

    def test_columns_of_a_fixed_form_are_not_shown(self, project: Project) -> None:
        assert upload_to(project, files=DPR).columns == []

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


PATTERNS = "1756\tfactoid\tWho?\ta|b\n1757\tfactoid\tWhen?\t(broken\n1758\tfactoid\tWho?\tc\n1759\n"


class TestBadRows:
    """A file of 867 patterns is not refused for eight of them where the lead says so."""

    def test_they_refuse_the_file_unless_the_lead_says_otherwise(self, project: Project) -> None:
        data_import = upload_to(project, files={"c.tsv": PATTERNS}, format_key="trec-patterns")
        assert data_import.state == State.REFUSED
        assert not Question.objects.exists()

    def test_they_are_named_by_line_and_the_others_come_in(self, project: Project) -> None:
        data_import = import_into(
            project, files={"c.tsv": PATTERNS}, format_key="trec-patterns", bad_rows="leave_out"
        )
        assert data_import.state == State.APPLIED
        told = [(each["line"], each["code"], each["severity"]) for each in data_import.problems]
        assert told == [(2, "bad_pattern", "warning"), (4, "missing_pattern", "warning")]
        assert all(each["message"].endswith("The row is left out.") for each in data_import.problems)
        golds = GoldAnswer.objects.order_by("pk").values_list("question__external_id", "text", "kind")
        # The question that stands twice is two, each with its own id and pattern.
        assert list(golds) == [("1756", "a|b", "regex"), ("1758", "c", "regex")]

    def test_a_row_whose_question_nobody_knows_is_left_out(self, project: Project) -> None:
        import_into(project, files={"q.csv": "id,question\n7,who\n"})
        data_import = import_into(
            project, files={"p.txt": "7 a\n9 b\n"}, format_key="trec-patterns", bad_rows="leave_out"
        )
        assert [(each["line"], each["code"]) for each in data_import.problems] == [(2, "unknown_question")]
        assert list(GoldAnswer.objects.values_list("text", flat=True)) == ["a"]

    def test_what_says_how_to_read_the_file_still_refuses_it(self, project: Project) -> None:
        data_import = upload_to(project, files={"a.csv": "aufgabe,answer\nwho,x\n"}, bad_rows="leave_out")
        assert data_import.state == State.REFUSED


class TestBreaking:
    """An import that breaks is taken out whole."""

    @pytest.fixture
    def small_chunks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rows, "LARGEST", 1)

    def test_nothing_of_it_is_kept(
        self, project: Project, small_chunks: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import_into(project, files=FID)
        before = rows_stored()
        data_import = upload_to(project, files=DPR)
        staged: list[int] = []

        def break_at_second(plan: Plan, planned: Chunk) -> None:
            if staged:
                assert rows_stored() != before
                raise IntegrityError("the disk is full")
            staged.append(1)
            write(plan, planned)

        write = applying.write_chunk
        monkeypatch.setattr(applying, "write_chunk", break_at_second)
        with pytest.raises(IntegrityError):
            confirm_import(data_import=data_import)
        data_import.refresh_from_db()
        assert (data_import.state, data_import.rows_done) == (State.FAILED, 0)
        assert rows_stored() == before
        monkeypatch.undo()
        confirm_import(data_import=data_import)
        assert data_import.state == State.APPLIED

    def test_nobody_is_asked_about_half_of_it(
        self, project: Project, small_chunks: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[set[str]] = []
        write = applying.write_chunk

        def look(plan: Plan, planned: Chunk) -> None:
            write(plan, planned)
            seen.append(set(Candidate.objects.values_list("state", flat=True)))

        monkeypatch.setattr(applying, "write_chunk", look)
        import_into(project, files=DPR)
        assert seen == [{"unasked"}, {"unasked"}]

    def test_the_sweeper_takes_out_what_a_dead_worker_left(self, project: Project) -> None:
        data_import = upload_to(project, files=DPR)
        past = now() - timedelta(minutes=1)
        DataImport.objects.filter(pk=data_import.pk).update(state=State.APPLYING, lease_expires_at=past)
        Question.objects.create(
            project=project, data_import=data_import, key="q1", key_hash="x", text="q1", position=0
        )
        sweep_imports()
        data_import.refresh_from_db()
        assert data_import.state == State.FAILED
        assert not Question.objects.exists()

    def test_the_sweeper_takes_out_at_once_what_broke_with_the_database(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        data_import = upload_to(project, files=DPR)

        def find_it_away(*_: Any, **__: Any) -> None:
            raise OperationalError("the server closed the connection")

        with monkeypatch.context() as patch:
            patch.setattr(applying, "_write", find_it_away)
            patch.setattr(applying, "fail_import", find_it_away)
            with pytest.raises(OperationalError):
                confirm_import(data_import=data_import)
        sweep_imports()
        data_import.refresh_from_db()
        assert (data_import.state, data_import.lease_expires_at) == (State.FAILED, None)

    def test_the_sweeper_takes_up_what_nobody_heard_of(self, project: Project) -> None:
        data_import = upload_to(project, files=DPR)
        past = now() - timedelta(minutes=1)
        DataImport.objects.filter(pk=data_import.pk).update(state=State.CHECKING, created_at=past)
        sweep_imports()
        DataImport.objects.filter(pk=data_import.pk, state=State.READY).update(state=State.APPLYING)
        sweep_imports()
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

    def test_in_the_background_both_steps_wait_for_a_worker(self, project: Project) -> None:
        data_import = upload_in_background(project, files=DPR)
        assert data_import.state == State.CHECKING
        check_import(import_id=data_import.pk)
        data_import.refresh_from_db()
        confirm_import(data_import=data_import, in_background=True)
        assert data_import.state == State.APPLYING
        apply_import(import_id=data_import.pk)
        data_import.refresh_from_db()
        assert data_import.state == State.APPLIED


class TestChecksThatEnd:
    """A check holds a worker: it can be cancelled, it has a limit, and a dead one is nobody's obstacle."""

    MANY = {"many.jsonl": jsonl({"question": f"q{number}"} for number in range(250))}

    def test_a_cancelled_one_says_so_and_starts_again(self, project: Project) -> None:
        data_import = upload_in_background(project, files=DPR)
        cancel_check(data_import=data_import)
        check_import(import_id=data_import.pk)
        data_import.refresh_from_db()
        assert (data_import.state, data_import.message) == (State.REFUSED, "The check was canceled.")
        with pytest.raises(NotBeingChecked):
            cancel_check(data_import=data_import)
        recheck_import(data_import=data_import, format_key="", options={})
        assert data_import.state == State.READY

    @pytest.mark.parametrize("end", ["cancel", "discard"])
    def test_one_at_work_stops_at_the_next_look(
        self, end: str, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        data_import = upload_in_background(project, files=self.MANY)
        looks = []

        def look(watch: uploads.Watch) -> None:
            looks.append(watch.rows)
            if end == "cancel":
                cancel_check(data_import=data_import)
            else:
                discard_import(data_import=data_import)
            original(watch)

        original = uploads.Watch.look
        monkeypatch.setattr(uploads.Watch, "look", look)
        check_import(import_id=data_import.pk)
        assert looks == [100]
        assert not DataImport.objects.exclude(state=State.REFUSED).exists()

    def test_it_says_how_far_it_is(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        data_import = upload_in_background(project, files=self.MANY)
        seen = []
        original = uploads.Watch.look

        def look(watch: uploads.Watch) -> None:
            original(watch)
            seen.append(DataImport.objects.get().rows_done)

        monkeypatch.setattr(uploads.Watch, "look", look)
        monkeypatch.setattr(uploads, "SECONDS_BETWEEN_LOOKS", 0)
        check_import(import_id=data_import.pk)
        assert seen == [100, 200]

    def test_one_beyond_the_limit_is_stopped(self, project: Project, settings: LazySettings) -> None:
        settings.ASSAY_CHECK_SECONDS = -1
        data_import = upload_to(project, files=self.MANY)
        assert data_import.state == State.REFUSED
        assert "was stopped" in data_import.message

    def test_one_that_breaks_ends_at_once_and_can_be_begun_again(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        data_import = upload_in_background(project, files=DPR)

        def break_down(watch: uploads.Watch) -> None:
            raise TypeError("unhashable")

        with monkeypatch.context() as patch:
            patch.setattr(uploads.Watch, "tick", break_down)
            # Who runs the task logs what it raised.
            with pytest.raises(TypeError):
                check_import(import_id=data_import.pk)
        data_import.refresh_from_db()
        assert (data_import.state, data_import.lease_expires_at) == (State.REFUSED, None)
        assert data_import.message.startswith("Something went wrong on the server")
        recheck_import(data_import=data_import, format_key="", options={})
        assert data_import.state == State.READY

    def test_one_whose_worker_died_is_not_begun_again_by_itself(self, project: Project) -> None:
        data_import = upload_in_background(project, files=DPR)
        DataImport.objects.update(lease_expires_at=now() - timedelta(seconds=1))
        sweep_imports()
        data_import.refresh_from_db()
        assert (data_import.state, data_import.message) == (
            State.REFUSED,
            "The background worker stopped before the check was done. Check the files again.",
        )

    @pytest.mark.parametrize(
        ("state", "name", "ends_as"), [("checking", "check", "refused"), ("applying", "import", "failed")]
    )
    def test_one_whose_process_is_gone_need_not_wait_for_its_lease(
        self, state: str, name: str, ends_as: str, project: Project, settings: LazySettings, tmp_path: Path
    ) -> None:
        settings.DATA_DIR = tmp_path
        data_import = upload_in_background(project, files=DPR)
        DataImport.objects.update(state=state, lease_expires_at=now() + timedelta(minutes=5))
        sweep_imports()
        data_import.refresh_from_db()
        assert data_import.state == state
        # What a killed process leaves behind: its file, which nobody has locked any more.
        (tmp_path / "at-work").mkdir()
        (tmp_path / "at-work" / f"{name}-{data_import.public_id}").touch()
        # The queue gives what it died over to the next one at once.
        {"check": check_import, "import": apply_import}[name](import_id=data_import.pk)
        sweep_imports()
        data_import.refresh_from_db()
        assert data_import.state == ends_as
