"""Intervals of pages hold the truth as often as they say, though answers to a question go together."""

from functools import lru_cache

import numpy as np
import pytest

from analysis import agreement, classification
from annotation.agreement.rules.intervals import ORDINAL, SEED, bound_coefficients, bound_labels
from annotation.agreement.rules.measuring import COEFFICIENTS
from judges.comparison.rules.judge_board.intervals import Cells, bound_cells, count_cells, figure_of

QUESTIONS = 150
ANSWERS = 4
LABELS = 2
QUESTION_OF = np.repeat(np.arange(QUESTIONS), ANSWERS)
ACCEPTED = "share of accepting votes"
OF_RATERS = {**COEFFICIENTS, ORDINAL: agreement.krippendorff_alpha_ordinal}
OF_A_JUDGE = ("accuracy_all", "precision", "recall", "macro_f1", "cohen_kappa", "gwet_ac1", "bias")


def simulate(generator):
    """Draw what is right, and what two raters and a judge say of it: answers × 4, 1 is accepted.

    Questions are hard or easy as a whole, for all of them.
    """
    right = generator.random((QUESTIONS, 1)) < generator.beta(2, 2, size=(QUESTIONS, ANSWERS))
    accuracy = generator.choice([0.65, 0.85, 0.98], size=(QUESTIONS, 1, 1))
    said = right[:, :, np.newaxis] ^ (generator.random((QUESTIONS, ANSWERS, 3)) > accuracy)
    return np.concatenate([right[:, :, np.newaxis], said], axis=2).reshape(-1, 4).astype(np.int64)


def codes_of(rows):
    """Return what the judge says beside what is right."""
    return classification.code_rows(correct=rows[:, 0], accepted=rows[:, 3], scored=np.full(len(rows), True))


def find_truth():
    """Return every figure of so many questions that what is left of chance does not count."""
    generator = np.random.default_rng(1)
    rows = np.concatenate([simulate(generator) for _ in range(500)])
    all_in_one = np.zeros(len(rows), dtype=np.int64)
    votes = rows[:, 1:3]
    packed = agreement.sum_groups(votes=votes, groups=all_in_one, group_count=1, label_count=LABELS)
    sums = agreement.unpack_sums(packed, label_count=LABELS)
    counts = count_cells(codes=codes_of(rows), questions=all_in_one, question_count=1)
    order = ("TRUE_POSITIVE", "FALSE_NEGATIVE", "FALSE_POSITIVE", "TRUE_NEGATIVE", "UNSCORED")
    cells = Cells(*(counts[:, getattr(classification, name)] for name in order))
    return {
        **{name: coefficient(sums).item() for name, coefficient in OF_RATERS.items()},
        ACCEPTED: votes.mean(),
        **{f"judge {name}": figure_of(cells, name).item() for name in OF_A_JUDGE},
    }


def bound_all(rows):
    """Return every interval as pages have it."""
    votes = rows[:, 1:3]
    ratings = agreement.Ratings(votes, LABELS, np.arange(len(rows)))
    of_raters = bound_coefficients(
        ratings, ordered=votes, ordered_count=LABELS, groups=QUESTION_OF, nominal=COEFFICIENTS, seed=SEED
    )
    counts = count_cells(codes=codes_of(rows), questions=QUESTION_OF, question_count=QUESTIONS)
    of_judge = bound_cells({"judge": counts}, names=OF_A_JUDGE)["judge"]
    return {
        **of_raters,
        ACCEPTED: bound_labels(ratings, groups=QUESTION_OF, seed=SEED)[1],
        **{f"judge {name}": interval for name, interval in of_judge.items()},
    }


@lru_cache
def measure_coverage(studies):
    """Return the share of studies whose interval holds the truth, by figure."""
    truth, generator = find_truth(), np.random.default_rng(2)
    found = [bound_all(simulate(generator)) for _ in range(studies)]
    return {
        name: sum(low <= value <= high for low, high in (bounds[name] for bounds in found)) / studies
        for name, value in truth.items()
    }


@pytest.mark.parametrize("figure", [*OF_RATERS, ACCEPTED, *(f"judge {name}" for name in OF_A_JUDGE)])
class TestIntervalsOf95Percent:
    def test_hold_the_truth_in_three_hundred_studies(self, figure):
        # So few studies tell a coverage to four points (three standard errors); two thousand tell more.
        assert 0.9 <= measure_coverage(300)[figure] <= 0.99

    @pytest.mark.prove
    def test_hold_the_truth_in_two_thousand_studies(self, figure):
        assert 0.93 <= measure_coverage(2_000)[figure] <= 0.97
