"""Samples that stand for more rows: weights by hand, shares beside statsmodels and SciPy, coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from analysis.intervals import Figure, Why
from analysis.sampling import (
    NEVER_DRAWN,
    Ratio,
    measure_shares,
    weigh_sample,
)
from tests.analysis.ratios import ratio_resampled_by_scipy


def flags(text):
    return np.array([letter == "x" for letter in text])


class TestWeighSample:
    def test_each_stands_for_its_part_of_its_cell(self):
        # Of six rows two were looked at, of three one, and the last could never be drawn.
        cells = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, NEVER_DRAWN])
        weights = weigh_sample(target=flags("xxxxxxxxxx"), sampled=flags("xx....x..x"), cells=cells)
        assert weights.tolist() == [3, 3, 0, 0, 0, 0, 3, 0, 0, 0]

    def test_only_rows_of_the_target_count_on_either_side(self):
        weights = weigh_sample(target=flags("xx.."), sampled=flags("x.x."), cells=np.zeros(4, np.int64))
        assert weights.tolist() == [2, 0, 0, 0]

    def test_a_cell_that_nobody_looked_at_is_stood_for_by_none(self):
        weights = weigh_sample(target=flags("xxxx"), sampled=flags("x..."), cells=np.array([0, 0, 1, 1]))
        assert weights.tolist() == [2, 0, 0, 0]

    @pytest.mark.parametrize("size", [0, 3])
    def test_where_nothing_could_be_drawn_nothing_has_weight(self, size):
        nothing = np.full(size, NEVER_DRAWN)
        weights = weigh_sample(target=np.ones(size, bool), sampled=np.ones(size, bool), cells=nothing)
        assert weights.tolist() == [0] * size

    @given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(-1, 3)), max_size=40))
    def test_weights_add_up_to_the_rows_stood_for(self, rows):
        target, sampled = (np.array([row[place] for row in rows], dtype=bool) for place in (0, 1))
        cells = np.array([row[2] for row in rows], dtype=np.int64)
        weights = weigh_sample(target=target, sampled=sampled, cells=cells)
        seen = set(cells[target & sampled].tolist()) - {NEVER_DRAWN}
        assert weights.sum() == pytest.approx(np.isin(cells[target], list(seen)).sum())

    def test_all_looked_at_stand_for_themselves(self):
        target = flags("x.xx.")
        weights = weigh_sample(target=target, sampled=target, cells=np.array([0, 0, 1, 2, 2]))
        assert weights.tolist() == target.astype(float).tolist()


def share(numerator, denominator, clusters, sampled=None):
    ratio = Ratio(*(np.array(each, float) for each in (numerator, denominator, sampled or denominator)))
    (found,) = measure_shares(ratios=[ratio], clusters=np.array(clusters))
    return found


class TestMeasureShares:
    def test_weighs_rows(self):
        # By hand: (3 + 4) / (3 + 3 + 4).
        assert share([3, 0, 4], [3, 3, 4], [0, 1, 2]).value == pytest.approx(0.7)

    def test_statsmodels_finds_the_same_weighted_mean(self):
        generator = np.random.default_rng(3)
        weights, has = generator.integers(1, 9, 50).astype(float), generator.random(50) < 0.4
        expected = DescrStatsW(has.astype(float), weights=weights).mean
        assert share(weights * has, weights, range(50)).value == pytest.approx(expected)

    def test_scipy_finds_the_same_interval_over_clusters(self):
        parts, wholes, expected = ratio_resampled_by_scipy()
        (found,) = measure_shares(ratios=[Ratio(parts, wholes, wholes)], clusters=np.arange(60))
        assert found.interval == pytest.approx(expected, abs=0.02)

    def test_none_and_all_have_the_exact_interval_over_clusters(self):
        # Ten rows in five clusters: as none, or all, of five.
        clusters = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
        exact = proportion_confint(0, 5, method="beta")
        assert share([0] * 10, [1] * 10, clusters).interval == pytest.approx(exact)
        mirrored = (1 - exact[1], 1.0)
        assert share([1] * 10, [1] * 10, clusters).interval == pytest.approx(mirrored)

    def test_of_rows_nobody_looked_at_none_can_be_claimed(self):
        # Two of eight rows looked at stand for four: at most half of all can have it.
        found = share([0] * 8, [1] * 8, range(8), sampled=[2, 2, 0, 0, 0, 0, 0, 0])
        assert found.interval == pytest.approx((0, 0.5 * proportion_confint(0, 2, method="beta")[1]))

    def test_one_cluster_has_a_share_and_no_interval(self):
        found = share([1, 0], [1, 1], [7, 7])
        assert found == Figure(0.5, why=Why.TOO_FEW_QUESTIONS)

    @pytest.mark.parametrize("rows", [0, 2])
    def test_nothing_sampled_has_no_share(self, rows):
        nothing = Figure(None, why=Why.NOTHING_SAMPLED)
        assert share([0] * rows, [0] * rows, range(rows)) == nothing
        assert share([0] * rows, [1] * rows, range(rows), [0] * rows) == nothing

    def test_ratios_do_not_change_each_other(self):
        ratios = [
            Ratio(np.array(part, float), np.ones(4), np.ones(4))
            for part in ([1, 0, 0, 1], [0] * 4, [1, 1, 0, 1])
        ]
        together = measure_shares(ratios=ratios, clusters=np.arange(4))
        alone = [measure_shares(ratios=[each], clusters=np.arange(4))[0] for each in ratios]
        assert together == alone

    def test_intervals_cover_the_share_of_all_rows(self):
        # 200 questions of two kinds; of one kind a tenth is looked at, of the other half.
        generator = np.random.default_rng(11)
        cells = np.repeat([0, 1], [150, 50])
        covered = 0
        for _ in range(300):
            has = generator.random(200) < np.where(cells == 0, 0.2, 0.7)
            sampled = np.zeros(200, dtype=bool)
            sampled[generator.choice(150, 30, replace=False)] = True
            sampled[150 + generator.choice(50, 25, replace=False)] = True
            weights = weigh_sample(target=np.ones(200, bool), sampled=sampled, cells=cells)
            ratio = Ratio(weights * has, weights, weights)
            (found,) = measure_shares(ratios=[ratio], clusters=np.arange(200))
            low, high = found.interval
            covered += low <= 0.75 * 0.2 + 0.25 * 0.7 <= high
        assert 0.92 <= covered / 300 <= 0.99
