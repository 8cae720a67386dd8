"""Corrected scores are right on average, their intervals hold, and a useless judge costs nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Figure, Interval, Why
from analysis.prejudging.corrected import (
    PRIOR_ROWS_OF_AUDIT,
    Corrected,
    CorrectedMean,
    correct,
    corrected_differences,
    corrected_mean,
    corrected_means,
    rogan_gladen,
)

NAN = np.nan


def by_audit(
    people: list[float], programs: list[float], seen: list[int], probability: list[float], groups: list[int]
) -> tuple[list[float], list[float]]:
    """Correct what programs accepted, rejected or left to people; return means and variances by group."""
    said, drawn = np.array(programs), np.array(seen, dtype=bool)
    is_ruled = ~np.isnan(said)
    found = correct(
        labels=np.where(is_ruled & ~drawn, NAN, people),
        predictions=said,
        probability=np.where(is_ruled, probability, 1.0),
        groups=np.array(groups),
        group_count=max(groups) + 1,
        strata=np.nan_to_num(said, nan=2.0).astype(np.int64),
        prior_rows=PRIOR_ROWS_OF_AUDIT,
    )
    means = [float(found.values[np.array(groups) == group].mean()) for group in range(max(groups) + 1)]
    return means, found.variance.tolist()


class TestWhatProgramsSettled:
    def test_by_hand(self) -> None:
        # Programs accepted six, of which two were seen and one was wrong: three of the six are right. They
        # rejected two, of which one was seen and rightly so. People decided two, one of them right.
        people = [1, 0, NAN, NAN, NAN, NAN, 0, NAN, 1, 0]
        programs = [1, 1, 1, 1, 1, 1, 0, 0, NAN, NAN]
        seen = [1, 1, 0, 0, 0, 0, 1, 0, 0, 0]
        (mean,), (variance,) = by_audit(people, programs, seen, [1 / 3] * 6 + [0.5] * 2 + [1.0] * 2, [0] * 10)
        assert mean == pytest.approx((3 + 0 + 1) / 10)
        # Errors -1 in one of two and 0 in one, drawn by three rows towards those of the stratum, which are
        # (-1 - 1/2) / 3 and 1/2 / 2, their squares as large.
        accepted, rejected = (1 + 3 * 1.5 / 3) / 5, 3 * 0.25 / 4
        # Three labels stand for eight rows, six of them accepted: of these the mean prediction is 3/4, so a
        # half row more is off by -3/4, and one by 1/4.
        first, second = (-3 * 3 / 8 + 0.5 - 3 / 4) / 4, (3 * 3 / 8 + (9 / 16 + 1 / 16) / 2) / 4
        of_accepted = (1 + 3 * second) / 5 - ((-1 + 3 * first) / 5) ** 2
        of_rejected = 3 * second / 4 - (3 * first / 4) ** 2
        by_hand = 0.36 * max(accepted * (1 - accepted), of_accepted) * (1 / 2 - 1 / 6)
        by_hand += 0.04 * max(rejected * (1 - rejected), of_rejected) * (1 - 1 / 2)
        assert variance == pytest.approx(by_hand)

    def test_what_people_saw_entirely_is_what_they_say_and_leaves_nothing_unknown(self) -> None:
        people, programs = [1.0, 0, 0, 1], [1.0, 1, 0, 0]
        assert by_audit(people, programs, [1] * 4, [1.0] * 4, [0] * 4) == ([0.5], [0.0])

    def test_a_row_weighs_by_one_over_its_probability(self) -> None:
        # Of ten accepted by programs the one drawn at .1 was wrong, the one drawn at .5 right: 10 : 2.
        people, seen = [0, 1] + [NAN] * 8, [1, 1] + [0] * 8
        (mean,), _ = by_audit(people, [1.0] * 10, seen, [0.1, 0.5] + [0.1] * 8, [0] * 10)
        assert mean == pytest.approx(1 - 10 / 12)

    def test_a_group_of_which_nobody_saw_a_row_is_corrected_by_the_difference_of_all(self) -> None:
        people, seen = [1, 0, NAN, NAN], [1, 1, 0, 0]
        means, variances = by_audit(people, [1.0] * 4, seen, [0.5] * 4, [0, 0, 1, 1])
        assert means == [0.5, 0.5]
        assert variances[1] > 0

    def test_without_an_audit_nothing_is_known(self) -> None:
        assert np.isnan(by_audit([NAN, NAN, 1.0], [1, 1, NAN], [0, 0, 0], [0.0, 0.0, 1.0], [0] * 3)[0][0])

    def test_before_people_saw_what_was_drawn_nothing_is_known(self) -> None:
        assert np.isnan(by_audit([NAN, NAN, 1.0], [1, 1, NAN], [0, 0, 0], [0.5, 0.5, 1.0], [0] * 3)[0][0])

    def test_is_right_on_average_whatever_the_rules_err(self) -> None:
        generator = np.random.default_rng(3)
        people, programs = generator.random(400) < 0.6, generator.random(400) < 0.5
        found = []
        for _ in range(400):
            seen = generator.random(400) < 0.2
            (mean,), _ = by_audit(
                people.astype(float).tolist(),
                programs.astype(float).tolist(),
                seen.astype(int).tolist(),
                [0.2] * 400,
                [0] * 400,
            )
            found.append(mean)
        assert np.mean(found) == pytest.approx(people.mean(), abs=4 * np.std(found) / 20)


def draw(
    seed: int, *, size: int = 400, share: float = 0.3, noise: float = 0.1
) -> tuple[Floats, Flags, Floats]:
    """Return labels, which of them were drawn, and a judge's probabilities of which a share is made up."""
    generator = np.random.default_rng(seed)
    truth = np.clip(generator.beta(0.5, 0.4, size), 0.01, 0.99)
    labels = (generator.random(size) < truth).astype(np.float64)
    predictions = np.where(generator.random(size) < noise, generator.random(size), truth)
    return labels, generator.random(size) < share, predictions


def ppi_plus_plus(labels: Floats, labelled: Flags, predictions: Floats) -> tuple[float, float, float]:
    """Return mean, standard error and tuning as PPI++ has them: labelled and unlabelled rows apart."""
    one, other, said = predictions[labelled], predictions[~labelled], labels[labelled]
    n, more = len(one), len(other)
    slope = np.cov(said, one)[0, 1] / ((1 + n / more) * np.var(predictions, ddof=1))
    mean = slope * other.mean() + (said - slope * one).mean()
    error = (np.var(said - slope * one, ddof=1) / n + slope**2 * np.var(other, ddof=1) / more) ** 0.5
    return float(mean), float(error), float(slope * (1 + n / more))


class TestCorrectedMean:
    @given(st.integers(0, 1_000))
    def test_is_ppi_plus_plus_where_nothing_is_stratified(self, seed: int) -> None:
        labels, labelled, predictions = draw(seed, size=3_000)
        found = corrected_mean(labels=labels, labelled=labelled, predictions=predictions)
        mean, error, slope = ppi_plus_plus(labels, labelled, predictions)
        low, high = found.figure.interval or (0.0, 0.0)
        # They take the variance of predictions from all rows, we from those labelled, and not above 1.
        assert found.tuning == pytest.approx(min(slope, 1.0), abs=0.15)
        assert found.figure.value == pytest.approx(mean, abs=0.3 * error)
        assert (high - low) / 2 == pytest.approx(1.96 * error, rel=0.06)
        assert found.labels == labelled.sum()

    def test_with_all_labels_is_their_mean(self) -> None:
        labels, _, predictions = draw(1)
        everything = np.ones(len(labels), dtype=bool)
        found = corrected_mean(labels=labels, labelled=everything, predictions=predictions, beyond=False)
        assert found.figure.value == pytest.approx(labels.mean())
        assert found.figure.interval == (found.figure.value, found.figure.value)

    def test_a_judge_that_says_the_same_of_all_leaves_the_mean_of_the_labels(self) -> None:
        labels, labelled, _ = draw(2)
        found = corrected_mean(labels=labels, labelled=labelled, predictions=np.full(400, 0.4))
        assert found.figure.value == pytest.approx(labels[labelled].mean())

    def test_where_the_judge_abstains_people_speak_for_themselves(self) -> None:
        labels = np.array([1.0, 0, 1, 0] * 10 + [1.0] * 20)
        predictions = np.array([NAN] * 40 + [0.9] * 20)
        labelled = np.arange(60) % 4 < 2
        found = corrected_mean(labels=labels, labelled=labelled, predictions=predictions)
        # Of the 40 half of those labelled are right, of the 20 all.
        assert found.figure.value == pytest.approx((40 * 0.5 + 20) / 60)

    def test_renaming_strata_and_moving_rows_change_nothing(self) -> None:
        labels, labelled, predictions = draw(3)
        strata = (predictions * 3).astype(np.int64)
        rows = np.random.default_rng(0).permutation(len(labels))

        def mean(strata: Integers, rows: Integers) -> CorrectedMean:
            return corrected_mean(
                labels=labels[rows],
                labelled=labelled[rows],
                predictions=predictions[rows],
                strata=strata[rows],
            )

        found = mean(strata, np.arange(len(rows)))
        other = mean(7 - strata, rows)
        assert other.labels == found.labels
        assert other.figure.value == pytest.approx(found.figure.value)
        assert other.figure.interval == pytest.approx(found.figure.interval)

    @pytest.mark.parametrize("made_up", ["random", "inverted"])
    def test_a_useless_judge_makes_no_interval_wider_than_that_of_people_only(self, made_up: str) -> None:
        ratios = []
        for seed in range(100):
            labels, labelled, predictions = draw(seed, share=0.2, noise=1.0 if made_up == "random" else 0.0)
            if made_up == "inverted":
                predictions = 1.0 - predictions
            widths = [
                np.diff(corrected_mean(labels=labels, labelled=labelled, predictions=said).figure.interval)[0]
                for said in (predictions, np.zeros(len(labels)))
            ]
            ratios.append(widths[0] / widths[1])
        assert np.mean(ratios) <= 1.01
        assert max(ratios) <= 1.05

    def test_a_good_judge_makes_it_narrower(self) -> None:
        labels, labelled, predictions = draw(4)
        widths = [
            np.diff(
                corrected_mean(
                    labels=labels, labelled=labelled, predictions=said, beyond=False
                ).figure.interval
            )[0]
            for said in (predictions, np.zeros(len(labels)))
        ]
        assert widths[0] < 0.85 * widths[1]

    @pytest.mark.parametrize("beyond", [True, False])
    def test_its_interval_holds(self, beyond: bool) -> None:
        held = 0
        labels, _, predictions = draw(5, size=4_000)
        strata = np.minimum((np.minimum(predictions, 1 - predictions) * 10).astype(np.int64), 3)
        probability = np.array([0.1, 0.2, 0.3, 0.3])[strata]
        generator = np.random.default_rng(8)
        for _ in range(400):
            chosen = generator.integers(0, 4_000, 1_000) if beyond else np.arange(1_000)
            found = corrected_mean(
                labels=labels[chosen],
                labelled=generator.random(1_000) < probability[chosen],
                predictions=predictions[chosen],
                probability=probability[chosen],
                strata=strata[chosen],
                beyond=beyond,
            )
            low, high = found.figure.interval or (1.0, 0.0)
            held += low <= (labels if beyond else labels[:1_000]).mean() <= high
        assert 0.92 <= held / 400 <= 0.98

    def test_holds_where_answers_to_a_question_are_alike_and_drawn_together(self) -> None:
        generator = np.random.default_rng(9)
        hard = generator.random(3_000) < 0.5
        labels = (generator.random((3_000, 5)) < np.where(hard, 0.3, 0.9)[:, np.newaxis]).astype(np.float64)
        held, without = 0, 0
        for _ in range(300):
            chosen = generator.integers(0, 3_000, 300)
            rows = labels[chosen].reshape(-1)
            clusters = np.repeat(np.arange(300), 5)
            labelled = np.repeat(generator.random(300) < 0.3, 5)
            for given_clusters in (clusters, None):
                found = corrected_mean(
                    labels=rows,
                    labelled=labelled,
                    predictions=np.full(len(rows), 0.5),
                    clusters=given_clusters,
                )
                low, high = found.figure.interval or (1.0, 0.0)
                holds = low <= labels.mean() <= high
                held += holds and given_clusters is not None
                without += holds and given_clusters is None
        assert 0.92 <= held / 300 <= 0.98
        assert without / 300 < 0.85

    def test_strata_count_by_their_rows_however_many_are_labelled(self) -> None:
        # Of 90 rows of which the judge is sure 10 are labelled, all as it says; of 10 of which it is not 4
        # are, two right and two wrong.
        labels = np.concatenate([np.ones(90), np.tile([0.0, 1.0], 5)])
        labelled = np.concatenate([np.arange(90) < 10, np.arange(10) < 4])
        found = correct(
            labels=np.where(labelled, labels, NAN),
            predictions=np.repeat([1.0, 0.5], [90, 10]),
            probability=np.repeat([1 / 9, 0.4], [90, 10]),
            groups=np.zeros(100, dtype=np.int64),
            group_count=1,
            strata=np.repeat([0, 1], [90, 10]),
        )
        # Squared errors of all rows are .1 · .25 on average, and not 4/14 · .25 as of labels; one row more
        # than the 14 labels is half right and half wrong where .95 is predicted.
        first = (0.5 - 0.95) / 15
        second = (14 * 0.025 + (0.95**2 + 0.05**2) / 2) / 15
        of_sure = 1.5 * second / 11.5 - (1.5 * first / 11.5) ** 2
        by_hand = 0.81 * (1 / 10 - 1 / 90) * of_sure + 0.01 * (1 / 4 - 1 / 10) * 0.25
        assert found.variance[0] == pytest.approx(by_hand)

    def test_without_labels_says_so(self) -> None:
        none = np.zeros(30, dtype=bool)
        found = corrected_mean(labels=np.full(30, NAN), labelled=none, predictions=np.full(30, 0.4))
        assert found.figure == Figure(None, why=Why.NOTHING_SAMPLED)

    def test_nine_labels_have_no_interval(self) -> None:
        found = corrected_mean(
            labels=np.ones(30), labelled=np.arange(30) < 9, predictions=np.linspace(0.1, 0.9, 30)
        )
        assert found.figure.why is Why.TOO_FEW_VALUES
        assert found.figure.value is not None


class TestCorrectedMeans:
    def test_groups_of_many_labels_stand_for_themselves(self) -> None:
        labels, labelled, predictions = draw(6, size=6_000)
        groups = np.arange(6_000) % 2
        found = corrected_means(
            labels=labels, labelled=labelled, predictions=predictions, groups=groups, group_count=2
        )
        for group, one in enumerate(found):
            own = groups == group
            alone = corrected_mean(labels=labels[own], labelled=labelled[own], predictions=predictions[own])
            assert one.labels == alone.labels
            assert one.figure.value == pytest.approx(alone.figure.value, abs=1e-3)


class TestCorrectedDifferences:
    @staticmethod
    def correct_two(seed: int, gap: float) -> tuple[Corrected, Integers, Integers]:
        generator = np.random.default_rng(seed)
        easy = generator.random(800)
        truth = np.stack([0.3 + 0.5 * easy, 0.3 + 0.5 * easy - gap])
        labels = (generator.random((2, 800)) < truth).astype(np.float64).reshape(-1)
        labelled = generator.random(1_600) < 0.25
        groups, questions = np.repeat([0, 1], 800), np.tile(np.arange(800), 2)
        found = correct(
            labels=np.where(labelled, labels, NAN),
            predictions=truth.reshape(-1),
            probability=np.full(1_600, 0.25),
            groups=groups,
            group_count=2,
        )
        return found, groups, questions

    def test_hold_the_difference(self) -> None:
        held = 0
        for seed in range(300):
            corrected, groups, questions = self.correct_two(seed, 0.1)
            (found,) = corrected_differences(
                corrected=corrected, groups=groups, questions=questions, pairs=[(0, 1)]
            )
            assert isinstance(found.interval, Interval)
            held += found.interval.low <= 0.1 <= found.interval.high
        assert 0.92 <= held / 300 <= 0.985

    def test_is_the_difference_of_the_means(self) -> None:
        corrected, groups, questions = self.correct_two(1, 0.1)
        (found,) = corrected_differences(
            corrected=corrected, groups=groups, questions=questions, pairs=[(1, 0)]
        )
        means = [corrected.values[groups == group].mean() for group in (0, 1)]
        assert found.difference == pytest.approx(means[1] - means[0])


class TestRoganGladen:
    def test_by_hand(self) -> None:
        # It accepts 50 of 100; elsewhere 90 of 100 right ones, and it rejects 80 of 100 wrong ones.
        found = rogan_gladen(
            accepted=50, rows=100, right_accepted=90, right=100, wrong_rejected=80, wrong=100
        )
        assert found.value == pytest.approx((0.5 + 0.8 - 1) / (0.9 + 0.8 - 1))
        assert found.low is not None
        assert found.high is not None
        assert found.low < 0.4286 < found.high

    def test_holds_what_is_so(self) -> None:
        generator, held = np.random.default_rng(2), 0
        for _ in range(1_000):
            right = generator.binomial(200, 0.7)
            found = rogan_gladen(
                accepted=generator.binomial(right, 0.92) + generator.binomial(200 - right, 0.15),
                rows=200,
                right_accepted=generator.binomial(80, 0.92),
                right=80,
                wrong_rejected=generator.binomial(60, 0.85),
                wrong=60,
            )
            low, high = found.interval or (1.0, 0.0)
            held += low <= 0.7 <= high
        assert 0.93 <= held / 1_000 <= 0.98

    def test_a_judge_that_accepts_wrong_answers_as_often_says_nothing(self) -> None:
        found = rogan_gladen(accepted=5, rows=10, right_accepted=5, right=10, wrong_rejected=5, wrong=10)
        assert found == Figure(None, why=Why.NO_BETTER_THAN_CHANCE)

    def test_needs_verdicts_and_labels_of_both_kinds(self) -> None:
        none = rogan_gladen(accepted=0, rows=0, right_accepted=5, right=10, wrong_rejected=5, wrong=10)
        assert none.why is Why.NOTHING_COUNTED
        one = rogan_gladen(accepted=1, rows=2, right_accepted=5, right=10, wrong_rejected=0, wrong=0)
        assert one.why is Why.NOTHING_SAMPLED
