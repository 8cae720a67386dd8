"""Judge quality against hand-derived values, scikit-learn and properties."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score

from analysis import classification
from analysis.classification import SHARES, Confusion, measure_quality
from analysis.intervals import Undefined, Why

ROWS = arrays(np.bool_, st.tuples(st.integers(1, 40), st.just(3)))


def count(rows):
    return classification.count_confusion(correct=rows[:, 0], accepted=rows[:, 1], scored=rows[:, 2])


class TestPublishedCounts:
    def test_gpt_4_on_nq301(self):
        quality = measure_quality(Confusion(679, 137, 89, 583, 2))
        assert quality["accuracy_all"] == pytest.approx(0.8470, abs=6e-5)
        assert quality["accuracy_scored"] == pytest.approx(0.8481, abs=6e-5)
        assert quality["coverage"] == pytest.approx(0.9987, abs=6e-5)

    def test_fid_lexical_match_of_evouna(self):
        quality = measure_quality(Confusion(1690, 392, 5, 933, 0))
        assert quality["accuracy_all"] == pytest.approx(0.8685, abs=6e-5)
        assert quality["macro_f1"] == pytest.approx(0.8597, abs=6e-5)
        assert quality["precision"] == pytest.approx(0.9970, abs=6e-5)
        assert quality["recall"] == pytest.approx(0.8117, abs=6e-5)


class TestAgainstScikitLearn:
    @given(ROWS)
    def test_every_share_of_scored_rows_is_equal(self, rows):
        rows[:, 2] = True
        truth, said = rows[:, 0], rows[:, 1]
        assume(truth.any() and said.any() and not truth.all() and not said.all())
        quality = measure_quality(count(rows))
        assert quality["accuracy_scored"] == pytest.approx(accuracy_score(truth, said))
        assert quality["precision"] == pytest.approx(precision_score(truth, said))
        assert quality["recall"] == pytest.approx(recall_score(truth, said))
        assert quality["f1"] == pytest.approx(f1_score(truth, said))
        assert quality["macro_f1"] == pytest.approx(f1_score(truth, said, average="macro"))


class TestUnscored:
    @given(ROWS)
    def test_every_row_is_counted_once(self, rows):
        confusion = count(rows)
        assert confusion.scored + confusion.unscored == len(rows)

    @given(ROWS)
    def test_what_an_unscored_row_would_have_said_does_not_matter(self, rows):
        flipped = rows.copy()
        flipped[:, 1] ^= ~rows[:, 2]
        assert count(rows) == count(flipped)

    def test_an_unscored_row_lowers_coverage_and_not_the_accuracy_of_the_scored(self):
        quality = measure_quality(Confusion(1, 0, 0, 1, 2))
        assert (quality["accuracy_all"], quality["accuracy_scored"], quality["coverage"]) == (0.5, 1.0, 0.5)


def counts(rows):
    return st.builds(Confusion, *[st.integers(0, rows)] * 5)


class TestProperties:
    @given(counts(40))
    def test_shares_are_shares(self, confusion):
        quality = measure_quality(confusion)
        for value in (quality[name] for name in SHARES):
            assert isinstance(value, Undefined) or 0 <= value <= 1

    @given(counts(40))
    def test_judge_and_people_changing_places_change_precision_and_recall(self, confusion):
        tp, fn, fp, tn, unscored = confusion
        forth, back = measure_quality(confusion), measure_quality(Confusion(tp, fp, fn, tn, unscored))
        assert [type(each) for each in (forth["precision"], forth["recall"])] == [
            type(each) for each in (back["recall"], back["precision"])
        ]
        if tp:
            assert (forth["precision"], forth["recall"]) == (back["recall"], back["precision"])
        assert (forth["accuracy_all"], forth["f1"], forth["macro_f1"]) == (
            back["accuracy_all"],
            back["f1"],
            back["macro_f1"],
        )

    @given(counts(40))
    def test_calling_right_wrong_changes_neither_accuracy_nor_macro_f1(self, confusion):
        tp, fn, fp, tn, unscored = confusion
        forth, back = measure_quality(confusion), measure_quality(Confusion(tn, fp, fn, tp, unscored))
        assert (forth["accuracy_all"], forth["accuracy_scored"]) == (
            back["accuracy_all"],
            back["accuracy_scored"],
        )
        assert forth["macro_f1"] == (
            back["macro_f1"] if isinstance(back["macro_f1"], Undefined) else pytest.approx(back["macro_f1"])
        )


class TestUndefined:
    def test_nothing_decided(self):
        quality = measure_quality(Confusion(0, 0, 0, 0, 0))
        assert quality["accuracy_all"] == Undefined(Why.NOT_BOTH)

    def test_nothing_scored(self):
        quality = measure_quality(Confusion(0, 0, 0, 0, 3))
        assert (quality["accuracy_all"], quality["coverage"]) == (0.0, 0.0)
        assert quality["accuracy_scored"] == Undefined(Why.NO_SCORED)

    def test_a_judge_that_accepts_nothing_has_no_precision(self):
        quality = measure_quality(Confusion(0, 3, 0, 2, 0))
        assert quality["precision"] == Undefined(Why.NONE_ACCEPTED)
        assert quality["recall"] == 0.0

    def test_a_class_that_never_appears_leaves_macro_f1_undefined(self):
        quality = measure_quality(Confusion(3, 0, 0, 0, 0))
        assert quality["f1"] == 1.0
        assert quality["macro_f1"] == Undefined(Why.NONE_EITHER)
