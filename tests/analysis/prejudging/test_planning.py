"""Plans reach the width they promise, with fewer labels where the judge is good, and no more where not."""

import numpy as np
import pytest

from analysis.arrays import Flags, Floats, Integers
from analysis.prejudging.corrected import corrected_mean
from analysis.prejudging.planning import (
    PILOT_LABELS,
    NoPromise,
    Plan,
    draw_pilot,
    draw_sample,
    plan_labels,
    pool_draws,
    soften,
    uncertainty_strata,
)


def make_study(seed: int = 1, size: int = 3_000) -> tuple[Floats, Floats]:
    """Return labels and the probabilities of a calibrated judge that is right in nine of ten."""
    generator = np.random.default_rng(seed)
    probability = generator.beta(0.35, 0.2, size)
    return (generator.random(size) < probability).astype(np.float64), probability


class TestUncertaintyStrata:
    def test_are_ordered_by_uncertainty_and_share_it_out(self) -> None:
        _, probability = make_study()
        strata, unsure = uncertainty_strata(probability), np.minimum(probability, 1 - probability)
        means = [unsure[strata == place].mean() for place in range(10)]
        assert means == sorted(means)
        spread = np.sqrt(np.maximum(probability * (1 - probability), 0.02 * 0.98))
        shares = np.bincount(strata, weights=spread) / spread.sum()
        assert shares == pytest.approx(np.full(10, 0.1), abs=0.01)

    def test_keep_equally_unsure_answers_together(self) -> None:
        strata = uncertainty_strata(np.array([0.9, 0.1, 0.9, 0.1, np.nan, 0.5]))
        assert strata[:4].tolist() == [0] * 4
        assert strata[4] == strata[5]

    def test_are_one_where_the_judge_says_the_same_of_all(self) -> None:
        assert uncertainty_strata(np.full(50, 0.7)).tolist() == [0] * 50


class TestPlanLabels:
    @staticmethod
    def plan(
        labels: Floats, probability: Floats, *, pilot: int = PILOT_LABELS, half_width: float = 0.02
    ) -> tuple[Plan, Integers, Flags]:
        strata = uncertainty_strata(probability)
        labelled = np.zeros(len(labels), dtype=bool)
        labelled[draw_pilot(rows=len(labels), labels=pilot, seed=3).rows] = True
        found = plan_labels(
            predictions=probability,
            labels=labels,
            labelled=labelled,
            strata=strata,
            half_width=half_width,
        )
        return found, strata, labelled

    def test_a_plain_sample_is_the_textbook_size(self) -> None:
        # Half are right: .25 · (1.96 / .02)² = 2,401, and of 3,000 that is 1,334.
        labels = np.tile([0.0, 1.0], 1_500)
        found, *_ = self.plan(labels, np.full(3_000, 0.5), pilot=3_000)
        assert found.plain == 1_334

    def test_by_neyman_where_variances_are_known(self) -> None:
        # Two strata of 1,000, in one half are right and in one all: nearly all labels go to the first.
        labels = np.concatenate([np.ones(1_000), np.tile([0.0, 1.0], 500)])
        probability = np.concatenate([np.full(1_000, 0.999), np.full(1_000, 0.5)])
        strata = np.repeat([0, 1], 1_000)
        labelled = np.tile(np.arange(1_000) < 300, 2)
        found = plan_labels(
            predictions=probability, labels=labels, labelled=labelled, strata=strata, half_width=0.01
        )
        # What is there stays; .25 · .25 · (1/n - 1/1,000) + .25 · .002 · (1/300 - 1/1,000) = (.01 / 1.96)²,
        # .002 being the variance of no error in 300 drawn towards that of all, as by three labels.
        assert found.wanted[0] == 300
        assert found.wanted[1] == pytest.approx(715, abs=8)
        assert found.more == found.wanted[1] - 300

    def test_a_good_judge_saves_and_a_plan_is_kept(self) -> None:
        labels, probability = make_study()
        found, strata, labelled = self.plan(labels, probability)
        assert found.saved_share is not None
        assert found.saved_share > 0.4
        assert found.labels == found.wanted.sum()
        drawn = draw_sample(strata=strata, labelled=labelled, wanted=found.wanted, seed=5)
        assert len(drawn.rows) == found.more
        labelled[drawn.rows] = True
        score = corrected_mean(
            labels=labels, labelled=labelled, predictions=probability, strata=strata, beyond=False
        )
        low, high = score.figure.interval or (0.0, 1.0)
        assert (high - low) / 2 == pytest.approx(0.02, abs=0.006)
        assert low <= labels.mean() <= high

    @pytest.mark.parametrize("kind", ["random", "inverted"])
    def test_nothing_is_promised_of_a_judge_that_is_no_better_than_the_judged(self, kind: str) -> None:
        labels, probability = make_study()
        made_up = np.random.default_rng(2).random(len(labels)) if kind == "random" else 1 - probability
        found, *_ = self.plan(labels, made_up)
        assert (found.saved_share, found.why) == (None, NoPromise.NO_BETTER_THAN_JUDGED)
        assert found.labels <= 1.1 * found.plain

    def test_before_a_pilot_it_goes_by_what_the_judge_claims(self) -> None:
        labels, probability = make_study()
        claimed, *_ = self.plan(labels, probability, pilot=0)
        known, *_ = self.plan(labels, probability)
        assert (claimed.is_claimed, known.is_claimed) == (True, False)
        assert claimed.saved_share is not None
        assert claimed.labels == claimed.more > 0

    def test_no_label_is_planned_beyond_what_the_width_takes(self) -> None:
        # Rounded up in each of ten strata, five labels more than that would be.
        found, *_ = self.plan(*make_study())
        assert 0.0199 < found.half_width <= 0.02

    def test_a_narrower_interval_takes_more_labels_up_to_all(self) -> None:
        labels, probability = make_study(size=400)
        sizes = [self.plan(labels, probability, half_width=half)[0].labels for half in (0.05, 0.03, 0.001)]
        assert sizes == sorted(sizes)
        assert 380 <= sizes[-1] <= 400

    def test_before_labels_tell_a_judge_errs_more_than_it_claims(self) -> None:
        found = plan_labels(
            predictions=np.full(10_000, 0.9),
            labels=np.zeros(10_000),
            labelled=np.zeros(10_000, dtype=bool),
            strata=np.zeros(10_000, dtype=np.int64),
            half_width=0.02,
        )
        assert found.is_claimed
        # 1.25 · .9 · .1 · (1/n - 1/10,000) = (.02 / 1.96)²; by its word alone it would be 795.
        assert found.labels == pytest.approx(975, abs=15)

    def test_a_saving_counts_what_a_plan_may_still_take(self) -> None:
        found, *_ = self.plan(*make_study())
        # A pilot of 100 is a tenth too sure of itself.
        assert found.expected_saving == pytest.approx(1 - 1.1 * found.labels / found.plain)
        done, *_ = self.plan(*make_study(), pilot=2_000)
        assert done.more == 0
        assert done.expected_saving == pytest.approx(1 - done.labels / done.plain)

    def test_refuses_no_width(self) -> None:
        with pytest.raises(ValueError, match="above 0"):
            self.plan(*make_study(), half_width=0.0)


class TestWholeQuestions:
    @staticmethod
    def plan(labels: Floats, probability: Floats, *, beyond: bool = True) -> Plan:
        labelled = np.arange(labels.shape[-1]) % 10 == 0
        return plan_labels(
            predictions=probability,
            labels=labels,
            labelled=labelled,
            strata=uncertainty_strata(probability, strata=5),
            half_width=0.03,
            beyond=beyond,
        )

    def test_the_least_sure_system_decides(self) -> None:
        (labels, probability), (sure, known) = make_study(1), make_study(2)
        sure, known = np.ones_like(sure), np.clip(known, 0.97, 1.0)
        both = self.plan(np.stack([labels, sure]), np.stack([probability, known]))
        alone, easy = self.plan(labels, probability), self.plan(sure, known)
        assert easy.labels < alone.labels < 1.25 * both.labels
        assert both.half_width == pytest.approx(0.03, abs=0.0005)

    def test_twice_the_same_system_takes_as_many_questions(self) -> None:
        labels, probability = make_study()
        one = self.plan(labels, probability)
        two = self.plan(np.stack([labels, labels]), np.stack([probability, probability]))
        assert two.plain == one.plain
        assert two.labels == pytest.approx(one.labels, rel=0.03)

    def test_an_interval_for_questions_of_the_kind_takes_more(self) -> None:
        labels, probability = make_study()
        assert self.plan(labels, probability).labels > self.plan(labels, probability, beyond=False).labels

    def test_an_answer_that_is_missing_says_nothing(self) -> None:
        labels, probability = (np.stack([each, each]) for each in make_study())
        labels[1, ::7] = probability[1, ::7] = np.nan
        found = self.plan(labels, probability)
        assert found.half_width == pytest.approx(0.03, abs=0.0005)

    def test_what_all_questions_do_not_reach_is_said(self) -> None:
        labels, probability = (each[:200] for each in make_study())
        found = self.plan(labels, probability)
        assert found.half_width > 0.03
        assert found.labels == 200


class TestSoften:
    def test_bare_verdicts_are_as_sure_as_labels_found_them(self) -> None:
        verdicts = np.tile([1.0, 0.0], 40)
        labels = np.where(np.arange(80) < 8, 1.0 - verdicts, verdicts)
        assert np.unique(soften(verdicts, labels)) == pytest.approx([9 / 82, 73 / 82])
        assert set(soften(verdicts, np.full(80, np.nan)).tolist()) == {0.5}
        unsure = np.where(np.arange(80) == 0, 0.6, verdicts)
        assert soften(unsure, labels) is unsure


class TestDrawSample:
    def test_draws_what_is_wanted_and_records_the_probability(self) -> None:
        strata = np.repeat([0, 1], [10, 20])
        labelled = np.zeros(30, dtype=bool)
        labelled[:4] = True
        drawn = draw_sample(strata=strata, labelled=labelled, wanted=np.array([6, 5]), seed=1)
        assert np.bincount(strata[drawn.rows]).tolist() == [2, 5]
        assert not labelled[drawn.rows].any()
        assert drawn.probability.tolist() == [0.6] * 10 + [0.25] * 20
        again = draw_sample(strata=strata, labelled=labelled, wanted=np.array([6, 5]), seed=1)
        assert again.rows.tolist() == drawn.rows.tolist()

    def test_never_draws_more_than_there_are(self) -> None:
        drawn = draw_sample(
            strata=np.zeros(3, dtype=np.int64),
            labelled=np.zeros(3, dtype=bool),
            wanted=np.array([9]),
            seed=1,
        )
        assert drawn.rows.tolist() == [0, 1, 2]
        assert drawn.probability.tolist() == [1.0] * 3

    def test_every_row_is_as_probable_as_recorded(self) -> None:
        counts = np.zeros(12)
        strata = np.repeat([0, 1], [4, 8])
        for seed in range(2_000):
            drawn = draw_sample(
                strata=strata, labelled=np.zeros(12, dtype=bool), wanted=np.array([3, 2]), seed=seed
            )
            counts[drawn.rows] += 1
        assert counts / 2_000 == pytest.approx(drawn.probability, abs=0.05)


class TestPoolDraws:
    def test_an_answer_of_two_systems_is_drawn_with_either(self) -> None:
        drawn, probability = pool_draws(
            drawn=np.array([True, False, False]),
            probability=np.array([0.5, 0.2, 0.1]),
            answers=np.array([7, 7, 9]),
        )
        assert drawn.tolist() == [True, True, False]
        assert probability.tolist() == pytest.approx([0.6, 0.6, 0.1])
