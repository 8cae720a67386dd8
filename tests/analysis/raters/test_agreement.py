"""Agreement coefficients against hand-derived values, independent implementations and properties."""

import csv
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

from analysis.intervals import Undefined, Why
from analysis.raters import agreement
from analysis.raters.agreement import MissingVotes, Sums

HUMAN_VOTES = Path(__file__).parents[3] / "shared/data/openqa-eval/NQ301_human.tsv"

COMPLETE = arrays(np.int64, st.tuples(st.integers(2, 30), st.integers(2, 4)), elements=st.integers(0, 2))
WITH_GAPS = arrays(np.int64, st.tuples(st.integers(2, 30), st.integers(2, 4)), elements=st.integers(-1, 2))


def total(votes, label_count=3):
    packed = agreement.sum_items(votes=np.asarray(votes), label_count=label_count)
    return agreement.unpack_sums(packed.sum(axis=0), label_count=label_count)


def compute(coefficient, votes, label_count=3):
    return agreement.compute(coefficient, total(votes, label_count))


def cohen(votes, label_count=3):
    votes = np.asarray(votes)
    raters = np.broadcast_to(np.arange(votes.shape[1]), votes.shape)
    tables = agreement.tabulate_pairs(votes=votes, raters=raters, label_count=label_count)
    packed = agreement.sum_pairs(
        tables=tables,
        groups=np.zeros(len(votes), dtype=np.int64),
        group_count=1,
        label_count=label_count,
    )
    return float(agreement.mean_cohen_kappa(packed, label_count=label_count)[0])


class TestHandDerivedValues:
    # Ten items, two raters: 4 × (0,0), 3 × (1,1), 2 × (0,1), 1 × (1,0).
    VOTES = [[0, 0]] * 4 + [[1, 1]] * 3 + [[0, 1]] * 2 + [[1, 0]]

    def test_seven_of_ten_pairs_agree(self):
        assert compute(agreement.observed_agreement, self.VOTES, 2) == pytest.approx(0.7)

    def test_fleiss_uses_the_pooled_shares(self):
        # 11 of 20 votes are label 0: chance .55² + .45² = .505, (.7 - .505) / .495 = 13/33.
        assert compute(agreement.fleiss_kappa, self.VOTES, 2) == pytest.approx(13 / 33)

    def test_cohen_uses_each_raters_own_shares(self):
        # .6 · .5 + .4 · .5 = .5, (.7 - .5) / .5 = .4.
        assert cohen(self.VOTES, 2) == pytest.approx(0.4)

    def test_alpha_corrects_for_the_small_sample(self):
        # 6 of 20 paired values differ; expected 2 · 11 · 9 / (20 · 19): 1 - .3 · 380 / 198.
        assert compute(agreement.krippendorff_alpha, self.VOTES, 2) == pytest.approx(1 - 0.3 * 380 / 198)

    def test_ac1_expects_little_agreement_by_chance(self):
        # Chance is 2 · .55 · .45 = .495, (.7 - .495) / .505.
        assert compute(agreement.gwet_ac1, self.VOTES, 2) == pytest.approx(0.205 / 0.505)

    def test_fleiss_of_the_1971_paper(self):
        # Thirty patients, six psychiatrists, five diagnoses (Fleiss 1971, table 1): kappa .430.
        counts = [
            (0, 0, 0, 6, 0), (0, 3, 0, 0, 3), (0, 1, 4, 0, 1), (0, 0, 0, 0, 6), (0, 3, 0, 3, 0),
            (2, 0, 4, 0, 0), (0, 0, 4, 0, 2), (2, 0, 3, 1, 0), (2, 0, 0, 4, 0), (0, 0, 0, 0, 6),
            (1, 0, 0, 5, 0), (1, 1, 0, 4, 0), (0, 3, 3, 0, 0), (1, 0, 0, 5, 0), (0, 2, 0, 3, 1),
            (0, 0, 5, 0, 1), (3, 0, 0, 1, 2), (5, 1, 0, 0, 0), (0, 2, 0, 4, 0), (1, 0, 2, 0, 3),
            (0, 0, 0, 0, 6), (0, 1, 0, 5, 0), (0, 2, 0, 1, 3), (2, 0, 0, 4, 0), (1, 0, 0, 4, 1),
            (0, 5, 0, 1, 0), (4, 0, 0, 0, 2), (0, 2, 0, 4, 0), (1, 0, 5, 0, 0), (0, 0, 0, 0, 6),
        ]  # fmt: skip
        votes = [np.repeat(np.arange(5), row) for row in counts]
        assert compute(agreement.fleiss_kappa, votes, 5) == pytest.approx(0.430, abs=5e-4)

    def test_ordinal_alpha_forgives_neighbors(self):
        # Three labels once each as (0,1), (1,2), and twice (0,0), (2,2): worked by hand below.
        votes = [[0, 1], [1, 2], [0, 0], [2, 2]]
        # Totals 3, 2, 3; distances 2.5² = 6.25 (neighbors), 5² = 25 (ends).
        # Observed 4 · 6.25 = 25; expected 2 · (3·2·6.25 + 2·3·6.25 + 3·3·25) = 600; alpha 1 - 7·25/600.
        assert compute(agreement.krippendorff_alpha_ordinal, votes) == pytest.approx(1 - 175 / 600)


class TestIndependentImplementations:
    @given(COMPLETE)
    def test_fleiss_equals_statsmodels(self, votes):
        assume(len(np.unique(votes)) > 1)
        counts = agreement.count_labels(votes=votes, label_count=3)
        expected = statsmodels_fleiss(counts, method="fleiss")
        assert compute(agreement.fleiss_kappa, votes) == pytest.approx(expected)

    @given(WITH_GAPS, st.sampled_from(["nominal", "ordinal"]))
    def test_alpha_equals_the_krippendorff_package(self, votes, level):
        pairable = votes[(votes >= 0).sum(axis=1) >= 2]
        assume(len(np.unique(pairable[pairable >= 0])) > 1)
        data = np.where(pairable.T < 0, np.nan, pairable.T.astype(float))
        expected = krippendorff.alpha(data, level_of_measurement=level, value_domain=[0, 1, 2])
        names = {"nominal": agreement.krippendorff_alpha, "ordinal": agreement.krippendorff_alpha_ordinal}
        assert compute(names[level], votes) == pytest.approx(expected)

    @given(arrays(np.int64, st.tuples(st.integers(2, 30), st.just(2)), elements=st.integers(0, 2)))
    def test_cohen_equals_scikit_learn(self, votes):
        assume(len(np.unique(votes)) > 1)
        expected = cohen_kappa_score(votes[:, 0], votes[:, 1])
        assert cohen(votes) == pytest.approx(expected)


class TestProperties:
    @given(COMPLETE)
    def test_full_agreement_is_one_everywhere(self, votes):
        votes = np.repeat(votes[:, :1], 3, axis=1)
        assume(len(np.unique(votes)) > 1)
        for coefficient in (
            agreement.observed_agreement,
            agreement.fleiss_kappa,
            agreement.gwet_ac1,
            agreement.krippendorff_alpha,
            agreement.krippendorff_alpha_ordinal,
        ):
            assert compute(coefficient, votes) == pytest.approx(1.0)

    @given(COMPLETE, st.permutations([0, 1, 2]))
    def test_names_of_nominal_labels_do_not_matter(self, votes, names):
        renamed = np.asarray(names)[votes]
        for coefficient in (agreement.fleiss_kappa, agreement.gwet_ac1, agreement.krippendorff_alpha):
            first, second = compute(coefficient, votes), compute(coefficient, renamed)
            if isinstance(first, Undefined):
                assert first == second
            else:
                assert first == pytest.approx(second)

    @given(WITH_GAPS, st.randoms(use_true_random=False))
    def test_order_of_items_and_raters_does_not_matter(self, votes, random):
        shuffled = votes[random.sample(range(len(votes)), len(votes))][:, ::-1]
        first, second = total(votes), total(shuffled)
        for name in Sums._fields:
            assert np.allclose(getattr(first, name), getattr(second, name))

    @given(WITH_GAPS)
    def test_shares_of_labels_add_up_to_one(self, votes):
        assume(((votes >= 0).sum(axis=1) >= 2).any())
        assert agreement.label_shares(total(votes)).sum() == pytest.approx(1.0)


class TestUndefined:
    @pytest.mark.parametrize("votes", [np.empty((0, 2), dtype=np.int64), [[0, -1], [-1, -1]]])
    def test_no_pair_of_votes_is_said_in_words(self, votes):
        assert compute(agreement.fleiss_kappa, votes) == Undefined(Why.NO_TWO_VOTES)

    @pytest.mark.parametrize(
        "coefficient",
        [agreement.fleiss_kappa, agreement.krippendorff_alpha, agreement.krippendorff_alpha_ordinal],
    )
    def test_a_single_label_is_said_in_words(self, coefficient):
        assert compute(coefficient, [[1, 1], [1, 1]]) == Undefined(Why.ONE_LABEL)

    def test_percent_and_ac1_stay_defined_with_a_single_label(self):
        votes = [[1, 1], [1, 1]]
        assert compute(agreement.observed_agreement, votes) == 1.0
        assert compute(agreement.gwet_ac1, votes) == 1.0

    def test_cohen_is_no_number_where_both_raters_used_one_label(self):
        assert np.isnan(cohen([[1, 1], [1, 1]]))


class TestPairs:
    def test_raters_are_paired_by_who_they_are_and_not_by_their_slot(self):
        votes, raters = np.array([[0, 1], [1, 0]]), np.array([[7, 3], [3, 7]])
        tables = agreement.tabulate_pairs(votes=votes, raters=raters, label_count=2)
        assert tables.pairs.tolist() == [[3, 7]]
        assert tables.cells.tolist() == [2, 2]

    def test_a_mean_weighs_pairs_by_their_items(self):
        # Pair (0,1): 4 items, kappa 0; pair (0,2): 2 items, kappa 1. Mean (4·0 + 2·1) / 6.
        votes = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0, 0], [1, 1]])
        raters = np.array([[0, 1]] * 4 + [[0, 2]] * 2)
        tables = agreement.tabulate_pairs(votes=votes, raters=raters, label_count=2)
        packed = agreement.sum_pairs(
            tables=tables, groups=np.zeros(6, dtype=np.int64), group_count=1, label_count=2
        )
        assert agreement.mean_cohen_kappa(packed, label_count=2)[0] == pytest.approx(1 / 3)

    def test_a_skipped_vote_pairs_with_nobody(self):
        tables = agreement.tabulate_pairs(votes=np.array([[0, -1]]), raters=np.array([[0, 1]]), label_count=2)
        assert len(tables.pairs) == 0

    @given(arrays(np.int64, st.tuples(st.integers(0, 30), st.just(2)), elements=st.integers(-1, 2)))
    def test_two_raters_side_by_side_are_one_pair(self, votes):
        table = agreement.tabulate_two(first=votes[:, 0], second=votes[:, 1], label_count=3)
        raters = np.broadcast_to([0, 1], votes.shape)
        tables = agreement.tabulate_pairs(votes=votes, raters=raters, label_count=3)
        counted = np.bincount(tables.cells, minlength=9).reshape(3, 3)
        assert table.tolist() == counted.tolist()


class TestPatterns:
    def test_equal_rows_are_found_and_counted_once(self):
        patterns = agreement.find_patterns(votes=np.array([[1, -1], [0, 2], [1, -1]]), label_count=3)
        assert patterns.votes.tolist() == [[0, 2], [1, -1]]
        assert (patterns.counts.tolist(), patterns.numbers.tolist()) == ([1, 2], [1, 0, 1])

    @given(WITH_GAPS)
    def test_many_possible_rows_are_found_by_sorting_just_as_well(self, votes):
        table = agreement.find_patterns(votes=votes, label_count=3)
        by_sorting = agreement.find_patterns(votes=votes, label_count=2_000)
        assert table.votes[table.numbers].tolist() == by_sorting.votes[by_sorting.numbers].tolist()

    @given(WITH_GAPS)
    def test_sums_by_group_are_the_items_sums_added(self, votes):
        groups = np.arange(len(votes)) % 2
        packed = agreement.sum_items(votes=votes, label_count=3)
        expected = [packed[groups == group].sum(axis=0) for group in (0, 1)]
        added = agreement.sum_groups(votes=votes, groups=groups, group_count=2, label_count=3)
        assert np.allclose(added, expected)

    def test_no_votes_at_all(self):
        for shape in ((0, 2), (0, 0), (3, 0)):
            sums = agreement.sum_votes(votes=np.zeros(shape, dtype=np.int64), label_count=2)
            assert sums.items == 0


class TestParadox:
    # Of 100 answers 94 are accepted by both, 3 by one alone and 3 by the other.
    RARE = [[0, 0]] * 94 + [[0, 1]] * 3 + [[1, 0]] * 3

    @staticmethod
    def is_marked(votes, label_count=2):
        sums = total(votes, label_count)
        return agreement.is_paradox(
            observed=agreement.compute(agreement.observed_agreement, sums),
            kappa=agreement.compute(agreement.fleiss_kappa, sums),
            ac1=agreement.compute(agreement.gwet_ac1, sums),
        )

    def test_by_hand(self):
        # Agreement .94, shares .97 and .03: kappa 1 - .06 / .0582 < 0, AC1 1 - .06 / .9418 > .93.
        assert self.is_marked(self.RARE)

    def test_the_same_agreement_with_even_labels_is_none(self):
        assert not self.is_marked([[0, 0]] * 47 + [[1, 1]] * 47 + [[0, 1]] * 3 + [[1, 0]] * 3)

    def test_raters_who_disagree_are_none(self):
        assert not self.is_marked([[0, 0]] * 60 + [[0, 1]] * 40)

    def test_what_is_undefined_is_none(self):
        assert not self.is_marked([[0, 0]] * 9)

    @given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=80))
    def test_renaming_labels_changes_nothing(self, rows):
        votes = np.array(rows)
        assert self.is_marked(votes) == self.is_marked(1 - votes)


@pytest.mark.skipif(not HUMAN_VOTES.exists(), reason="needs ../shared/data/openqa-eval")
class TestNQ301:
    @staticmethod
    def votes():
        labels = {"Yes": 0, "No": 1, "": -1}
        with HUMAN_VOTES.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            return np.array([[labels[row["annotator1"]], labels[row["annotator2"]]] for row in rows])

    @pytest.mark.parametrize(
        ("rule", "items", "disagreements", "fleiss"),
        [
            (MissingVotes.OWN_CATEGORY, 1490, 202, 0.7276),
            (MissingVotes.DROP, 1483, 195, 0.7347),
            (MissingVotes.AS_INCORRECT, 1490, None, 0.7264),
            (MissingVotes.AS_CORRECT, 1490, None, 0.7357),
        ],
    )
    def test_published_kappa_under_each_rule(self, rule, items, disagreements, fleiss):
        ratings = agreement.fill_missing_votes(
            votes=self.votes(), label_count=2, rule=rule, incorrect=1, correct=0
        )
        sums = total(ratings.votes, ratings.label_count)
        assert len(ratings.votes) == items
        assert disagreements is None or sums.disagreeing == disagreements
        assert agreement.compute(agreement.fleiss_kappa, sums) == pytest.approx(fleiss, abs=5e-5)

    def test_cohen_with_the_blank_as_its_own_category(self):
        ratings = agreement.fill_missing_votes(
            votes=self.votes(), label_count=2, rule=MissingVotes.OWN_CATEGORY, incorrect=1, correct=0
        )
        assert cohen(ratings.votes) == pytest.approx(0.7277, abs=5e-5)

    @pytest.mark.parametrize(
        ("rule", "labels", "ac1"),
        [
            (MissingVotes.OWN_CATEGORY, 3, 0.820),
            (MissingVotes.DROP, 2, 0.739),
            (MissingVotes.AS_INCORRECT, 2, 0.731),
        ],
    )
    def test_ac1_counts_the_blank_as_a_label_only_where_it_is_one(self, rule, labels, ac1):
        ratings = agreement.fill_missing_votes(
            votes=self.votes(), label_count=2, rule=rule, incorrect=1, correct=0
        )
        sums = total(ratings.votes, ratings.label_count)
        assert ratings.label_count == labels
        assert agreement.compute(agreement.gwet_ac1, sums) == pytest.approx(ac1, abs=5e-4)
