"""A judge's figures beside people against values by hand, scikit-learn and properties."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from analysis.classification import Cells, Confusion
from analysis.intervals import Figure, Interval, Undefined, Why
from judges.comparison.rules.judge_board import beside_people
from judges.comparison.rules.judge_board.beside_people import (
    UNSEEN_ERRORS,
    bound_cells,
    imagine_errors,
    stand_beside,
)
from judges.comparison.selectors.report import figures_json

COUNTS = st.builds(Confusion, *[st.integers(0, 30)] * 5)


class TestStandBeside:
    def test_by_hand(self) -> None:
        found = stand_beside(Confusion(2, 2, 0, 1, 4))
        # Equal on 3 of 5. Chance: Cohen (4 · 2 + 1 · 3) / 25; Gwet, as 6 of 10 votes accept, 2 · .6 · .4.
        assert found.figures["cohen_kappa"] == pytest.approx((0.6 - 0.44) / 0.56)
        assert found.figures["gwet_ac1"] == pytest.approx((0.6 - 0.48) / 0.52)
        assert found.figures["accuracy_all"] == pytest.approx(3 / 9)

    @given(COUNTS)
    def test_kappa_equals_scikit_learn(self, counts: Confusion) -> None:
        found = stand_beside(counts).figures["cohen_kappa"]
        assume(not isinstance(found, Undefined))
        people = np.repeat([1, 1, 0, 0], counts[:4])
        judge = np.repeat([1, 0, 1, 0], counts[:4])
        assert found == pytest.approx(cohen_kappa_score(people, judge), abs=1e-12)

    @given(COUNTS)
    def test_naming_the_classes_the_other_way_round_changes_no_coefficient(self, counts: Confusion) -> None:
        tp, fn, fp, tn, unscored = counts
        one, other = stand_beside(counts), stand_beside(Confusion(tn, fp, fn, tp, unscored))
        for first, second in (
            (one.figures["cohen_kappa"], other.figures["cohen_kappa"]),
            (one.figures["gwet_ac1"], other.figures["gwet_ac1"]),
        ):
            assert isinstance(first, Undefined) == isinstance(second, Undefined)
            assert isinstance(first, Undefined) or first == pytest.approx(second, abs=1e-12)

    def test_where_all_say_the_same_kappa_has_no_scale_and_ac1_is_one(self) -> None:
        found = stand_beside(Confusion(5, 0, 0, 0, 0))
        assert (found.figures["cohen_kappa"], found.figures["gwet_ac1"]) == (Undefined(Why.ONE_LABEL), 1.0)

    def test_nothing_scored_is_said_in_words(self) -> None:
        found = stand_beside(Confusion(0, 0, 0, 0, 3))
        assert found.figures["cohen_kappa"] == found.figures["gwet_ac1"] == Undefined(Why.NO_SCORED)
        assert found.figures["accuracy_all"] == 0.0


class TestJson:
    def test_what_is_undefined_is_null_with_its_reason(self) -> None:
        body = figures_json({"share": Figure(0.5), "kappa": Figure(None, why=Why.NO_SCORED)})
        assert body == {
            "share": 0.5, "kappa": None, "words": {"kappa": "The judge scored none of the decided answers."},
        }  # fmt: skip

    def test_every_figure_has_a_name(self) -> None:
        assert "gwet_ac1" in stand_beside(Confusion(1, 0, 0, 1, 0)).figures


class TestImagineErrors:
    def test_one_heavy_answer_of_each_verdict_is_half_wrong_where_none_was_seen(self) -> None:
        cells = np.array([[20.0, 0, 0, 0, 0], [20.0, 0, 0, 0, 0], [0, 0, 0, 4.0, 0]])[:, np.newaxis]
        found = imagine_errors(Cells(*np.moveaxis(cells, -1, 0)))
        size, other = 20 * UNSEEN_ERRORS**0.5, 4 * UNSEEN_ERRORS**0.5
        assert found.fp[:, 0].tolist() == pytest.approx([size, 0])
        assert (found.tp + found.fp)[:, 0].tolist() == pytest.approx([0, 0])
        assert found.fn[:, 0].tolist() == pytest.approx([0, other])
        assert (found.tn + found.fn)[:, 0].tolist() == pytest.approx([0, 0])

    def test_errors_that_were_seen_need_none(self) -> None:
        cells = np.array([[20.0, 0, 0, 0, 0], [0, 0, 20.0, 0, 0], [0, 4.0, 0, 0, 0]])[:, np.newaxis]
        assert not np.any(imagine_errors(Cells(*np.moveaxis(cells, -1, 0))))

    def test_intervals_widen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        counts = {"judge": np.array([[0, 0, 0, 20.0, 0]] * 10 + [[0, 1.0, 0, 0, 0]] * 3)}
        wide = bound_cells(counts, names=("precision", "f1"), are_weighted=True)["judge"]
        monkeypatch.setattr(beside_people, "UNSEEN_ERRORS", 0.0)
        narrow = bound_cells(counts, names=("precision", "f1"), are_weighted=True)["judge"]
        for name in narrow:
            one, other = narrow[name], wide[name]
            assert isinstance(one, Interval)
            assert isinstance(other, Interval)
            assert other.low < one.low
