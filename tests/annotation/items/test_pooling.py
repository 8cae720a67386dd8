"""Which answers are judged once: pooling, linking, votes files, and systems that come later."""

import json
from pathlib import Path
from random import Random

import pytest

from analysis.text import normalize_answer, question_key
from annotation.adjudication.models import Decision
from annotation.adjudication.selectors.decisions import find_label_conflicts
from annotation.adjudication.services.deciding import decide_answer
from annotation.items.formats.papers import openqa_votes
from annotation.items.formats.records import Source, VoteRecord
from annotation.items.models import Candidate, DataImport, Prediction, Question
from annotation.items.services import applying, uploads
from annotation.judgments.models import Judgment
from annotation.projects.models import Membership, Project
from common.database.rows import LARGEST
from judges.runs.models import Verdict
from tests.annotation.items.conftest import import_into, outputs, upload_to
from tests.factories import make_project

pytestmark = pytest.mark.long

VOTES = "id\tQuestion\tModel answer\tAcceptable?\tannotator1\tannotator2\tannotator3\n"
VERDICTS = "id\tQuestion\tModel answer\tAcceptable?\tgpt-4\n"
State = Candidate.State


def votes(*rows: str) -> dict[str, str]:
    return {"NQ301_human.tsv": VOTES + "".join(f"{row}\n" for row in rows)}


def decide_all(project: Project) -> None:
    for candidate in Candidate.objects.filter(project=project).order_by("pk"):
        decide_answer(
            project=project,
            candidate_id=candidate.public_id,
            by=project.created_by,
            label="correct",
            reason="for the test",
            category="other",
        )


class TestPooling:
    @pytest.mark.parametrize(("pooling", "count"), [("exact", 4), ("casefold", 3), ("normalized", 1)])
    def test_answers_are_pooled_as_the_project_says(self, db: None, pooling: str, count: int) -> None:
        project = make_project(pooling=pooling)
        texts = ["The Beatles", "the beatles", "Beatles", "beatles!"]
        import_into(project, files={f"{n}.jsonl": outputs(q=text) for n, text in enumerate(texts)})
        assert Candidate.objects.count() == count
        assert Prediction.objects.count() == 4

    def test_groups_of_systems_are_pooled_apart_where_the_protocol_says_so(self, db: None) -> None:
        project = make_project(preset="evouna")
        import_into(project, files={"a.jsonl": outputs(q="x")}, group="one")
        import_into(project, files={"b.jsonl": outputs(q="x")}, group="two")
        assert set(Candidate.objects.values_list("text", "group")) == {("x", "one"), ("x", "two")}

    def test_the_same_text_to_two_questions_is_two_answers(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": outputs(q="x", r="x")})
        assert Candidate.objects.count() == 2


class TestLaterSystem:
    def test_it_inherits_decisions_and_opens_only_the_rest(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": outputs(q="Paris", r="Rome", s="Oslo")})
        decide_all(project)
        data_import = upload_to(project, files={"b.jsonl": outputs(q="paris.", r="Milan", s="Oslo")})
        assert data_import.counts["answers_inherited"] == 2
        applying.confirm_import(data_import=data_import)
        assert set(Candidate.objects.values_list("text", "state")) == {
            ("Paris", State.DECIDED),
            ("Rome", State.DECIDED),
            ("Oslo", State.DECIDED),
            ("Milan", State.OPEN),
        }

    def test_emdr2_opens_exactly_what_no_other_system_said(
        self, data_folder: Path, tmp_path: Path, db: None
    ) -> None:
        project = make_project(pooling="normalized")
        folder = data_folder / "openqa-eval" / "model_outputs"
        paths = [beginning(path, tmp_path) for path in sorted(folder.glob("*.jsonl"))]
        import_paths(project, [path for path in paths if path.stem != "NQ_EMDR2"])
        Candidate.objects.update(state=State.DECIDED, taken=2)
        import_paths(project, [path for path in paths if path.stem == "NQ_EMDR2"])
        unshared = {
            candidate
            for candidate in Candidate.objects.prefetch_related("predictions__system")
            if {each.system.name for each in candidate.predictions.all()} == {"NQ_EMDR2"}
        }
        opened = set(Candidate.objects.filter(state=State.OPEN))
        assert len(opened) > 50
        assert opened == unshared


def beginning(path: Path, folder: Path) -> Path:
    """Copy the first 500 rows: enough for every case, and fast."""
    copy = folder / path.name
    copy.write_text(
        "".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:500]), encoding="utf-8"
    )
    return copy


def import_paths(project: Project, paths: list[Path]) -> DataImport:
    files = {path.name: path.read_bytes() for path in paths}
    data_import = upload_to(project, files=files)
    uploads.check_import(import_id=data_import.pk)
    return applying.confirm_import(data_import=data_import, in_background=False)


class TestVotes:
    ROWS = ("1\tq\tParis\tYes\tYes\tYes\t", "1\tq\tparis\tNo\tNo\tYes\tNo", "1\tq\tParis\tNo\tNo\tNo\t")

    def test_each_row_is_an_answer_as_typed_in_the_order_of_the_file(self, project: Project) -> None:
        data_import = import_into(project, files=votes(*self.ROWS))
        assert data_import.counts == {
            "questions": 1,
            "raters": 3,
            "votes": 7,
            "answers": 3,
            "answers_to_judge": 0,
        }
        rows = Candidate.objects.order_by("position").values_list("text", "duplicate", "state")
        assert list(rows) == [
            ("Paris", 0, State.DECIDED),
            ("paris", 1, State.DECIDED),
            ("Paris", 2, State.DECIDED),
        ]
        labels = Judgment.objects.filter(state="counted").order_by("candidate__position", "slot")
        assert list(labels.values_list("label", flat=True)) == [
            *("correct", "correct", "incorrect", "correct", "incorrect", "incorrect", "incorrect")
        ]

    def test_rows_that_their_votes_leave_open_are_to_judge(self, project: Project) -> None:
        rows = ("1\tq\ta\tYes\tYes\tYes\t", "2\tr\tb\tYes\tYes\tNo\t", "3\ts\tc\tYes\tYes\t\t")
        made = import_into(project, files=votes(*rows))
        assert made.counts["answers_to_judge"] == 2
        decided = Candidate.objects.filter(state=State.DECIDED)
        assert [candidate.text for candidate in decided] == ["a"]

    def test_rows_can_be_pooled_like_answers(self, project: Project) -> None:
        data_import = import_into(project, files=votes(*self.ROWS), keep_duplicate_rows="no")
        assert [problem["code"] for problem in data_import.problems] == ["repeated_row"] * 2
        assert Candidate.objects.get().state == State.DECIDED

    def test_votes_fall_on_answers_that_are_there(self, exact: Project) -> None:
        import_into(exact, files={"a.jsonl": outputs(q="Paris", r="Rome")})
        import_into(exact, files=votes(*self.ROWS[:1]))
        assert set(Candidate.objects.values_list("text", "state")) == {
            ("Paris", State.DECIDED),
            ("Rome", State.OPEN),
        }

    def test_predictions_are_linked_to_rows_and_open_nothing(self, project: Project) -> None:
        import_into(project, files=votes(*self.ROWS))
        files = {"a.jsonl": outputs(q="Paris"), "b.jsonl": outputs(q="PARIS"), "c.jsonl": outputs(q="Paris!")}
        data_import = upload_to(project, files=files, candidates="votes")
        assert data_import.counts["answers_to_judge"] == 0
        applying.confirm_import(data_import=data_import)
        linked = Prediction.objects.order_by("system__name").values_list(
            "candidate__text", "candidate__state", "candidate__is_judgeable"
        )
        assert list(linked) == [
            ("Paris", State.DECIDED, True),
            ("Paris", State.DECIDED, True),
            ("Paris!", State.UNASKED, False),
        ]

    def test_an_unknown_word_for_a_label_refuses_the_file(self, project: Project) -> None:
        data_import = upload_to(project, files=votes("1\tq\ta\tYes\tperhaps\tYes\t"))
        assert data_import.state == DataImport.State.REFUSED

    @pytest.mark.parametrize(
        ("row", "said"),
        [
            ("1\tq\ta\tYes\tYes\tNo\tNo", "“Correct,” but its votes lead to “Incorrect”"),
            ("1\tq\ta\tYes\tYes\tNo\t", "“Correct,” but its votes lead to no label yet"),
            ("1\tq\ta\tPerhaps\tYes\tYes\t", "“Perhaps,” but its votes lead to “Correct”"),
        ],
    )
    def test_a_row_whose_own_label_is_not_what_its_votes_come_to_is_named(
        self, project: Project, row: str, said: str
    ) -> None:
        data_import = upload_to(project, files=votes("1\tq\tb\tNo\tNo\tNo\tYes", row))
        assert data_import.state == DataImport.State.READY
        (problem,) = data_import.problems
        assert (problem["file"], problem["line"], problem["column"]) == (
            "NQ301_human.tsv",
            3,
            "Acceptable?",
        )
        assert (problem["severity"], problem["code"]) == ("warning", "label_differs")
        assert said in problem["message"]

    @pytest.mark.parametrize("row", ["1\tq\ta\t\tYes\tYes\t", "1\tq\ta\tyes\tYes\t\tYes"])
    def test_a_row_that_says_nothing_else_than_its_votes_is_not_named(
        self, project: Project, row: str
    ) -> None:
        assert upload_to(project, files=votes(row)).problems == []

    def test_in_a_row_that_was_named_the_votes_count(self, project: Project) -> None:
        import_into(project, files=votes("1\tq\ta\tYes\tYes\tNo\tNo"))
        assert Decision.objects.get().label == "incorrect"

    def test_no_released_row_says_anything_else_than_its_votes(
        self, project: Project, data_folder: Path
    ) -> None:
        path = data_folder / "openqa-eval" / "NQ301_human.tsv"
        rows = openqa_votes.read(Source(path.name, path), {})
        records = [row for row in rows if isinstance(row, VoteRecord)]
        assert len(records) == 1490
        assert find_label_conflicts(project=project, records=records) == []

    def test_undoing_takes_votes_and_decisions_back(self, project: Project) -> None:
        applying.undo_import(data_import=import_into(project, files=votes(*self.ROWS)))
        assert not Judgment.objects.exists()
        assert not Question.objects.exists()

    def test_undoing_leaves_open_what_another_import_brought(self, exact: Project) -> None:
        import_into(exact, files={"a.jsonl": outputs(q="Paris")})
        applying.undo_import(data_import=import_into(exact, files=votes(*self.ROWS[:1])))
        candidate = Candidate.objects.get()
        assert (candidate.state, candidate.wanted, candidate.taken) == (State.OPEN, 2, 0)


class TestVerdicts:
    def test_they_find_their_answers_in_altered_rows(self, project: Project) -> None:
        # Trap 3: one answer became a date, another lost a space.
        import_into(project, files=votes("1\tq\t558\tYes\tYes\tYes\t", "1\tq\t20%\tNo\tNo\tNo\t"))
        rows = "1\tq\tJuly 11 1901\tYes\tYes.\n1\tq\t20%\t\tI cannot say.\n"
        data_import = import_into(project, files={"NQ301_gpt-4.tsv": VERDICTS + rows})
        assert data_import.counts == {"verdicts": 2, "verdicts_matched": 2}
        said = Verdict.objects.order_by("candidate__position").values_list("candidate__text", "accepted")
        assert list(said) == [("558", True), ("20%", None)]
        assert Verdict.objects.first().run.judge_key == "recorded:gpt-4"

    def test_a_missing_tab_is_mended_with_the_projects_questions(self, project: Project) -> None:
        # Trap 1.
        import_into(project, files=votes("1\twho is it\tMe\tYes\tYes\tYes\t"))
        import_into(project, files={"d.tsv": VERDICTS + "1\twho is itMe\tNo\tNo.\n"})
        assert Verdict.objects.get().accepted is False

    def test_a_file_about_other_answers_is_refused(self, project: Project) -> None:
        import_into(project, files=votes("1\tq\ta\tYes\tYes\tYes\t"))
        data_import = upload_to(project, files={"d.tsv": VERDICTS + "1\tr\tb\tNo\tNo.\n"})
        assert data_import.state == DataImport.State.REFUSED
        assert {problem["code"] for problem in data_import.problems} == {"nothing_matches", "unmatched_row"}

    def test_undoing_takes_them_back(self, project: Project) -> None:
        import_into(project, files=votes("1\tq\ta\tYes\tYes\tYes\t"))
        data_import = import_into(project, files={"d.tsv": VERDICTS + "1\tq\ta\tNo\tNo.\n"})
        applying.undo_import(data_import=data_import)
        assert not Verdict.objects.filter(run__judge_key__startswith="recorded").exists()


class TestMemberVotes:
    def test_a_votes_file_whose_answers_somebody_decided_stays(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        data_import = import_into(project, files=votes("1\tq\ta\tYes\tYes\tNo\tNo"))
        decide_all(project)
        with pytest.raises(Exception, match="you cannot undo this import"):
            applying.undo_import(data_import=data_import)
        data_import.refresh_from_db()
        assert data_import.state == DataImport.State.APPLIED


class TestOrderOfVotesAndOutputs:
    """Outputs and recorded votes come to one study, whichever is imported first."""

    def test_a_row_claims_the_answer_it_is_pooled_with(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": outputs(q="Abraham")})
        made = import_into(project, files=votes("1\tq\tabraham\tYes\tYes\tYes\t"))
        assert made.counts == {"raters": 3, "votes": 2, "answers_known": 1}
        assert study_of(project) == [("q", "abraham", State.DECIDED, "correct", ("a",))]

    def test_an_answer_is_left_for_the_row_of_its_very_text(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": outputs(q="Abraham")})
        rows = ("1\tq\tabraham\tNo\tNo\tNo\t", "1\tq\tAbraham\tYes\tYes\tYes\t")
        made = import_into(project, files=votes(*rows))
        assert (made.counts["answers_known"], made.counts["answers"]) == (1, 1)
        assert set(
            Candidate.objects.values_list("text", "decisions__label", "predictions__system__name")
        ) == {
            ("Abraham", "correct", "a"),
            ("abraham", "incorrect", None),
        }

    def test_it_is_left_though_other_rows_stand_between(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": outputs(q="Abraham")})
        between = [f"1\tq{number}\tx\tNo\tNo\tNo\t" for number in range(LARGEST)]
        rows = ("1\tq\tabraham\tNo\tNo\tNo\t", *between, "1\tq\tAbraham\tYes\tYes\tYes\t")
        import_into(project, files=votes(*rows))
        assert Prediction.objects.get().candidate.decisions.get().label == "correct"

    def test_rows_that_are_equal_stay_two_answers(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": outputs(q="Abraham")})
        made = import_into(project, files=votes(*["1\tq\tabraham\tNo\tNo\tNo\t"] * 2))
        assert (made.counts["answers_known"], made.counts["answers"]) == (1, 1)
        assert Candidate.objects.filter(state=State.DECIDED).count() == 2

    def test_a_further_file_claims_nothing_that_a_file_has_votes_on(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": outputs(q="Abraham")})
        import_into(project, files=votes("1\tq\tabraham\tNo\tNo\tNo\t"))
        made = import_into(project, files=votes("1\tq\tABRAHAM\tYes\tYes\tYes\t"))
        assert made.counts["answers"] == 1
        assert "answers_known" not in made.counts
        assert Prediction.objects.get().candidate.decisions.get().label == "incorrect"

    def test_the_same_file_once_more_brings_nothing(self, project: Project) -> None:
        rows = votes(*["1\tq\tabraham\tNo\tNo\tNo\t"] * 2)
        import_into(project, files={"a.jsonl": outputs(q="Abraham")})
        import_into(project, files=rows)
        made = import_into(project, files=rows)
        assert (made.counts["answers_known"], made.counts.get("answers", 0)) == (2, 0)
        assert Candidate.objects.count() == 2

    def test_outputs_are_linked_to_the_row_of_the_first_text_and_stay_together(
        self, project: Project
    ) -> None:
        rows = ("1\tq\tabraham\tNo\tNo\tNo\t", "1\tq\tAbraham\tYes\tYes\tYes\t")
        import_into(project, files=votes(*rows))
        import_into(project, files={"a.jsonl": outputs(q="Abraham")})
        import_into(project, files={"b.jsonl": outputs(q="abraham")})
        assert set(Prediction.objects.values_list("candidate__text", flat=True)) == {"Abraham"}

    @pytest.mark.parametrize("is_shuffled", [False, True], ids=["in order", "shuffled"])
    def test_nq301_is_one_study_in_both_orders(self, data_folder: Path, db: None, is_shuffled: bool) -> None:
        rows, systems = nq301(data_folder / "openqa-eval")
        if is_shuffled:
            Random(301).shuffle(rows)
        human = {"NQ301_human.tsv": "".join([VOTES, *rows])}
        votes_first, outputs_first = make_project(pooling="normalized"), make_project(pooling="normalized")
        import_into(votes_first, files=human)
        import_into(votes_first, files=systems)
        import_into(outputs_first, files=systems)
        before = outputs_first.candidates.count()
        made = import_into(outputs_first, files=human)
        assert study_of(outputs_first) == study_of(votes_first)
        # What was to be expected is what came.
        assert made.counts["answers"] == outputs_first.candidates.count() - before
        assert made.counts["answers_known"] + made.counts["answers"] == len(rows)
        assert import_into(outputs_first, files=human).counts.get("answers", 0) == 0


def nq301(folder: Path, *, rows: int = 320) -> tuple[list[str], dict[str, str]]:
    """Return the first rows of the human file, and what each system answered to their questions."""
    lines = (folder / "NQ301_human.tsv").read_text(encoding="utf-8").splitlines(keepends=True)[1 : rows + 1]
    asked = {question_key(line.split("\t")[1]) for line in lines}
    systems = {}
    for path in sorted((folder / "model_outputs").glob("*.jsonl")):
        said = path.read_text(encoding="utf-8").splitlines(keepends=True)
        systems[path.name] = "".join(
            line for line in said if question_key(json.loads(line)["question"]) in asked
        )
    return lines, systems


def study_of(project: Project) -> list[tuple[str, str, str, str, tuple[str, ...]]]:
    """Return each answer as pooled, with its state, what was decided, and the systems that gave it."""
    candidates = project.candidates.select_related("question").prefetch_related(
        "predictions__system", "decisions"
    )
    return sorted(
        (
            each.question.key,
            normalize_answer(each.text) or each.text,
            each.state,
            "".join(decision.label for decision in each.decisions.all()),
            tuple(sorted(prediction.system.name for prediction in each.predictions.all())),
        )
        for each in candidates
    )
