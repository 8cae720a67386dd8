"""How many labels scores still need, which answers they should be of, and what a judge saves of them.

Answers, or whole questions with the answers of several systems, are split by how unsure the judge is, and
labels go where most is unknown: by Neyman's allocation, as labels show it and not as the judge claims, so
that a judge that is sure and wrong costs next to nothing.
"""

import math
from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Interval, estimated_share_interval
from analysis.prejudging.corrected import PRIOR_ROWS, Corrected, bound_whole, correct
from analysis.ranking import paired_difference

STRATA = 10
# Drawn at random before any allocation: ten labels a stratum or so say where more is unknown.
PILOT_LABELS = 100
# Fewer labels of a system tell no score of it, however good the judge: the normal approximation fails.
FEWEST_LABELS = 30
ACCEPTS_FROM = 0.5
FEWEST_IN_STRATUM = 2
# Before labels tell what is rare.
FEWEST_UNSEEN = 8
# Before labels tell, a judge is taken to err so much more than it claims: plans by its word alone fell short.
CLAIM_FALLS_SHORT = 1.25
# How many labels the judge's own word on its errors is worth, overall and in a stratum.
WORTH_OF_CLAIM = 20.0
WORTH_IN_STRATUM = 10.0
# No answer is as sure as to be left out.
_LEAST_VARIANCE = 0.02 * 0.98
_ROUNDS = 3
# By all systems alike, or by the least sure alone, plans of five systems took more questions.
_FAVORS_LEAST_SURE = 4
# Of rows that are all labelled nothing is unknown of any system, and all weigh alike.
_NOTHING = 1e-12


class NoPromise(StrEnum):
    """Why no saving is promised."""

    NO_BETTER_THAN_JUDGED = "no_better_than_judged"
    SAVES_NOTHING = "saves_nothing"


class Plan(NamedTuple):
    """What it takes for a 95% interval of so many points to both sides.

    Labels are answers, or where several systems are planned together questions, whose answers are judged
    together. wanted: labels in each stratum, those there are among them. labels, more: all of these, and how
    many are still to come. plain: how many a simple random sample without a judge would take. half_width:
    what is expected of the least sure system; more than was asked where all labels there can be do not reach
    it. expected_saving: the share of plain that is spared in the end, below 0 where none is, with what a plan
    by few labels may still take beyond these. saved_share: the same, None where nothing is
    promised, and then why. is_claimed: no pilot of labels tells yet how good the judge is, so this is what it
    claims itself.
    """

    wanted: Integers
    labels: int
    more: int
    plain: int
    half_width: float
    expected_saving: float
    saved_share: float | None
    why: NoPromise | None
    is_claimed: bool


class Draw(NamedTuple):
    """Places of the rows drawn, rising; with which probability each row was to be among the labelled."""

    rows: Integers
    probability: Floats


def uncertainty_strata(predictions: Floats, *, strata: int = STRATA) -> Integers:
    """Split rows by how unsure the judge is, 0 = surest, so that each part should get about as many labels.

    predictions: probabilities, a row each, or systems × rows; NaN = it abstained, or the system has no
    answer: both as unsure as can be. Equally unsure rows are in one stratum, so that there may be fewer.
    Source: cumulative √f (Dalenius and Hodges 1959), with √ of the mean p (1 - p) of a row's answers for the
    density.
    """
    sure = np.nan_to_num(np.atleast_2d(predictions), nan=0.5)
    # 1 - .9 is a little less than .1.
    unsure = np.round((sure * (1.0 - sure)).mean(axis=0), 12)
    order = np.argsort(unsure, kind="stable")
    spread = np.sqrt(np.maximum(unsure, _LEAST_VARIANCE))[order]
    reached = np.cumsum(spread) - spread / 2.0
    numbers = np.minimum((reached / max(spread.sum(), 1e-12) * strata).astype(np.int64), strata - 1)
    found = np.empty(len(unsure), dtype=np.int64)
    # The first row of those equally unsure says where all of them go.
    firsts = np.searchsorted(unsure[order], unsure[order], side="left")
    found[order] = numbers[firsts]
    _, dense = np.unique(found, return_inverse=True)
    return dense.reshape(-1).astype(np.int64)


def plan_labels(
    *,
    predictions: Floats,
    labels: Floats,
    labelled: Flags,
    strata: Integers,
    half_width: float,
    beyond: bool = False,
) -> Plan:
    """Say how many labels of which stratum bring the intervals of scores to `half_width` on both sides.

    predictions, labels: of one system a value a row, or systems × rows, such as questions, of which each is
    labelled for all systems at once; the least sure system decides. labels: 0 to 1, of rows labelled so far,
    which were drawn at random within strata; NaN where a system has no answer. beyond: the interval is of the
    share among all rows of the kind, as the leaderboard's is (`estimated_share_interval`), else of just these
    (`corrected_mean`). Before `PILOT_LABELS` are there it goes by what the judge claims; draw these first, at
    random. Raises ValueError where half_width is not above 0.

    What is expected is the interval that `correct` will give, whose variances of few labels are drawn in: a
    plan by the errors that a pilot shows, and be it ten labels a stratum, promises more than is kept. A
    stratum's variance is what the judge claims, scaled by how often it errs against its word, and what labels
    say, as by `WORTH_IN_STRATUM` labels. Source: Neyman 1934, with the finite population's correction
    (Cochran 1977, chapter 5). No saving is promised unless the judge is right more often than the best judged
    system is, beyond chance: otherwise at most half could ever be saved (Dorner et al. 2025).
    """
    if half_width <= 0.0:
        raise ValueError("The half-width must be above 0.")
    predictions, labels = np.atleast_2d(predictions), np.atleast_2d(labels)
    labels = np.where(labelled, labels, np.nan)
    drawn = np.bincount(strata, weights=labelled).astype(np.int64)
    is_claimed = int(labelled.sum()) < min(PILOT_LABELS, len(labelled))
    known = _learn(predictions, labels, strata, drawn, is_claimed=is_claimed)

    def width(wanted: Floats) -> float:
        return _widest(known.shares, known.variance(wanted), known.rows, wanted.sum(), beyond=beyond)

    wanted = _allocate(known, least=drawn, reaches=lambda each: width(each) <= half_width)
    plain = plain_rows(known.shares, known.rows, half_width, beyond=beyond)
    total = int(wanted.sum())
    better = _is_better(predictions, labels, known.shares, is_claimed=is_claimed)
    more = total - int(labelled.sum())
    # Measured: who stops once the interval is there draws on where a plan was short, never back.
    further = total / math.sqrt(max(int(labelled.sum()), PILOT_LABELS)) if more > 0 else 0.0
    saved = 1.0 - (total + further) / max(plain, 1)
    why = NoPromise.NO_BETTER_THAN_JUDGED if not better else NoPromise.SAVES_NOTHING if saved <= 0.0 else None
    return Plan(
        wanted=wanted,
        labels=total,
        more=more,
        plain=plain,
        half_width=width(wanted.astype(np.float64)),
        expected_saving=saved,
        saved_share=None if why else saved,
        why=why,
        is_claimed=is_claimed,
    )


def plain_rows(shares: Floats, rows: int, half_width: float, *, beyond: bool) -> int:
    """Return how many of so many rows a simple random sample takes for the same width, without a judge.

    shares: of right answers, by system.
    """
    few, many = 1, rows
    while few < many:
        middle = (few + many) // 2
        variance = shares * (1.0 - shares) * (1.0 / middle - 1.0 / rows)
        width = _widest(shares, variance, rows, middle, beyond=beyond)
        few, many = (few, middle) if width <= half_width else (middle + 1, many)
    return many


def soften(predictions: Floats, labels: Floats) -> Floats:
    """Return predictions that say how unsure they are: of bare verdicts, by the labels there are.

    Both are of one shape, NaN = none. Before enough labels say how often a verdict is wrong, it is worth
    nothing.
    """
    known = predictions[~np.isnan(predictions)]
    if ((known > 0.0) & (known < 1.0)).any():
        return predictions
    both = ~(np.isnan(predictions) | np.isnan(labels))
    if both.sum() < FEWEST_LABELS:
        return np.where(np.isnan(predictions), np.nan, 0.5)
    wrong = (float((predictions[both] != labels[both]).sum()) + 1.0) / (float(both.sum()) + 2.0)
    return np.abs(predictions - min(wrong, 0.5))


def draw_sample(*, strata: Integers, labelled: Flags, wanted: Integers, seed: int) -> Draw:
    """Draw the rows that a plan still wants, in each stratum at random among those not labelled yet.

    Those labelled so far and these together are a random sample of their stratum, whose share of it is the
    probability to record for each row of it, drawn or not.
    """
    generator = np.random.default_rng(seed)
    chosen = [np.zeros(0, dtype=np.int64)]
    probability = np.zeros(len(strata))
    for stratum in range(len(wanted)):
        own = np.flatnonzero(strata == stratum)
        free = own[~labelled[own]]
        more = min(max(int(wanted[stratum]) - (len(own) - len(free)), 0), len(free))
        chosen.append(generator.choice(free, size=more, replace=False))
        probability[own] = (len(own) - len(free) + more) / max(len(own), 1)
    return Draw(np.sort(np.concatenate(chosen)), probability)


def draw_pilot(*, rows: int, labels: int = PILOT_LABELS, seed: int) -> Draw:
    """Draw the first labels, each row as probably as any other."""
    size = min(labels, rows)
    chosen = np.random.default_rng(seed).choice(rows, size=size, replace=False)
    return Draw(np.sort(chosen).astype(np.int64), np.full(rows, size / max(rows, 1)))


def pool_draws(*, drawn: Flags, probability: Floats, answers: Integers) -> tuple[Flags, Floats]:
    """Return for each row whether, and how probably, any row of its answer was drawn.

    Systems are planned each by themselves, and people judge an answer once for all systems that gave it.
    """
    names, numbers = np.unique(answers, return_inverse=True)
    flat = numbers.reshape(-1)
    any_drawn = np.bincount(flat, weights=drawn, minlength=len(names)) > 0
    with np.errstate(divide="ignore"):
        missed = np.bincount(flat, weights=np.log1p(-probability), minlength=len(names))
    pooled: Floats = -np.expm1(missed.astype(np.float64))
    return any_drawn[flat], pooled[flat]


class _Known(NamedTuple):
    """What is expected of labels.

    sizes: rows of each stratum. shares: of right answers, by system. spread: systems × strata, the variance
    of what a label differs from the tuned prediction. is_claimed: no labels tell of it yet.
    """

    sizes: Floats
    shares: Floats
    spread: Floats
    is_claimed: bool

    @property
    def rows(self) -> int:
        return int(self.sizes.sum())

    def drawn_in(self, labels: Floats) -> Floats:
        """Return the spread that `correct` will find with so many labels a stratum: systems × strata.

        It draws variances towards that of the stratum or of all, whichever leaves more unknown.
        """
        rows = labels * np.ones_like(self.spread)
        in_stratum = ((rows * self.spread).sum(axis=0) + 0.25) / (rows.sum(axis=0) + 1.0)
        total = float(rows.sum())
        # By the rows that labels stand for, as `correct` has it: where more is labelled, more is unknown.
        typical = float((self.sizes * self.spread).sum()) / (len(self.spread) * self.rows)
        everywhere = (total * typical + 0.25) / (total + 1.0)
        prior = np.maximum(in_stratum, everywhere)
        found: Floats = (rows * self.spread + PRIOR_ROWS * prior) / (rows + PRIOR_ROWS)
        return found

    def variance(self, labels: Floats) -> Floats:
        """Return the variance of each system's score with so many labels a stratum."""
        lack = np.maximum(0.0, 1.0 / np.maximum(labels, 1.0) - 1.0 / self.sizes)
        weights = np.square(self.sizes / self.rows)
        found: Floats = (weights * self.drawn_in(labels) * lack).sum(axis=1)
        return found


def _learn(
    predictions: Floats, labels: Floats, strata: Integers, drawn: Integers, *, is_claimed: bool
) -> _Known:
    systems, sure = len(labels), np.nan_to_num(predictions, nan=0.5)
    sizes = np.bincount(strata).astype(np.float64)
    in_stratum = (strata[:, np.newaxis] == np.arange(len(sizes))).astype(np.float64)
    is_label = ~np.isnan(labels)
    found = _correct(predictions, labels, strata, drawn / sizes)
    trust = np.ones(systems) if is_claimed else found.tuning
    means = found.values.reshape(labels.shape).mean(axis=1)
    shares = np.where(np.isnan(means) | is_claimed, sure.mean(axis=1), np.clip(means, 0.0, 1.0))

    def mean(each: Floats) -> Floats:
        return np.asarray(each @ in_stratum / sizes)

    apart = mean(sure * sure) - np.square(mean(sure))
    claimed = mean(sure * (1.0 - sure)) + np.square(1.0 - trust)[:, np.newaxis] * np.maximum(apart, 0.0)
    errors = np.where(is_label, np.nan_to_num(labels) - trust[:, np.newaxis] * sure, 0.0)
    count, total, squares = (
        each @ in_stratum for each in (is_label.astype(np.float64), errors, errors * errors)
    )
    apart = np.maximum(squares - total * total / np.maximum(count, 1.0), 0.0)
    free = np.maximum(count - 1.0, 0.0)
    # First all systems' errors against the judge's word, then each one's against these.
    prior = WORTH_OF_CLAIM * float((claimed * sizes).sum() / (systems * sizes.sum()))
    claim = CLAIM_FALLS_SHORT if is_claimed else 1.0
    overall = (claim * prior + apart.sum()) / max(prior + (free * claimed).sum(), 1e-12)
    own = (prior * overall + apart.sum(axis=1)) / np.maximum(prior + (free * claimed).sum(axis=1), 1e-12)
    expected = np.minimum(own[:, np.newaxis] * claimed, 0.25)
    spread = (WORTH_IN_STRATUM * expected + apart) / (WORTH_IN_STRATUM + free)
    return _Known(sizes, shares, spread, is_claimed)


def _correct(predictions: Floats, labels: Floats, strata: Integers, probability: Floats) -> Corrected:
    systems, rows = labels.shape
    return correct(
        labels=labels.reshape(-1),
        predictions=predictions.reshape(-1),
        # What nobody labelled yet could have been drawn, as far as anybody knows.
        probability=np.tile(np.maximum(probability, 1e-6)[strata], systems),
        groups=np.repeat(np.arange(systems), rows),
        group_count=systems,
        strata=np.tile(strata, systems),
    )


def _widest(shares: Floats, variance: Floats, rows: int, labels: float, *, beyond: bool) -> float:
    """Return the half width of the least sure system's interval."""
    found = [
        estimated_share_interval(share=share, total=rows, variance=each)
        if beyond
        else bound_whole(share, each, max(int(labels), 2))
        for share, each in zip(shares.tolist(), variance.tolist(), strict=True)
    ]
    return max((each.high - each.low) / 2.0 if isinstance(each, Interval) else 0.5 for each in found)


def _allocate(known: _Known, *, least: Integers, reaches: Callable[[Floats], bool]) -> Integers:
    """Return the fewest labels by stratum that reach the width; all there are where these do not."""
    low: Floats = np.minimum(
        np.maximum(least, FEWEST_UNSEEN if known.is_claimed else FEWEST_IN_STRATUM), known.sizes
    ).astype(np.float64)

    def allot(total: int) -> Floats:
        found = low
        for _ in range(_ROUNDS):
            # Labels go where the least sure systems need them, as these decide when it is enough.
            systems = (known.variance(found) + _NOTHING) ** _FAVORS_LEAST_SURE
            spread = systems @ known.drawn_in(found) / systems.sum()
            found = _share_out(total, known.sizes * np.sqrt(spread), low=low, high=known.sizes)
        return found

    few, many = min(FEWEST_LABELS, known.rows), known.rows
    while few < many:
        middle = (few + many) // 2
        few, many = (few, middle) if reaches(_round(allot(middle))) else (middle + 1, many)
    return _round(allot(many)).astype(np.int64)


def _round(labels: Floats) -> Floats:
    """Round to whole labels and keep their sum: rounded up, each stratum would take half a label too many."""
    whole = np.floor(labels + 1e-6)
    left = round(float(labels.sum() - whole.sum()))
    whole[np.argsort(whole - labels, kind="stable")[:left]] += 1.0
    return whole


def _share_out(total: float, weights: Floats, *, low: Floats, high: Floats) -> Floats:
    """Share labels out by weight, each part of at least `low` and at most `high`."""
    # What a factor of the weights gives rises by straight lines, which bend where a part meets an end.
    own = np.maximum(weights, _NOTHING)
    factors = np.sort(np.concatenate([low / own, high / own]))
    given = np.clip(factors[:, np.newaxis] * own, low, high).sum(axis=1)
    found: Floats = np.clip(float(np.interp(total, given, factors)) * own, low, high)
    return found


def _is_better(predictions: Floats, labels: Floats, shares: Floats, *, is_claimed: bool) -> bool:
    """Say whether the judge is right more often than the best system is, beyond chance."""
    best = int(shares.argmax())
    said, own = predictions[best], labels[best]
    if is_claimed:
        sure = np.nan_to_num(said, nan=0.5)
        return float(np.maximum(sure, 1.0 - sure).mean()) > float(sure.mean())
    known = ~np.isnan(own) & ~np.isnan(said)
    right = ((said >= ACCEPTS_FROM) == (own >= ACCEPTS_FROM)).astype(np.float64)
    found = paired_difference(
        first=right[known], second=own[known], clusters=np.flatnonzero(known).astype(np.int64)
    )
    return isinstance(found.interval, Interval) and found.interval.low > 0.0
