"""How many questions people must judge for scores that are sure enough, and of which parts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Interval, Why, estimated_share_interval

# Many small strata break the normal approximation (measured: coverage falls below 94 % with ten).
STRATA = 5
# No stratum and no sample is drawn smaller, so that what is rare can be seen.
SMALLEST_STRATUM = 8
SMALLEST_SAMPLE = 30
# How many labels the judge's own word on its errors is worth.
PRIOR_LABELS = 20.0


class Uncertainty(NamedTuple):
    """What is expected of labels before they are given; systems × strata, but for sizes: questions a stratum.

    shares: of right answers. label_variance, error_variance: of one label, and of how far it differs from
    the judge's prediction.
    """

    sizes: Integers
    shares: Floats
    label_variance: Floats
    error_variance: Floats


@dataclass(frozen=True)
class Plan:
    """How many labels scores of ± points need.

    questions, answers: to draw in all; already: questions of these that chance has drawn before.
    plain: questions without a judge; saving: the share of these that the judge spares, which is expected and
    not promised. reached: the half width that is expected of the least sure system, in points. is_better:
    whether the judge is expected to err on fewer answers than the best system does. why: why nothing is
    planned.
    """

    points: float
    judge: str
    questions: int
    answers: int
    already: int
    plain: int
    saving: float
    reached: float
    is_better: bool
    why: Why | None = None


def put_in_strata(predictions: Floats) -> Integers:
    """Return of each question which part it is drawn in: equally many in each, by how unsure the judge is.

    predictions: systems × questions, how probably each answer is right; NaN = no answer, or the judge
    abstains, of which nothing is known. Questions that cannot be told apart are of one part.
    """
    known = np.where(np.isnan(predictions), 0.5, predictions)
    unsure = np.sqrt((known * (1.0 - known)).mean(axis=0))
    edges = np.unique(np.quantile(unsure, np.linspace(0, 1, STRATA + 1)[1:-1]))
    _, strata = np.unique(np.searchsorted(edges, unsure, side="left"), return_inverse=True)
    found: Integers = strata.reshape(-1).astype(np.int64)
    return found


def expect(predictions: Floats, labels: Floats, strata: Integers) -> Uncertainty:
    """Return what is to be expected of labels, by the judge's own word, and by the labels there are.

    predictions, labels: systems × questions; labels: 1 or 0, NaN = none. A judge that errs as often as its
    probabilities say keeps them; otherwise its errors are scaled to those seen.
    """
    size = int(strata.max(initial=0)) + 1
    in_stratum = strata[np.newaxis, :] == np.arange(size)[:, np.newaxis]
    answered = ~np.isnan(predictions)
    known = np.where(answered, predictions, 0.5)
    is_label = ~np.isnan(labels)
    claimed = known * (1.0 - known)
    seen = np.square(np.where(is_label, labels - known, 0.0)).sum()
    ratio = (PRIOR_LABELS * claimed.mean() + seen) / max(
        PRIOR_LABELS * claimed.mean() + claimed[is_label].sum(), 1e-9
    )
    off = np.where(is_label, labels - known, 0.0).sum() / (is_label.sum() + PRIOR_LABELS)
    counts = np.maximum(in_stratum.sum(axis=1), 1)
    shares = np.clip((known @ in_stratum.T) / counts + off, 0.02, 0.98)
    label_variance = shares * (1.0 - shares)
    # Tuning never lets a judge cost more than people alone would.
    error_variance = np.minimum(label_variance, ratio * (claimed @ in_stratum.T) / counts)
    return Uncertainty(in_stratum.sum(axis=1).astype(np.int64), shares, label_variance, error_variance)


def allocate(expected: Uncertainty, total: int) -> Integers:
    """Return how many questions are drawn in each stratum: Neyman's allocation for all systems together.

    Source: Neyman 1934; Cochran 1977, eq. 5.26.
    """
    sizes = expected.sizes
    least = np.minimum(SMALLEST_STRATUM, sizes)
    weights = sizes * np.sqrt(np.maximum(expected.error_variance.mean(axis=0), 0.01))
    drawn = least.astype(np.float64)
    # What a full stratum cannot take, the others do.
    for _ in range(len(sizes) + 1):
        open_ = drawn < sizes
        left = total - drawn.sum()
        if left <= 0 or not open_.any():
            break
        share = np.where(open_, weights, 0.0)
        drawn = np.minimum(sizes, drawn + left * share / share.sum())
    found: Integers = np.minimum(sizes, np.ceil(drawn - 1e-9)).astype(np.int64)
    return found


def half_width(expected: Uncertainty, drawn: Integers) -> float:
    """Return the half width of the least sure system's 95 % interval, as a share."""
    return _widest(expected, expected.error_variance, drawn)


def _widest(expected: Uncertainty, variance: Floats, drawn: Integers) -> float:
    sizes = expected.sizes
    weights = sizes / sizes.sum()
    lack = 1.0 / np.maximum(drawn, 1) - 1.0 / np.maximum(sizes, 1)
    left = (weights**2 * variance * np.maximum(lack, 0.0)).sum(axis=1)
    shares = (weights * expected.shares).sum(axis=1)
    found = [
        estimated_share_interval(share=share, total=int(sizes.sum()), variance=each)
        for share, each in zip(shares.tolist(), left.tolist(), strict=True)
    ]
    return max((each.high - each.low) / 2 for each in found if isinstance(each, Interval))


def _plain_width(expected: Uncertainty, total: int) -> float:
    size = int(expected.sizes.sum())
    shares = (expected.sizes / size * expected.shares).sum(axis=1)[:, np.newaxis]
    whole = expected._replace(sizes=np.array([size]), shares=shares)
    return _widest(whole, shares * (1.0 - shares), np.array([total]))


def make_plan(
    expected: Uncertainty, *, points: float, judge: str, systems: Floats, judge_errs: float, taken: Integers
) -> tuple[Plan, Integers]:
    """Return the plan, and how many questions of each stratum it draws.

    systems: answers a question, to count labels. judge_errs: on which share of answers the judge is expected
    to err. taken: how many questions of each stratum chance has drawn already.
    """
    size, wanted = int(expected.sizes.sum()), points / 100.0

    def of(total: int) -> Integers:
        return np.maximum(allocate(expected, total), taken)

    total = _smallest(lambda each: half_width(expected, of(each)) <= wanted, size)
    plain = _smallest(lambda each: _plain_width(expected, each) <= wanted, size)
    drawn = of(total)
    questions = int(drawn.sum())
    best = float((expected.sizes / size * expected.shares).sum(axis=1).max())
    reached = half_width(expected, drawn)
    plan = Plan(
        points=points,
        judge=judge,
        questions=questions,
        answers=round(questions * float(systems.mean())),
        already=int(taken.sum()),
        plain=plain,
        saving=max(0.0, 1.0 - questions / plain),
        reached=100.0 * reached,
        is_better=judge_errs < 1.0 - best,
        why=None if reached <= wanted * 1.0001 else Why.TOO_FEW_TO_PLAN,
    )
    return plan, drawn


def _smallest(is_enough: Callable[[int], bool], most: int) -> int:
    low, high = min(SMALLEST_SAMPLE, most), most
    while low < high:
        middle = (low + high) // 2
        if is_enough(middle):
            high = middle
        else:
            low = middle + 1
    return low


def errors_expected(predictions: Floats, labels: Floats) -> float:
    """Return on which share of answers the judge errs: by labels, and by its own word as by a few more."""
    known = predictions[~np.isnan(predictions)]
    own = float(np.minimum(known, 1.0 - known).mean()) if len(known) else 0.5
    both: Flags = ~(np.isnan(predictions) | np.isnan(labels))
    wrong = float(((predictions[both] >= 0.5) != (labels[both] == 1.0)).sum())
    return (PRIOR_LABELS * own + wrong) / (PRIOR_LABELS + int(both.sum()))


def soften(predictions: Floats, labels: Floats) -> Floats:
    """Return predictions that say how unsure they are: of bare verdicts, by the labels there are.

    Before enough labels say how often a verdict is wrong, it is worth nothing.
    """
    known = predictions[~np.isnan(predictions)]
    if ((known > 0.0) & (known < 1.0)).any():
        return predictions
    both = ~(np.isnan(predictions) | np.isnan(labels))
    if both.sum() < SMALLEST_SAMPLE:
        return np.where(np.isnan(predictions), np.nan, 0.5)
    wrong = (float((predictions[both] != labels[both]).sum()) + 1.0) / (float(both.sum()) + 2.0)
    return np.abs(predictions - min(wrong, 0.5))
