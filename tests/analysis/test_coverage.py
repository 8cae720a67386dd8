"""Intervals over questions hold the truth as often as they say, though votes on a question go together."""

import numpy as np
import pytest

from analysis import agreement
from analysis.intervals import bootstrap_clusters

QUESTIONS = 150
ANSWERS = 4
RESAMPLES = 400
LABELS = 2


def simulate(generator):
    """Two raters on questions that are hard or easy as a whole: questions × answers × raters."""
    correct = generator.random((QUESTIONS, 1)) < generator.beta(2, 2, size=(QUESTIONS, ANSWERS))
    accuracy = generator.choice([0.65, 0.85, 0.98], size=(QUESTIONS, 1, 1))
    errs = generator.random((QUESTIONS, ANSWERS, 2)) > accuracy
    return (correct[:, :, np.newaxis] ^ errs).astype(np.int64)


def sums_by_question(votes):
    return agreement.sum_groups(
        votes=votes.reshape(-1, 2),
        groups=np.repeat(np.arange(len(votes)), ANSWERS),
        group_count=len(votes),
        label_count=LABELS,
    )


def statistic_of(coefficient):
    return lambda packed: coefficient(agreement.unpack_sums(packed, label_count=LABELS))


def true_value(coefficient):
    generator = np.random.default_rng(1)
    votes = np.concatenate([simulate(generator) for _ in range(500)])
    return float(statistic_of(coefficient)(sums_by_question(votes).sum(axis=0)))


def coverage(coefficient, *, draws):
    truth, statistic = true_value(coefficient), statistic_of(coefficient)
    generator = np.random.default_rng(2)
    covered = 0
    for draw in range(draws):
        low, high = bootstrap_clusters(
            sums=sums_by_question(simulate(generator)), statistic=statistic, seed=draw, resamples=RESAMPLES
        )
        covered += low <= truth <= high
    return covered / draws


@pytest.mark.parametrize("coefficient", [agreement.observed_agreement, agreement.fleiss_kappa])
class TestBootstrapOverQuestions:
    def test_covers_in_three_hundred_draws(self, coefficient):
        assert 0.92 <= coverage(coefficient, draws=300) <= 0.98

    @pytest.mark.prove
    def test_covers_in_two_thousand_draws(self, coefficient):
        assert 0.93 <= coverage(coefficient, draws=2_000) <= 0.97
