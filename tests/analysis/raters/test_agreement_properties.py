"""What holds of every coefficient of agreement, and AC1 by its definition, which no library here has."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import accuracy_score

from analysis.intervals import Undefined, Why
from analysis.raters import agreement

LABELS = 3
TWO_RATERS = arrays(np.int64, st.tuples(st.integers(1, 30), st.just(2)), elements=st.integers(0, LABELS - 1))
WITH_GAPS = arrays(
    np.int64, st.tuples(st.integers(1, 30), st.integers(2, 4)), elements=st.integers(-1, LABELS - 1)
)
BEYOND_CHANCE = (
    agreement.fleiss_kappa,
    agreement.gwet_ac1,
    agreement.krippendorff_alpha,
    agreement.krippendorff_alpha_ordinal,
)


def compute(coefficient, votes):
    return agreement.compute(coefficient, agreement.sum_votes(votes=votes, label_count=LABELS))


def cohen(first, second):
    table = agreement.tabulate_two(first=first, second=second, label_count=LABELS)
    return float(agreement.cohen_kappa(table))


def defined_ac1(votes):
    """Compute AC1 item by item, as Gwet 2008 defines it; None without an item of two votes."""
    rated = [row[row >= 0] for row in votes if (row >= 0).sum() >= 2]
    if not rated:
        return None
    equal = np.mean([np.mean([a == b for a, b in combinations(row, 2)]) for row in rated])
    shares = [np.mean([np.mean(row == label) for row in rated]) for label in range(LABELS)]
    chance = sum(share * (1 - share) for share in shares) / (LABELS - 1)
    return (equal - chance) / (1 - chance)


class TestIndependentImplementations:
    @given(WITH_GAPS)
    def test_ac1_is_what_its_definition_says(self, votes):
        expected, found = defined_ac1(votes), compute(agreement.gwet_ac1, votes)
        if expected is None:
            assert found == Undefined(Why.NO_TWO_VOTES)
        else:
            assert found == pytest.approx(expected)

    @given(TWO_RATERS)
    def test_the_share_of_equal_votes_equals_scikit_learn(self, votes):
        expected = accuracy_score(votes[:, 0], votes[:, 1])
        assert compute(agreement.observed_agreement, votes) == pytest.approx(expected)


class TestRange:
    @given(WITH_GAPS)
    def test_no_coefficient_passes_one(self, votes):
        for coefficient in BEYOND_CHANCE:
            value = compute(coefficient, votes)
            assert isinstance(value, Undefined) or -1 - 1e-9 <= value <= 1 + 1e-9

    @given(WITH_GAPS)
    def test_the_share_of_equal_votes_is_a_share(self, votes):
        value = compute(agreement.observed_agreement, votes)
        assert isinstance(value, Undefined) or 0 <= value <= 1

    @given(TWO_RATERS)
    def test_cohens_kappa_lies_between_minus_one_and_one(self, votes):
        kappa = cohen(votes[:, 0], votes[:, 1])
        assert np.isnan(kappa) or -1 - 1e-9 <= kappa <= 1 + 1e-9


class TestSymmetry:
    @given(TWO_RATERS)
    def test_cohens_kappa_does_not_ask_who_is_first(self, votes):
        forth, back = cohen(votes[:, 0], votes[:, 1]), cohen(votes[:, 1], votes[:, 0])
        assert forth == pytest.approx(back, nan_ok=True)

    @given(TWO_RATERS, st.permutations(range(LABELS)))
    def test_cohens_kappa_does_not_ask_for_names_of_labels(self, votes, names):
        renamed = np.asarray(names)[votes]
        forth, back = cohen(votes[:, 0], votes[:, 1]), cohen(renamed[:, 0], renamed[:, 1])
        assert forth == pytest.approx(back, nan_ok=True)

    @given(WITH_GAPS)
    def test_an_order_of_labels_read_backwards_is_the_same_order(self, votes):
        backwards = np.where(votes < 0, votes, LABELS - 1 - votes)
        forth, back = (compute(agreement.krippendorff_alpha_ordinal, each) for each in (votes, backwards))
        if isinstance(forth, Undefined):
            assert forth == back
        else:
            assert forth == pytest.approx(back)
