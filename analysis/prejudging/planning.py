"""How many labels a score still needs, which answers they should be of, and what a judge saves of them.

Answers are split by how unsure the judge is, and labels go where most is unknown: by Neyman's allocation, as
labels show it and not as the judge claims, so that a judge that is sure and wrong costs next to nothing.
"""

from enum import StrEnum
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import LEVEL, Interval
from analysis.prejudging.corrected import PRIOR_ROWS, corrected_mean
from analysis.ranking import paired_difference

STRATA = 10
# Drawn at random before any allocation: ten labels a stratum or so say where more is unknown.
PILOT_LABELS = 100
ACCEPTS_FROM = 0.5
FEWEST_IN_STRATUM = 2
# No answer is as sure as to be left out.
_LEAST_VARIANCE = 0.02 * 0.98
_REACH = NormalDist().inv_cdf(0.5 + LEVEL / 2.0)


class NoPromise(StrEnum):
    """Why no saving is promised."""

    NO_BETTER_THAN_JUDGED = "no_better_than_judged"
    SAVES_NOTHING = "saves_nothing"


class Plan(NamedTuple):
    """What it takes for a 95 % interval of so many points to both sides.

    wanted: labels in each stratum, those there are among them. labels, more: all of these, and how many are
    still to come. plain: how many a simple random sample without a judge would take. saved_share: of these,
    0 to 1, None where nothing is promised, and then why. is_claimed: no pilot of labels tells yet how good
    the judge is, so this is what it claims itself.
    """

    wanted: Integers
    labels: int
    more: int
    plain: int
    saved_share: float | None
    why: NoPromise | None
    is_claimed: bool


class Draw(NamedTuple):
    """Places of the rows drawn, rising; with which probability each row was to be among the labelled."""

    rows: Integers
    probability: Floats


def uncertainty_strata(predictions: Floats, *, strata: int = STRATA) -> Integers:
    """Split rows by how unsure the judge is, 0 = surest, so that each part should get about as many labels.

    predictions: probabilities, NaN = it abstained, which is as unsure as can be. Equally unsure rows are in
    one stratum, so that there may be fewer. Source: cumulative √f (Dalenius and Hodges 1959), with each row's
    own standard deviation √(p (1 - p)) for the density.
    """
    sure = np.nan_to_num(predictions, nan=0.5)
    # 1 - .9 is a little less than .1.
    unsure = np.round(np.minimum(sure, 1.0 - sure), 12)
    order = np.argsort(unsure, kind="stable")
    spread = np.sqrt(np.maximum(sure * (1.0 - sure), _LEAST_VARIANCE))[order]
    reached = np.cumsum(spread) - spread / 2.0
    numbers = np.minimum((reached / max(spread.sum(), 1e-12) * strata).astype(np.int64), strata - 1)
    found = np.empty(len(sure), dtype=np.int64)
    # The first row of those equally unsure says where all of them go.
    firsts = np.searchsorted(unsure[order], unsure[order], side="left")
    found[order] = numbers[firsts]
    _, dense = np.unique(found, return_inverse=True)
    return dense.reshape(-1).astype(np.int64)


def plan_labels(
    *, predictions: Floats, labels: Floats, labelled: Flags, strata: Integers, half_width: float
) -> Plan:
    """Say how many labels of which stratum bring the interval of a score to `half_width` on both sides.

    The interval is that of these rows (`corrected_mean` with `beyond=False`), of one system. labels: 0 to 1,
    of rows labelled so far, which were drawn at random within strata. Before `PILOT_LABELS` are there it goes
    by what the judge claims; draw these first, at random. A plan of few labels may end a little too early:
    plan again with what they say. Each stratum's variance is drawn towards that of
    all as by `PRIOR_ROWS` more labels. Raises ValueError where half_width is not above 0.
    Source: Neyman 1934, with the finite population's correction (Cochran 1977, chapter 5). No saving
    is promised unless the judge is right more often than the judged system is, beyond chance: otherwise at
    most half could ever be saved (Dorner et al. 2025).
    """
    if half_width <= 0.0:
        raise ValueError("The half-width is above 0.")
    rows = np.bincount(strata).astype(np.float64)
    drawn = np.bincount(strata, weights=labelled, minlength=len(rows))
    is_claimed = int(labelled.sum()) < min(PILOT_LABELS, len(labels))
    sure = np.nan_to_num(predictions, nan=0.5)
    said = sure if is_claimed else np.where(labelled, labels, 0.0)
    found = corrected_mean(
        labels=labels, labelled=labelled, predictions=predictions, strata=strata, beyond=False
    )
    value = float(sure.mean()) if is_claimed or found.figure.value is None else found.figure.value
    variances = (
        np.bincount(strata, weights=sure * (1.0 - sure)) / rows
        if is_claimed
        else _variances(said - found.tuning * sure, labelled=labelled, strata=strata)
    )
    target = (half_width / _REACH) ** 2
    wanted = _allocate(variances, rows=rows, least=drawn.astype(np.float64), target=target)
    plain = _plain(value, rows=len(labels), target=target)
    total = int(wanted.sum())
    better = _is_better(predictions, labels, labelled, is_claimed=is_claimed)
    saved = 1.0 - total / max(plain, 1)
    why = NoPromise.NO_BETTER_THAN_JUDGED if not better else NoPromise.SAVES_NOTHING if saved <= 0.0 else None
    more = int(np.maximum(wanted - drawn, 0).sum())
    return Plan(wanted, total, more, plain, None if why else saved, why, is_claimed)


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


def _variances(errors: Floats, *, labelled: Flags, strata: Integers) -> Floats:
    known, total, squares = (
        np.bincount(strata, weights=np.where(labelled, each, 0.0)).astype(np.float64)
        for each in (np.ones(len(errors)), errors, errors * errors)
    )
    own = (squares - total * total / np.maximum(known, 1.0)) / np.maximum(known - 1.0, 1.0)
    # One row more, half right and half wrong, lest nothing vary anywhere.
    everywhere = (float((known * own).sum()) + 0.25) / (float(known.sum()) + 1.0)
    found: Floats = (known * own + PRIOR_ROWS * everywhere) / (known + PRIOR_ROWS)
    return found


def _allocate(variances: Floats, *, rows: Floats, least: Floats, target: float) -> Integers:
    """Return the fewest labels by stratum that bring the variance of the mean down to the target."""
    shares = rows / rows.sum()
    spread = shares * np.sqrt(variances)
    low: Floats = np.minimum(np.maximum(least, FEWEST_IN_STRATUM), rows)

    def allot(total: float) -> Floats:
        found: Floats = np.minimum(np.maximum(low, total * spread / max(float(spread.sum()), 1e-12)), rows)
        return found

    def variance(labels: Floats) -> float:
        return float((shares**2 * variances * np.maximum(0.0, 1.0 / labels - 1.0 / rows)).sum())

    few, many = 0.0, 100.0 * float(rows.sum())
    for _ in range(60):
        middle = (few + many) / 2.0
        few, many = (few, middle) if variance(allot(middle)) <= target else (middle, many)
    found: Integers = np.minimum(np.ceil(allot(many) - 1e-6), rows).astype(np.int64)
    return found


def _plain(value: float, *, rows: int, target: float) -> int:
    labels = value * (1.0 - value) / target
    return min(rows, int(np.ceil(labels / (1.0 + labels / max(rows, 1)))))


def _is_better(predictions: Floats, labels: Floats, labelled: Flags, *, is_claimed: bool) -> bool:
    """Say whether the judge is right more often than the system is, beyond chance."""
    if is_claimed:
        sure = np.nan_to_num(predictions, nan=0.5)
        return float(np.maximum(sure, 1.0 - sure).mean()) > float(sure.mean())
    known = labelled & ~np.isnan(predictions)
    right = ((predictions >= ACCEPTS_FROM) == (labels >= ACCEPTS_FROM)).astype(np.float64)
    found = paired_difference(
        first=right[known], second=labels[known], clusters=np.flatnonzero(known).astype(np.int64)
    )
    return isinstance(found.interval, Interval) and found.interval.low > 0.0
