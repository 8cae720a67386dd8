"""Resampled figures against what the counts themselves say, SciPy, and properties."""

import numpy as np
import pytest
from scipy.stats import bootstrap
from statsmodels.stats.proportion import proportion_confint

from analysis.arrays import Floats
from analysis.classification import (
    FALSE_NEGATIVE,
    FALSE_POSITIVE,
    TRUE_NEGATIVE,
    TRUE_POSITIVE,
    UNSCORED,
    count_codes,
)
from analysis.intervals import Interval, Undefined, Why
from judges.comparison.rules.judge_board.beside_people import (
    COEFFICIENTS,
    FIGURES,
    SHARES,
    _cells,
    bound_figures,
    count_cells,
    figure_of,
    human_errs,
    multiple_of,
    stand_beside,
)

NOBODY: frozenset[str] = frozenset()


def draw(seed: int, *, questions: int = 60, answers: int = 4) -> Floats:
    codes = np.random.default_rng(seed).integers(0, 5, questions * answers)
    numbers = np.repeat(np.arange(questions), answers)
    return count_cells(codes=codes, questions=numbers, question_count=questions)


class TestCountCells:
    def test_a_row_a_question(self) -> None:
        codes = np.array([TRUE_POSITIVE, TRUE_POSITIVE, FALSE_NEGATIVE])
        found = count_cells(codes=codes, questions=np.array([0, 2, 2]), question_count=3)
        assert found.sum(axis=1).tolist() == [1, 0, 2]
        assert found[:, TRUE_POSITIVE].tolist() == [1, 0, 1]


class TestFigures:
    def test_of_the_whole_they_are_those_of_the_counts(self) -> None:
        codes = np.random.default_rng(3).integers(0, 5, 400)
        cells = _cells(np.bincount(codes, minlength=5).astype(float))
        expected = stand_beside(count_codes(codes)).figures
        for name in expected:
            assert float(figure_of(cells, name)) == pytest.approx(expected[name]), name

    def test_shares_and_errors_are_counts_divided(self) -> None:
        counts = np.zeros(5)
        counts[[TRUE_POSITIVE, FALSE_NEGATIVE, FALSE_POSITIVE, TRUE_NEGATIVE, UNSCORED]] = 6, 2, 3, 1, 4
        expected = {
            "tp_share": 6 / 16, "fn_share": 2 / 16, "fp_share": 3 / 16, "tn_share": 1 / 16,
            "unscored_share": 4 / 16, "coverage": 12 / 16, "rejects_right": 2 / 8, "accepts_wrong": 3 / 4,
            "accepted_share": 9 / 12, "correct_share": 8 / 12,
        }  # fmt: skip
        for name, value in expected.items():
            assert float(figure_of(_cells(counts), name)) == pytest.approx(value), name

    def test_bias_is_what_it_accepts_beyond_what_people_accept(self) -> None:
        counts = np.zeros(5)
        counts[[TRUE_POSITIVE, FALSE_NEGATIVE, FALSE_POSITIVE, TRUE_NEGATIVE]] = 5, 1, 3, 1
        # It accepts 8 of 10, people 6.
        assert float(figure_of(_cells(counts), "bias")) == pytest.approx(0.2)


class TestBoundFigures:
    def test_scipy_finds_the_same_interval(self) -> None:
        counts = draw(1)
        found = bound_figures({"a": counts}, people=NOBODY, pooled="")["a"]["accuracy_all"]
        right = counts[:, TRUE_POSITIVE] + counts[:, TRUE_NEGATIVE]
        expected = bootstrap(
            (right, counts.sum(axis=1)),
            lambda hits, rows, axis: hits.sum(axis=axis) / rows.sum(axis=axis),
            paired=True, method="percentile", n_resamples=9_999, rng=4,
        )  # fmt: skip
        assert found == pytest.approx(tuple(expected.confidence_interval), abs=0.012)

    def test_each_figure_lies_in_its_interval(self) -> None:
        counts = draw(2)
        whole = _cells(counts.sum(axis=0))
        found = bound_figures({"a": counts}, people=NOBODY, pooled="")["a"]
        for name in FIGURES:
            bounds = found[name]
            assert isinstance(bounds, Interval)
            assert bounds.low <= float(figure_of(whole, name)) <= bounds.high

    def test_another_human_is_once_another_human_and_needs_no_interval(self) -> None:
        found = bound_figures({"h": draw(5)}, people=frozenset({"h"}), pooled="h")["h"]["error_multiple"]
        assert found == Undefined(Why.ITSELF)

    def test_none_and_all_have_the_exact_interval_over_questions(self) -> None:
        # Two answers to each of 40 questions; people accept one of each two, the judge neither.
        counts = np.zeros((40, 5))
        counts[:, [FALSE_NEGATIVE, TRUE_NEGATIVE]] = 1
        counts[:10, UNSCORED] = 1
        found = bound_figures({"a": counts}, people=NOBODY, pooled="")["a"]
        none = proportion_confint(0, 40, method="beta")
        for name in ("recall", "accepts_wrong", "tp_share", "fp_share", "accepted_share"):
            assert found[name] == pytest.approx(none), name
        assert found["rejects_right"] == pytest.approx(proportion_confint(40, 40, method="beta"))
        assert isinstance(found["precision"], Undefined)

    def test_no_figure_has_an_interval_without_width(self) -> None:
        # One kind of answer alone: every figure is the same in every resample.
        for code in range(5):
            counts = np.zeros((30, 5))
            counts[:, code] = 2
            found = bound_figures({"a": counts}, people=NOBODY, pooled="a")["a"]
            for name in SHARES:
                bounds = found[name]
                assert isinstance(bounds, Undefined) or bounds.high - bounds.low > 0.1, name
            assert all(isinstance(found[name], Undefined) for name in COEFFICIENTS)

    def test_a_coefficient_that_never_varies_says_so(self) -> None:
        counts = np.zeros((30, 5))
        counts[:, [TRUE_POSITIVE, TRUE_NEGATIVE]] = 1
        found = bound_figures({"a": counts, "h": draw(3, questions=30)}, people=NOBODY, pooled="h")["a"]
        for name in (*COEFFICIENTS, "error_multiple"):
            assert found[name] == Undefined(Why.NEVER_VARIES), name

    def test_without_raters_there_is_no_multiple(self) -> None:
        found = bound_figures({"a": draw(5)}, people=NOBODY, pooled="h")["a"]
        assert found["error_multiple"] == Undefined(Why.NO_HUMAN)

    def test_one_question_is_too_few(self) -> None:
        found = bound_figures({"a": draw(1, questions=1)}, people=NOBODY, pooled="")["a"]
        assert set(found.values()) == {Undefined(Why.TOO_FEW_QUESTIONS)}

    def test_a_judge_of_one_question_among_judges_of_many_has_no_interval(self) -> None:
        narrow = np.zeros((60, 5))
        narrow[7, TRUE_POSITIVE] = 3
        found = bound_figures({"a": draw(1), "b": narrow}, people=NOBODY, pooled="")
        assert found["b"]["accuracy_all"] == Undefined(Why.TOO_FEW_QUESTIONS)
        assert isinstance(found["a"]["accuracy_all"], Interval)

    def test_no_judges_have_no_intervals(self) -> None:
        assert bound_figures({}, people=NOBODY, pooled="") == {}


class TestMultipleOf:
    def test_by_hand(self) -> None:
        # EVOUNA: GPT-4 errs on 19.3% where another human errs on 3.86%.
        assert multiple_of(0.193, 0.0386) == pytest.approx(5.0)

    def test_raters_who_never_differ_are_no_unit(self) -> None:
        assert multiple_of(0.1, 0.0) == Undefined(Why.HUMAN_NEVER_ERRS)
        assert multiple_of(0.1, None) == Undefined(Why.NO_HUMAN)

    def test_a_vote_without_another_is_no_error(self) -> None:
        counts = count_codes(np.array([TRUE_POSITIVE, FALSE_POSITIVE, 4, 4]))
        assert human_errs(counts) == 0.5
