"""How sure a judge must be for people to disagree with at most a share α of what it settles, provably.

A sequence of thresholds is fixed before any label is seen, the most confident answers first. Each is tested
by the exact binomial bound of the labels above it, and the first that fails ends the sequence: the widest
that held settles more than α wrongly with probability δ at most, however many thresholds there are.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats
from analysis.intervals import Interval, clopper_pearson_interval

START_SHARE = 0.4
# Steps of one in fifty: in replays wider ones settle less, and narrower ones hardly more.
STEP_SHARE = 0.02


class Refusal(StrEnum):
    """Why nothing is certified; `explain` says it in words."""

    NOTHING_LABELLED = "nothing_labelled"
    TOO_FEW_LABELS = "too_few_labels"
    NOT_PROVEN = "not_proven"
    WRONG_TOO_OFTEN = "wrong_too_often"


class RiskPoint(NamedTuple):
    """What settling everything from a threshold on comes to.

    threshold: the least confidence that is settled. settled_share: of all answers, 0 to 1. labels, errors: of
    the calibration sample, so many lie there, and people disagree with so many. upper: the share that is
    wrong is at most this with probability 1 - δ, for this threshold alone.
    """

    threshold: float
    settled_share: float
    labels: int
    errors: int
    upper: float

    @property
    def error_share(self) -> float | None:
        """The share of labels that disagree, None without labels."""
        return self.errors / self.labels if self.labels else None


@dataclass(frozen=True)
class Certificate:
    """With probability 1 - δ people disagree with at most α of what lies at or above the threshold.

    labels: of the whole calibration sample. point: what the certified threshold comes to or, where it was
    refused, the first of the sequence, whose test failed; None without labels. why: why it was refused.
    needed: the fewest labels with which the first test could succeed, without any error.
    """

    alpha: float
    delta: float
    labels: int
    needed: int
    point: RiskPoint | None
    why: Refusal | None = None

    @property
    def threshold(self) -> float | None:
        """The least confidence that is settled, None where it was refused."""
        return None if self.why or self.point is None else self.point.threshold

    @property
    def settled_share(self) -> float:
        """Of all answers, 0 to 1; 0 where it was refused."""
        return 0.0 if self.why or self.point is None else self.point.settled_share


def certify(
    *,
    confidence: Floats,
    wrong: Flags,
    alpha: float,
    delta: float,
    start_share: float = START_SHARE,
    everything: Floats | None = None,
) -> Certificate:
    """Find the widest set of confident answers of which people provably disagree with at most α.

    confidence: how sure the judge is of the verdict that it gives each labelled answer, higher is surer.
    wrong: people disagree with that verdict. The labelled answers must be drawn at random, each answer as
    probably as any other, from all that the certificate is for: whole questions drawn at a time are fewer
    independent answers than they seem. everything: the confidence of all these answers, from which the
    thresholds are taken, so that no label and no draw moves them; else they are those of the labelled ones.
    start_share: the sequence begins with so many of the most confident answers.
    Raises ValueError where α, δ or start_share do not lie between 0 and 1 (start_share: 1 allowed).
    Source: Learn then Test with fixed-sequence testing (Angelopoulos et al. 2021, arXiv 2110.01052), with the
    binomial tail as p-value, which is exact for errors of independent answers.
    """
    _require_levels(alpha, delta, start_share)
    needed = math.ceil(fewest_labels(alpha=alpha, delta=delta) / start_share)
    thresholds = _sequence(confidence if everything is None else everything, start_share)
    passed, failed = None, None
    for point in _points(thresholds, confidence, wrong, delta, everything):
        if point.upper > alpha:
            failed = point
            break
        passed = point
    if passed is not None:
        return Certificate(alpha, delta, len(wrong), needed, passed)
    return Certificate(alpha, delta, len(wrong), needed, failed, _refusal(failed, alpha=alpha, delta=delta))


def risk_curve(
    *,
    confidence: Floats,
    wrong: Flags,
    delta: float,
    start_share: float = STEP_SHARE,
    everything: Floats | None = None,
) -> list[RiskPoint]:
    """Return the share settled against the errors, from the most confident answers to all of them.

    As `certify` takes it; the bound of each point holds for a threshold that was chosen without the curve.
    Empty without labels.
    """
    _require_levels(0.5, delta, start_share)
    thresholds = _sequence(confidence if everything is None else everything, start_share)
    return _points(thresholds, confidence, wrong, delta, everything)


def fewest_labels(*, alpha: float, delta: float) -> int:
    """Return how many labels without a single error it takes to prove a share of errors of at most α."""
    return math.ceil(math.log(delta) / math.log1p(-alpha) - 1e-12)


def explain(certificate: Certificate, *, spoken_share: float = 1.0) -> str:
    """Say what is promised, or why nothing is.

    spoken_share: how many of the answers that the sample stands for have a verdict at all, 0 to 1; the
    certificate's own shares are of these alone.
    """
    allowed, point = _percent(certificate.alpha), certificate.point
    if point is None:
        return "People have not judged any answers in the calibration sample yet."
    counts = (
        f"people disagree with the verdict on {point.errors} of the {point.labels} labeled answers with the "
        "highest confidence"
    )
    match certificate.why:
        case Refusal.TOO_FEW_LABELS:
            return (
                f"Refused: {certificate.labels} labels are too few to prove a maximum error rate of "
                f"{allowed}. That takes at least {certificate.needed} labels, even if "
                "the judge makes no errors."
            )
        case Refusal.NOT_PROVEN:
            return (
                f"Refused: {counts}. That is within the maximum error rate of {allowed}, but the upper "
                f"bound of the error rate is {_percent(point.upper)}. Label more answers, then certify again."
            )
        case Refusal.WRONG_TOO_OFTEN:
            return f"Refused: {counts}, which is more than the maximum error rate of {allowed}."
        case _:
            return certified_words(
                settled_share=spoken_share * point.settled_share,
                alpha=certificate.alpha,
                delta=certificate.delta,
            )


def certified_words(*, settled_share: float, alpha: float, delta: float) -> str:
    """Say what is promised; settled_share: of all answers that the sample stands for, 0 to 1.

    delta: the risk of all attempts on the sample together, so that one confidence may be cited, whichever is
    kept.
    """
    return (
        f"Certified: this rule may settle {_percent(settled_share)} of the answers that the calibration "
        f"sample represents. With {certain_percent(delta)} confidence, people would disagree with the "
        f"rule on at most {_percent(alpha)} of the answers that it settles."
    )


def certain_percent(delta: float) -> str:
    """Return the probability 1 - δ as it is printed, rounded down: no more is promised than is proven."""
    return f"{math.floor(round(1_000 * (1.0 - delta), 6)) / 10:.1f}%"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _require_levels(alpha: float, delta: float, start_share: float) -> None:
    if not (0.0 < alpha < 1.0 and 0.0 < delta < 1.0 and 0.0 < start_share <= 1.0):
        raise ValueError(
            "The maximum error rate (α) and the risk (δ) must be between 0 and 1, and the starting "
            "share must be above 0 and at most 1."
        )


def _sequence(confidence: Floats, start_share: float) -> Floats:
    """Return distinct thresholds, falling: those that the most confident shares of the answers reach."""
    if not len(confidence):
        return np.zeros(0)
    shares = np.append(np.arange(start_share, 1.0 - 1e-9, STEP_SHARE), 1.0)
    places = np.ceil(shares * len(confidence) - 1e-9).astype(np.int64) - 1
    return np.unique(np.sort(confidence)[::-1][places])[::-1]


def _points(
    thresholds: Floats, confidence: Floats, wrong: Flags, delta: float, everything: Floats | None
) -> list[RiskPoint]:
    if not len(wrong):
        return []
    order = np.argsort(-confidence, kind="stable")
    falling = -confidence[order]
    # Errors among the first labels, from none of them on.
    errors = np.concatenate([[0], np.cumsum(wrong[order])])
    labels = np.searchsorted(falling, -thresholds, side="right")
    whole = confidence if everything is None else everything
    settled = len(whole) - np.searchsorted(np.sort(whole), thresholds, side="left")
    return [
        RiskPoint(
            threshold=threshold,
            settled_share=reached / len(whole),
            labels=count,
            errors=int(errors[count]),
            upper=_upper(int(errors[count]), count, delta),
        )
        for threshold, reached, count in zip(
            thresholds.tolist(), settled.tolist(), labels.tolist(), strict=True
        )
    ]


def _upper(errors: int, labels: int, delta: float) -> float:
    # The upper end alone misses in half of what an interval of both ends may.
    bounds = clopper_pearson_interval(successes=errors, total=labels, level=1.0 - 2.0 * delta)
    return bounds.high if isinstance(bounds, Interval) else 1.0


def _refusal(first: RiskPoint | None, *, alpha: float, delta: float) -> Refusal:
    if first is None:
        return Refusal.NOTHING_LABELLED
    if first.labels < fewest_labels(alpha=alpha, delta=delta):
        return Refusal.TOO_FEW_LABELS
    return Refusal.WRONG_TOO_OFTEN if first.errors > alpha * first.labels else Refusal.NOT_PROVEN
