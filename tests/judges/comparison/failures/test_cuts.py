"""What each board counts, by hand: six answers to four questions, two judges, two systems, two tags."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.intervals import Figure, Why
from analysis.sampling import NEVER_DRAWN
from judges.comparison.rules.failures import (
    Answers,
    Bands,
    Board,
    BoardLine,
    Cut,
    Given,
    JudgeSaid,
    SystemGave,
    Tagged,
    cut_by_credit,
    cut_errors,
    cut_lengths,
    cut_misses,
    cut_repairs,
    cut_unattributable,
    cut_wrong,
    measure_cut,
    usual_bands,
)

A, P, R = 2, 1, 0
ROWS = (BoardLine("x", "X"), BoardLine("y", "Y"))


def flags(text: str) -> Any:
    return np.array([letter == "x" for letter in text], dtype=bool)


def make_answers(worth: list[int], question: list[int]) -> Answers:
    return Answers(np.array(question, np.int64), np.array(worth, np.int8), np.ones(len(worth), bool))


def make_tagged(
    *, x: str, y: str, cells: list[int] | None = None, said: list[int] | None = None, marked: str = ""
) -> Tagged:
    size = len(x)
    tags = (flags(x), flags(y))
    is_marked = flags(marked or "." * size)
    return Tagged(
        rows=ROWS,
        is_tagged=tags[0] | tags[1] | is_marked,
        tags=tags,
        cells=np.array(cells or [0] * size, np.int64),
        said=np.array(said or [-2] * size, np.int8),
        is_marked=is_marked,
    )


def judge(key: str, verdict: list[int]) -> JudgeSaid:
    return JudgeSaid(key, key.title(), np.array(verdict, np.int8))


# People accept four of six; Exact rejects three of these, Bem two and cannot judge one wrong answer.
ANSWERS = make_answers([A, A, A, R, R, A], [0, 0, 1, 2, 3, 3])
EXACT = judge("exact", [0, 0, 1, 0, 1, 0])
BEM = judge("bem", [1, 0, 0, 1, -1, 1])
ALPHA = SystemGave("alpha", "Alpha", flags("x.xxx."))
BETA = SystemGave("beta", "Beta", flags(".x.x.x"))


def counts(cut: Cut) -> dict[tuple[str, str], tuple[int, int]]:
    board = measure_cut(cut)
    return {(cell.row, cell.column): (cell.items, cell.of) for cell in board.cells}


def shares(board: Board) -> dict[tuple[str, str], Any]:
    return {(cell.row, cell.column): cell.share.value for cell in board.cells}


def rates(board: Board) -> dict[str, tuple[int, int]]:
    return {column.key: (column.rated, column.base) for column in board.columns}


class TestMisses:
    tagged = make_tagged(x="x.x..x", y=".x....")

    def test_tags_share_out_what_people_accept_and_a_judge_rejects(self) -> None:
        cut = cut_misses(ANSWERS, self.tagged, [EXACT, BEM])
        # Exact misses answers 0, 1 and 5, Bem 1 and 2.
        assert counts(cut) == {
            ("x", "exact"): (2, 3),
            ("y", "exact"): (1, 3),
            ("x", "bem"): (1, 2),
            ("y", "bem"): (1, 2),
        }
        assert rates(measure_cut(cut)) == {"exact": (3, 4), "bem": (2, 4)}

    def test_a_sample_stands_for_what_was_drawn_like_it(self) -> None:
        # Nine misses of three kinds: of four two tagged, of four one, and one that no round could draw.
        size = 9
        answers = make_answers([A] * size, list(range(size)))
        cells = [0, 0, 0, 0, 1, 1, 1, 1, NEVER_DRAWN]
        tagged = make_tagged(x="x...x....", y=".x.......", cells=cells)
        board = measure_cut(cut_misses(answers, tagged, [judge("exact", [0] * size)]))
        # X: 2 + 4 of the 8 stood for; unweighted it would be two of three, too, were the cells alike.
        assert shares(board) == {("x", "exact"): pytest.approx(6 / 8), ("y", "exact"): pytest.approx(2 / 8)}
        (column,) = board.columns
        assert (column.total, column.tagged, column.stands_for) == (9, 3, 8)

    def test_without_a_tagged_miss_there_is_no_share_and_a_rate_all_the_same(self) -> None:
        board = measure_cut(cut_misses(ANSWERS, make_tagged(x="..x...", y="......"), [EXACT]))
        assert {cell.share for cell in board.cells} == {Figure(None, why=Why.NOTHING_SAMPLED)}
        assert board.columns[0].rate.value == 0.75

    def test_behind_a_cell_are_its_tagged_answers_and_behind_a_column_all_its_misses(self) -> None:
        cut = cut_misses(ANSWERS, self.tagged, [EXACT, BEM])
        assert np.flatnonzero(cut.behind(0, 0)).tolist() == [0, 5]
        assert np.flatnonzero(cut.behind(None, 1)).tolist() == [1, 2]


class TestRepairs:
    def test_of_a_baselines_misses_with_a_tag_how_many_a_judge_accepts(self) -> None:
        tagged = make_tagged(x="x.x..x", y=".x...x")
        cut = cut_repairs(ANSWERS, tagged, [BEM], baseline=EXACT)
        assert counts(cut) == {("x", "bem"): (2, 2), ("y", "bem"): (1, 2)}
        assert rates(measure_cut(cut)) == {"bem": (2, 3)}

    def test_what_a_judge_did_not_score_is_neither_repaired_nor_missed(self) -> None:
        tagged = make_tagged(x="xx...x", y="......")
        cut = cut_repairs(ANSWERS, tagged, [judge("llm", [-1, 1, 1, 1, 1, -2])], baseline=EXACT)
        assert counts(cut)["x", "llm"] == (1, 1)


class TestWrong:
    def test_shares_are_of_all_answers_and_add_up_to_the_error_rate(self) -> None:
        # Alpha gave 0, 2, 3, 4 of which 3 and 4 are wrong; Beta 1, 3, 5 of which 3 is.
        board = measure_cut(cut_wrong(ANSWERS, make_tagged(x="...x..", y="....x."), [ALPHA, BETA]))
        assert shares(board) == {
            ("x", "alpha"): 0.25,
            ("y", "alpha"): 0.25,
            ("x", "beta"): pytest.approx(1 / 3),
            ("y", "beta"): 0,
        }
        assert rates(board) == {"alpha": (2, 4), "beta": (1, 3)}

    def test_what_nobody_tagged_is_left_open(self) -> None:
        tagged = make_tagged(x="...x..", y="......", cells=[0, 0, 0, 0, 1, 0])
        (alpha,) = measure_cut(cut_wrong(ANSWERS, tagged, [ALPHA])).columns
        assert (alpha.total, alpha.stands_for) == (2, 1)

    @settings(max_examples=40)
    @given(st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.integers(0, 1)), min_size=1, max_size=25))
    def test_with_one_tag_an_answer_shares_never_pass_the_error_rate(
        self, drawn: list[tuple[int, bool, int]]
    ) -> None:
        worth = [row[0] for row in drawn]
        x = "".join("x" if is_tagged else "." for _, is_tagged, _ in drawn)
        tagged = make_tagged(x=x, y="." * len(x), cells=[row[2] for row in drawn])
        everything = SystemGave("s", "S", np.ones(len(x), bool))
        board = measure_cut(cut_wrong(make_answers(worth, list(range(len(x)))), tagged, [everything]))
        (column,) = board.columns
        total = sum(value or 0.0 for value in shares(board).values())
        assert total == pytest.approx(column.stands_for / column.base)
        assert column.stands_for <= column.total

    def test_columns_in_another_order_say_the_same(self) -> None:
        tagged = make_tagged(x="...x..", y="....x.")
        one = measure_cut(cut_wrong(ANSWERS, tagged, [ALPHA, BETA]))
        other = measure_cut(cut_wrong(ANSWERS, tagged, [BETA, ALPHA]))
        assert shares(one) == shares(other)
        assert {column.key: column for column in one.columns} == {c.key: c for c in other.columns}


class TestErrors:
    def test_shares_are_of_the_judges_errors_with_each_system(self) -> None:
        # Exact errs on 0, 1, 4, 5: with Alpha on 0 and 4 of 4, with Beta on 1 and 5 of 3.
        tagged = make_tagged(x="x...xx", y="xx....", said=[0, 0, -2, -2, 1, 0])
        cut = cut_errors(ANSWERS, tagged, [ALPHA, BETA], judge=EXACT)
        assert counts(cut) == {
            ("x", "alpha"): (2, 2),
            ("y", "alpha"): (1, 2),
            ("x", "beta"): (1, 2),
            ("y", "beta"): (1, 2),
        }
        assert rates(measure_cut(cut)) == {"alpha": (2, 4), "beta": (2, 3)}

    def test_a_tag_about_a_verdict_that_is_no_more_counts_as_none(self) -> None:
        tagged = make_tagged(x="x...x.", y="......", said=[0, -2, -2, -2, 0, -2])
        assert counts(cut_errors(ANSWERS, tagged, [ALPHA], judge=EXACT))["x", "alpha"] == (1, 1)


class TestUnattributable:
    def test_of_wrong_answers_with_and_without_the_mark_how_many_are_accepted(self) -> None:
        answers = make_answers([R, R, R, R, A], [0, 1, 2, 3, 4])
        tagged = make_tagged(x="x..x.", y=".....", marked="xxx.x")
        cut = cut_unattributable(answers, tagged, [judge("llm", [1, 0, -1, 1, 1])])
        assert counts(cut) == {("unattributable", "llm"): (1, 2), ("other", "llm"): (1, 1)}
        assert rates(measure_cut(cut)) == {"llm": (2, 3)}


class TestByCredit:
    # Question 0 has two definitely correct answers, question 1 one, and a possibly correct one.
    answers = make_answers([A, A, A, P, R, A], [0, 0, 1, 1, 2, 3])
    beyond = flags("xxxxx.")

    def test_a_question_counts_once_with_all_its_tags(self) -> None:
        tagged = make_tagged(x="x.xx..", y=".x....")
        cut = cut_by_credit(self.answers, tagged, beyond=self.beyond, has_possible=True)
        assert counts(cut) == {
            ("x", "definitely"): (2, 2),
            ("y", "definitely"): (1, 2),
            ("x", "possibly"): (1, 1),
            ("y", "possibly"): (0, 1),
        }
        # Of four questions; question 3 has a correct answer that equals a gold one.
        assert rates(measure_cut(cut)) == {"definitely": (2, 4), "possibly": (1, 4)}
        assert np.flatnonzero(cut.behind(0, 0)).tolist() == [0, 2]
        assert np.flatnonzero(cut.behind(None, 0)).tolist() == [0, 1, 2]

    def test_without_labels_between_there_is_one_column(self) -> None:
        tagged = make_tagged(x="x.....", y="......")
        cut = cut_by_credit(self.answers, tagged, beyond=self.beyond, has_possible=False)
        assert [column.name for column in cut.columns] == ["Correct"]
        (column,) = measure_cut(cut).columns
        assert (column.total, column.tagged) == (2, 1)


class TestLengths:
    def test_an_answer_counts_once_for_each_system_that_gave_it(self) -> None:
        # Answer 0 (Exact errs) was given twice, once with a word more; answer 2 (right) once.
        given = Given(
            candidate=np.array([0, 0, 2]),
            question=np.array([0, 0, 1]),
            words=np.array([1, 2, 36]),
            counted=np.ones(3, bool),
        )
        cut = cut_lengths(given, [EXACT], worth=ANSWERS.worth, bands=Bands.NARROW)
        found = {row: value for (row, _), value in counts(cut).items() if value[1]}
        assert found == {"0-1": (0, 1), "2-2": (0, 1), "36-": (1, 1)}
        assert np.flatnonzero(cut.behind(0, 0)).tolist() == [0]
        assert [row.name for row in cut.rows] == [
            "1 word",
            "2 words",
            "3 to 5 words",
            "6 to 15 words",
            "16 to 35 words",
            "36 words or more",
        ]

    @pytest.mark.parametrize(("long", "bands"), [(1, Bands.NARROW), (5, Bands.WIDE)])
    def test_classes_follow_how_many_answers_are_long(self, long: int, bands: Bands) -> None:
        words = np.array([36] * long + [3] * (100 - long))
        rows = np.zeros(100, np.int64)
        assert usual_bands(Given(rows, rows, words, np.ones(100, bool))) is bands
        assert usual_bands(Given(rows, rows, words, np.zeros(100, bool))) is Bands.NARROW


class TestNothing:
    def test_a_study_without_answers_has_empty_boards(self) -> None:
        nothing = make_answers([], [])
        tagged = make_tagged(x="", y="")
        for cut in (
            cut_misses(nothing, tagged, [judge("exact", [])]),
            cut_by_credit(nothing, tagged, beyond=np.zeros(0, bool), has_possible=True),
        ):
            board = measure_cut(cut)
            assert all(column.rate.value is None for column in board.columns)
