import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.projects.presets import find_preset
from annotation.projects.rules import Protocol
from annotation.release.rules import (
    CastVote,
    LeftOut,
    ReleasedAnswer,
    ReleasedDecision,
    ReleasedQuestion,
    VoteColumns,
    csv_lines,
    efficientqa_line,
    equal_additions,
    gold_line,
    neutralize,
    openqa_rows,
    restore,
    tsv_lines,
    vote_columns,
    wide_rows,
)
from tests.faults.arena import PROJECT_FOLDER

# The same cells are asked of the tables that pages make (frontend/src/lib/csv.test.ts).
CELLS = json.loads((PROJECT_FOLDER / "frontend/src/test/spreadsheet-cells.json").read_text(encoding="utf-8"))
SIGNS = "=+-@＝＋－＠\t\r\n"
cells = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
formulas = st.builds(
    str.__add__, st.sampled_from(["", "'", "''"]), st.sampled_from([*SIGNS, *CELLS["formulas"], "a"])
)


def protocol(key: str) -> Protocol:
    preset = find_preset(key)
    assert preset is not None
    return preset.protocol


class TestNeutralize:
    @pytest.mark.parametrize("cell", CELLS["formulas"])
    def test_a_formula_gets_an_apostrophe(self, cell: str) -> None:
        assert neutralize(cell) == f"'{cell}"

    @pytest.mark.parametrize("cell", CELLS["texts"])
    def test_other_text_stays(self, cell: str) -> None:
        assert neutralize(cell) == cell

    @given(cells | formulas)
    def test_it_can_be_taken_back_exactly(self, cell: str) -> None:
        assert restore(neutralize(cell)) == cell

    @given(st.lists(st.lists(cells | formulas, min_size=2, max_size=2), max_size=4))
    def test_no_cell_of_a_csv_file_is_a_formula(self, rows: list[list[str]]) -> None:
        read = list(csv.reader(io.StringIO("".join(csv_lines(rows)), newline="")))
        assert not any(cell[0] in SIGNS for row in read for cell in row if cell)
        assert [[restore(cell) for cell in row] for row in read] == rows

    @given(st.lists(st.lists(cells, min_size=2, max_size=2), max_size=4))
    def test_tab_separated_cells_stay_exactly_as_they_are(self, rows: list[list[str]]) -> None:
        assert list(csv.reader(io.StringIO("".join(tsv_lines(rows)), newline=""), delimiter="\t")) == rows


class TestVoteColumns:
    def test_a_blank_of_the_first_round_stays_a_blank(self) -> None:
        votes = [CastVote("first", 1, 1, "y"), CastVote("replacement", 2, 2, "n")]
        assert vote_columns(votes, 2).all == ("y", "", "n")

    def test_tie_breaks_and_surplus_follow(self) -> None:
        votes = [
            CastVote("tie_break", 0, 4, "s"),
            CastVote("tie_break", 3, 3, "t"),
            CastVote("first", 2, 2, "n"),
            CastVote("first", 1, 1, "y"),
        ]
        assert vote_columns(votes, 2).all == ("y", "n", "t", "s")

    def test_no_vote_is_lost_when_two_had_the_same_slot(self) -> None:
        votes = [CastVote("first", 1, 1, "y"), CastVote("first", 1, 2, "n")]
        assert vote_columns(votes, 2).all == ("y", "", "n")


class TestEfficientqaLine:
    question = ReleasedQuestion(
        id="1",
        text="q",
        gold=("a", "b"),
        amended=("b", "c"),
        decided=(
            ReleasedDecision("c", "definitely_correct"),
            ReleasedDecision("b", "definitely_correct"),
            ReleasedDecision("a", "definitely_incorrect"),
            ReleasedDecision("d", "possibly_correct"),
            ReleasedDecision("c", "definitely_correct"),
        ),
    )

    def test_six_keys_in_their_order(self) -> None:
        line = json.loads(efficientqa_line(self.question, protocol=protocol("efficientqa")))
        assert list(line) == [
            "question",
            "answer",
            "def_correct_predictions",
            "poss_correct_predictions",
            "def_incorrect_predictions",
            "answer_and_def_correct_predictions",
        ]

    def test_rejected_gold_stays_and_the_last_list_is_the_first_two_joined(self) -> None:
        line = json.loads(efficientqa_line(self.question, protocol=protocol("efficientqa")))
        assert list(line.values()) == ["q", ["a", "b"], ["c"], ["d"], ["a"], ["a", "b", "c"]]

    def test_nothing_judged_gives_empty_lists(self) -> None:
        bare = ReleasedQuestion(id="1", text="q", gold=(), amended=(), decided=())
        line = json.loads(efficientqa_line(bare, protocol=protocol("efficientqa")))
        assert list(line.values()) == ["q", [], [], [], [], []]

    def test_lists_that_were_imported_come_out_as_they_went_in(self) -> None:
        twice = tuple(ReleasedDecision(text, "definitely_correct", is_listed=True) for text in "cac")
        line = json.loads(
            efficientqa_line(self.question._replace(decided=twice), protocol=protocol("efficientqa"))
        )
        assert line["def_correct_predictions"] == ["c", "a", "c"]
        assert line["answer_and_def_correct_predictions"] == ["a", "b", "c", "a", "c"]


class TestGoldLine:
    def test_rejected_gold_is_gone(self) -> None:
        line = json.loads(gold_line(TestEfficientqaLine.question))
        assert line == {"id": "1", "question": "q", "answer": ["b", "c"]}

    def test_an_added_answer_that_exact_match_holds_equal_is_left_out(self) -> None:
        question = TestEfficientqaLine.question._replace(
            gold=("The Lyon", "lyon"), amended=("The Lyon", "lyon", "Lyon.", "Nice", "nice")
        )
        # What came with the files stays as it came.
        assert json.loads(gold_line(question))["answer"] == ["The Lyon", "lyon", "Nice"]
        assert equal_additions(question) == LeftOut(equal_to_gold=1, equal_to_addition=1)

    def test_an_added_answer_stays_where_its_equal_was_rejected_or_is_a_pattern(self) -> None:
        question = TestEfficientqaLine.question._replace(
            gold=("Lyon", "nice"), amended=("nice", "lyon", "Nice"), patterns=frozenset({"nice"})
        )
        assert json.loads(gold_line(question))["answer"] == ["lyon", "Nice"]


class TestRows:
    three = ("correct", "incorrect", "correct")
    answers = (
        ReleasedAnswer("i1", "1", "q", "a", "a", VoteColumns(three, three), "correct", "majority"),
        ReleasedAnswer("i2", "1", "q", "b", "**b**", VoteColumns(("correct", ""), ("correct", "")), "", ""),
    )

    votes = tuple(answer.votes for answer in answers)

    @pytest.mark.parametrize(
        ("columns", "counted", "written"),
        [
            # A lead decided what a third rater had in hand: as a column that vote would break the tie.
            (("correct", "incorrect", "incorrect"), ("correct", "incorrect"), ["Yes", "No", ""]),
            # NQ301 has such rows: the first two agree, so that nobody counts the third.
            (("correct", "correct", "incorrect"), ("correct", "correct"), ["Yes", "Yes", "No"]),
            (("correct", "incorrect"), ("", ""), ["", "", ""]),
        ],
    )
    def test_openqa_files_leave_out_surplus_votes_that_would_count_there(
        self, columns: tuple[str, ...], counted: tuple[str, ...], written: list[str]
    ) -> None:
        votes = VoteColumns(columns, counted)
        answer = self.answers[0]._replace(votes=votes)
        _, row = openqa_rows([answer], votes=[votes], protocol=protocol("openqa-eval"))
        assert row[3:] == ["Yes", *written]

    def test_wide_rows_hold_surplus_votes(self) -> None:
        votes = VoteColumns(self.three, ("correct", "incorrect"))
        _, row = wide_rows([self.answers[0]._replace(votes=votes)], votes=[votes])
        assert row[5:8] == ["correct", "incorrect", "correct"]

    def test_openqa_files_say_yes_and_no(self) -> None:
        header, *rows = openqa_rows(self.answers, votes=self.votes, protocol=protocol("openqa-eval"))
        assert header == [
            "id",
            "Question",
            "Model answer",
            "Acceptable?",
            "annotator1",
            "annotator2",
            "annotator3",
        ]
        assert rows == [["1", "q", "a", "Yes", "Yes", "No", "Yes"], ["1", "q", "b", "", "Yes", "", ""]]

    def test_wide_rows_say_where_the_label_comes_from(self) -> None:
        header, *rows = wide_rows(self.answers, votes=self.votes)
        assert header[3:6] == ["answer", "raw_answer", "annotator1"]
        assert [row[3:5] for row in rows] == [["a", "a"], ["b", "**b**"]]
        assert header[-5:] == ["annotator3", "final", "source", "category", "reason"]
        assert rows[0][-4:] == ["correct", "majority", "", ""]
        assert rows[1][-4:] == ["", "unresolved", "", ""]
