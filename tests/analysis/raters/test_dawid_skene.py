"""Raters' error rates against published and hand-derived values, and properties."""

from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.raters.agreement import NOT_RATED
from analysis.raters.dawid_skene import DAWID_SKENE, ONE_COIN, WEAK, Prior, Votes, fit

NO_PRIOR = Prior(prevalence=0.0, right=0.0, wrong=0.0)
MODELS = [DAWID_SKENE, ONE_COIN]

# Dawid and Skene 1979, table 1: 45 patients; the first anaesthetist saw each three times, four others once.
ANAESTHETISTS = """
1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343 1111111
2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111
2322222 1111111 1111111 1121121 1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432
1111111 1111111 1212111 2322222 1211111 2222222
"""


def list_votes(*, votes, raters, label_count, rater_count):
    """List the votes of items × slots (-1 = not rated); `raters` has the same shape: who filled the slot."""
    items, slots = np.nonzero(votes != NOT_RATED)
    return Votes(
        items=items.astype(np.int64),
        raters=raters[items, slots],
        labels=votes[items, slots],
        item_count=len(votes),
        rater_count=rater_count,
        label_count=label_count,
    )


def anaesthetists():
    votes = np.array([[int(label) - 1 for label in row] for row in ANAESTHETISTS.split()])
    raters = np.broadcast_to([0, 0, 0, 1, 2, 3, 4], votes.shape)
    return list_votes(votes=votes, raters=raters, label_count=4, rater_count=5)


def of_table(table, *, label_count=2):
    """Votes of items × raters, each column a rater."""
    votes = np.array(table, dtype=np.int64)
    raters = np.broadcast_to(np.arange(votes.shape[1]), votes.shape)
    return list_votes(votes=votes, raters=raters, label_count=label_count, rater_count=votes.shape[1])


def simulate(*, accuracies, items=600, votes_an_item=3, seed=3):
    """Raters who are right by chance, each item seen by some of them; returns the votes and the truth."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, 2, items)
    raters = np.array([generator.permutation(len(accuracies))[:votes_an_item] for _ in range(items)])
    right = generator.random(raters.shape) < np.asarray(accuracies)[raters]
    votes = np.where(right, truth[:, np.newaxis], 1 - truth[:, np.newaxis])
    return list_votes(votes=votes, raters=raters, label_count=2, rater_count=len(accuracies)), truth


class TestListVotes:
    def test_votes_not_given_are_left_out(self):
        listed = of_table([[0, -1], [-1, -1], [1, 0]])
        assert listed.items.tolist() == [0, 2, 2]
        assert listed.raters.tolist() == [0, 0, 1]
        assert listed.labels.tolist() == [0, 1, 0]
        assert (listed.item_count, listed.rater_count) == (3, 2)


class TestPublished:
    """Dawid and Skene 1979, tables 2 and 3."""

    def test_the_shares_of_the_four_classes(self):
        found = fit(votes=anaesthetists(), prior=NO_PRIOR)
        assert found.prevalence.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]

    def test_the_first_anaesthetists_error_rates(self):
        found = fit(votes=anaesthetists(), prior=NO_PRIOR)
        assert found.confusions[0].round(2).tolist() == [
            [0.89, 0.11, 0.00, 0.00],
            [0.07, 0.88, 0.05, 0.00],
            [0.00, 0.34, 0.66, 0.00],
            [0.00, 0.00, 0.56, 0.44],
        ]


class TestByHand:
    def test_one_step_from_three_raters_who_differ_once(self):
        # Items 0 0 0 and 1 1 0. Shares of votes: (1, 0) and (1/3, 2/3); their sum over two items is the
        # prevalence (2/3, 1/3). The first two raters give label 0 to 1 of the 4/3 items that are truly 0;
        # the third to all of them, and to all that are truly 1.
        found = fit(votes=of_table([[0, 0, 0], [1, 1, 0]]), prior=NO_PRIOR, most_steps=1)
        assert found.prevalence == pytest.approx([2 / 3, 1 / 3])
        assert found.confusions[0] == pytest.approx(np.array([[3 / 4, 1 / 4], [0, 1]]))
        assert found.confusions[2] == pytest.approx(np.array([[1, 0], [1, 0]]))
        # Item 0: 2/3 · 3/4 · 3/4 against 0. Item 1: 2/3 · 1/4 · 1/4 = 1/24 against 1/3.
        assert found.posteriors == pytest.approx(np.array([[1, 0], [1 / 9, 8 / 9]]))
        assert found.log_likelihood == pytest.approx(log(3 / 8) + log(1 / 24 + 1 / 3))

    def test_one_coin_counts_right_votes_of_either_label(self):
        found = fit(votes=of_table([[0, 0, 0], [1, 1, 0]]), model=ONE_COIN, prior=NO_PRIOR, most_steps=1)
        assert found.accuracies == pytest.approx([(1 + 2 / 3) / 2, (1 + 2 / 3) / 2, (1 + 1 / 3) / 2])

    @pytest.mark.parametrize("model", MODELS)
    def test_without_votes_the_prior_alone_speaks(self, model):
        found = fit(votes=of_table([[-1, -1]]), model=model)
        assert found.accuracies == pytest.approx([3 / 4, 3 / 4])
        assert found.posteriors == pytest.approx(np.array([[1 / 2, 1 / 2]]))

    def test_an_unknown_row_without_a_prior_is_even(self):
        found = fit(votes=of_table([[0, 0, 0]]), prior=NO_PRIOR)
        assert found.confusions[0].tolist() == [[1.0, 0.0], [0.5, 0.5]]


class TestFit:
    @pytest.mark.parametrize("model", MODELS)
    def test_it_finds_how_good_simulated_raters_are(self, model):
        accuracies = [0.95, 0.9, 0.85, 0.7, 0.6]
        votes, truth = simulate(accuracies=accuracies, items=3_000)
        found = fit(votes=votes, model=model)
        assert found.has_converged
        assert found.accuracies == pytest.approx(accuracies, abs=0.04)
        majority = np.array([np.bincount(votes.labels[votes.items == item]).argmax() for item in range(300)])
        assert (found.posteriors.argmax(axis=1) == truth).mean() > (majority == truth[:300]).mean()

    def test_no_step_is_left_out_of_the_count(self):
        assert fit(votes=anaesthetists(), most_steps=3).steps == 3
        assert not fit(votes=anaesthetists(), most_steps=3).has_converged

    @pytest.mark.parametrize("model", MODELS)
    @pytest.mark.parametrize("prior", [NO_PRIOR, WEAK])
    def test_every_step_raises_the_objective(self, model, prior):
        steps = [
            fit(votes=anaesthetists(), model=model, prior=prior, most_steps=most).objective
            for most in range(1, 15)
        ]
        assert all(later >= earlier - 1e-9 for earlier, later in pairwise(steps))

    def test_two_raters_alone_leave_it_to_the_prior(self):
        found = fit(votes=of_table([[0, 0], [0, 1], [1, 0], [1, 1]] * 5), model=ONE_COIN)
        assert found.accuracies[0] == pytest.approx(found.accuracies[1])


tables = st.lists(st.lists(st.integers(-1, 2), min_size=4, max_size=4), min_size=2, max_size=12)


class TestProperties:
    @pytest.mark.parametrize("model", MODELS)
    @settings(max_examples=30)
    @given(table=tables, order=st.permutations([0, 1, 2]))
    def test_renaming_labels_renames_the_estimates(self, model, table, order):
        table, order = np.array(table), np.array(order)
        renamed = np.where(table < 0, -1, order[table])
        before = fit(votes=of_table(table, label_count=3), model=model, most_steps=20, tolerance=-1.0)
        after = fit(votes=of_table(renamed, label_count=3), model=model, most_steps=20, tolerance=-1.0)
        assert after.posteriors[:, order] == pytest.approx(before.posteriors, abs=1e-6)
        assert after.accuracies == pytest.approx(before.accuracies, abs=1e-6)

    @pytest.mark.parametrize("model", MODELS)
    @settings(max_examples=30)
    @given(table=tables, order=st.permutations([0, 1, 2, 3]))
    def test_the_order_of_raters_does_not_matter(self, model, table, order):
        table = np.array(table)
        before = fit(votes=of_table(table, label_count=3), model=model, most_steps=20, tolerance=-1.0)
        after = fit(
            votes=of_table(table[:, order], label_count=3), model=model, most_steps=20, tolerance=-1.0
        )
        assert after.confusions == pytest.approx(before.confusions[order], abs=1e-6)
        assert after.log_likelihood == pytest.approx(before.log_likelihood, abs=1e-6)

    @settings(max_examples=30)
    @given(table=tables)
    def test_shares_are_shares(self, table):
        found = fit(votes=of_table(table, label_count=3))
        for shares in (found.posteriors, found.prevalence, found.confusions):
            assert shares.sum(axis=-1) == pytest.approx(np.ones(shares.shape[:-1]))
            assert (shares >= 0).all()
