"""What a certificate promises holds, and is refused where it cannot be proven."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from analysis.arrays import Flags, Floats
from analysis.prejudging.risk_control import (
    Refusal,
    certify,
    explain,
    fewest_labels,
    risk_curve,
)

DELTA = 0.1


def falling(size: int) -> Floats:
    """Return distinct confidences, the surest first."""
    return np.linspace(0.99, 0.5, size)


def wrong_at(size: int, *places: int) -> Flags:
    found = np.zeros(size, dtype=bool)
    found[list(places)] = True
    return found


def certify_by_p_values(confidence: Floats, wrong: Flags, *, alpha: float, delta: float) -> float | None:
    """Return the certified threshold as the paper has it: p-values one after the other, from scratch."""
    found = None
    for percent in range(40, 101, 2):
        rows = -(-percent * len(wrong) // 100)
        least = sorted(confidence.tolist(), reverse=True)[rows - 1]
        errors = [bad for sure, bad in zip(confidence, wrong, strict=True) if sure >= least]
        if binom.cdf(sum(errors), len(errors), alpha) > delta:
            break
        found = least
    return found


class TestCertify:
    def test_by_hand(self) -> None:
        # .95 ** 45 < .1 < .95 ** 44. With one error it takes 77 labels, with two 105.
        assert fewest_labels(alpha=0.05, delta=DELTA) == 45
        found = certify(confidence=falling(120), wrong=wrong_at(120, 80, 110), alpha=0.05, delta=DELTA)
        # 40% are 48 labels without an error; the first comes when there are 81, the second at 111.
        assert found.point is not None
        assert found.threshold == falling(120)[119]
        assert (found.point.labels, found.point.errors, found.settled_share) == (120, 2, 1.0)
        assert found.point.upper == pytest.approx(0.0436, abs=1e-3)
        assert (found.labels, found.needed, found.why) == (120, 113, None)

    def test_ends_at_the_first_threshold_that_fails(self) -> None:
        # Two errors right after the first 48 fail; that all 120 would pass is of no use.
        found = certify(confidence=falling(120), wrong=wrong_at(120, 48, 49), alpha=0.05, delta=DELTA)
        assert found.point is not None
        assert (found.point.labels, found.point.errors) == (48, 0)
        assert found.settled_share == pytest.approx(0.4)

    def test_answers_that_are_equally_sure_are_settled_together(self) -> None:
        found = certify(confidence=np.full(100, 0.9), wrong=wrong_at(100), alpha=0.05, delta=DELTA)
        assert (found.threshold, found.settled_share) == (0.9, 1.0)

    def test_takes_thresholds_and_shares_from_everything(self) -> None:
        everything = np.concatenate([np.full(30, 0.95), np.full(70, 0.6)])
        found = certify(
            confidence=np.full(60, 0.95),
            wrong=wrong_at(60),
            alpha=0.05,
            delta=DELTA,
            everything=everything,
        )
        # The surest 40% end among those at .6, so that is where the sequence begins.
        assert (found.threshold, found.settled_share) == (0.6, 1.0)

    def test_levels_are_between_zero_and_one(self) -> None:
        for alpha, delta in ((0.0, DELTA), (1.0, DELTA), (0.05, 0.0), (0.05, 1.0)):
            with pytest.raises(ValueError, match="between 0 and 1"):
                certify(confidence=falling(9), wrong=wrong_at(9), alpha=alpha, delta=delta)

    @given(st.integers(0, 10_000), st.integers(1, 300), st.sampled_from([0.02, 0.05, 0.1, 0.3]))
    def test_is_what_the_paper_says(self, seed: int, size: int, alpha: float) -> None:
        generator = np.random.default_rng(seed)
        confidence = np.round(generator.random(size), 2)
        wrong = generator.random(size) < 0.2 * (1 - confidence)
        found = certify(confidence=confidence, wrong=wrong, alpha=alpha, delta=DELTA)
        assert found.threshold == certify_by_p_values(confidence, wrong, alpha=alpha, delta=DELTA)
        order = generator.permutation(size)
        assert (
            certify(confidence=confidence[order], wrong=wrong[order], alpha=alpha, delta=DELTA).point
            == found.point
        )

    @pytest.mark.parametrize("knows_everything", [True, False])
    def test_what_it_promises_holds(self, knows_everything: bool) -> None:
        # People disagree with a share of 1 - confidence ** .2 at each confidence: 5% of all above .53.
        generator = np.random.default_rng(5)
        everything = np.sort(generator.random(20_000))
        risk = 0.12 * (1 - everything)
        above = np.cumsum(risk[::-1])[::-1] / np.arange(len(risk), 0, -1)
        broken = 0
        for _ in range(600):
            drawn = generator.integers(0, len(everything), 300)
            found = certify(
                confidence=everything[drawn],
                wrong=generator.random(300) < risk[drawn],
                alpha=0.03,
                delta=DELTA,
                everything=everything if knows_everything else None,
            )
            if found.threshold is not None:
                broken += above[np.searchsorted(everything, found.threshold)] > 0.03
        assert 0 < broken <= 600 * DELTA + 3 * (600 * DELTA * (1 - DELTA)) ** 0.5


class TestRefusal:
    def test_without_labels(self) -> None:
        found = certify(confidence=np.zeros(0), wrong=wrong_at(0), alpha=0.05, delta=DELTA)
        assert (found.why, found.point, found.settled_share) == (Refusal.NOTHING_LABELLED, None, 0.0)
        assert explain(found) == "People have not judged any answers in the calibration sample yet."

    def test_too_few_labels_even_without_an_error(self) -> None:
        found = certify(confidence=falling(110), wrong=wrong_at(110), alpha=0.05, delta=DELTA)
        assert (found.why, found.threshold, found.needed) == (Refusal.TOO_FEW_LABELS, None, 113)
        assert "That takes at least 113 labels" in explain(found)
        enough = certify(confidence=falling(113), wrong=wrong_at(113), alpha=0.05, delta=DELTA)
        assert enough.why is None

    def test_few_errors_that_more_labels_may_outweigh(self) -> None:
        found = certify(confidence=falling(120), wrong=wrong_at(120, 3), alpha=0.05, delta=DELTA)
        assert found.why is Refusal.NOT_PROVEN
        assert "people disagree with the verdict on 1 of the 48 labeled answers" in explain(found)
        assert "Label more answers, then certify again." in explain(found)

    def test_a_judge_that_errs_too_often_where_it_is_surest(self) -> None:
        found = certify(confidence=falling(400), wrong=wrong_at(400, *range(16)), alpha=0.05, delta=DELTA)
        assert (found.why, found.settled_share) == (Refusal.WRONG_TOO_OFTEN, 0.0)
        assert explain(found) == (
            "Refused: people disagree with the verdict on 16 of the 160 labeled answers with the highest "
            "confidence, which is more than the maximum error rate of 5.0%."
        )

    def test_a_certificate_says_what_it_promises(self) -> None:
        found = certify(confidence=falling(200), wrong=wrong_at(200), alpha=0.05, delta=DELTA)
        assert explain(found) == (
            "Certified: this rule may settle 100.0% of the answers that the calibration sample represents. "
            "With 90.0% confidence, people would disagree with the rule on at most 5.0% of the answers "
            "that it settles."
        )
        # What a judge is silent on is among the answers, too.
        assert "may settle 75.0% of the answers" in explain(found, spoken_share=0.75)


class TestRiskCurve:
    def test_counts_from_the_surest_to_all(self) -> None:
        points = risk_curve(confidence=falling(100), wrong=wrong_at(100, 0, 50, 99), delta=DELTA)
        assert [point.labels for point in points] == list(range(2, 101, 2))
        assert [points[place].errors for place in (0, 24, 25, 48, 49)] == [1, 1, 2, 2, 3]
        assert points[-1].settled_share == 1.0
        assert points[0].error_share == 0.5
        assert all(point.upper >= (point.error_share or 0.0) for point in points)

    def test_has_no_points_without_labels_and_none_known_where_none_lie(self) -> None:
        assert risk_curve(confidence=np.zeros(0), wrong=wrong_at(0), delta=DELTA) == []
        points = risk_curve(
            confidence=np.array([0.5]), wrong=wrong_at(1), delta=DELTA, everything=np.array([0.9, 0.5])
        )
        assert (points[0].labels, points[0].upper, points[0].error_share) == (0, 1.0, None)
