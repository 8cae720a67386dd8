"""How votes are read before agreement is measured, and what a coefficient is called afterwards."""

import numpy as np
import pytest

from analysis.intervals import Figure, Why
from analysis.raters import agreement
from analysis.raters.agreement import MissingVotes


def observed(votes, label_count):
    sums = agreement.sum_votes(votes=votes, label_count=label_count)
    return agreement.compute(agreement.observed_agreement, sums)


class TestMergeLabels:
    def test_labels_get_their_new_numbers_and_missing_votes_stay_missing(self):
        merged = agreement.merge_labels(votes=np.array([[0, 1], [2, -1]]), numbers=np.array([0, 0, 1]))
        assert merged.tolist() == [[0, 0], [1, -1]]

    def test_what_counts_alike_agrees(self):
        votes = np.array([[0, 1], [0, 0], [2, 2]])
        merged = agreement.merge_labels(votes=votes, numbers=np.array([0, 0, 1]))
        assert observed(votes, 3) == pytest.approx(2 / 3)
        assert observed(merged, 2) == 1.0


class TestMissingVotes:
    VOTES = np.array([[0, 0], [1, -1], [-1, -1]])

    def fill(self, rule):
        return agreement.fill_missing_votes(
            votes=self.VOTES, label_count=2, rule=rule, incorrect=1, correct=0
        )

    def test_dropping_leaves_only_complete_rows_and_says_which(self):
        ratings = self.fill(MissingVotes.DROP)
        assert (ratings.votes.tolist(), ratings.rows.tolist()) == ([[0, 0]], [0])

    def test_own_category_adds_a_label(self):
        ratings = self.fill(MissingVotes.OWN_CATEGORY)
        assert (ratings.votes.tolist(), ratings.label_count) == ([[0, 0], [1, 2], [2, 2]], 3)

    def test_missing_may_count_as_either_label(self):
        assert self.fill(MissingVotes.AS_INCORRECT).votes.tolist() == [[0, 0], [1, 1], [1, 1]]
        assert self.fill(MissingVotes.AS_CORRECT).votes.tolist() == [[0, 0], [1, 0], [0, 0]]


class TestBand:
    @pytest.mark.parametrize(
        ("kappa", "name"),
        [(-0.1, "poor"), (0.0, "slight"), (0.2, "slight"), (0.21, "fair"), (0.728, "substantial"),
         (0.8, "substantial"), (1.0, "almost perfect")],
    )  # fmt: skip
    def test_bounds_belong_to_the_lower_band(self, kappa, name):
        assert agreement.name_band(kappa) == name

    @pytest.mark.parametrize(
        ("low", "high", "words"),
        [(0.3, 0.9, "fair to almost perfect"), (0.65, 0.78, "substantial"), (-0.2, 0.1, "poor to slight")],
    )
    def test_an_interval_reaches_from_band_to_band(self, low, high, words):
        assert agreement.name_bands(Figure((low + high) / 2, low, high)) == words

    def test_a_value_without_an_interval_has_its_own_band_and_no_value_none(self):
        assert agreement.name_bands(Figure(0.728)) == "substantial"
        assert agreement.name_bands(Figure(None, why=Why.NOTHING_COUNTED)) == ""
