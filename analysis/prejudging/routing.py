"""One rater and stop where a calibrated judge agrees, else a second, else a third: what that would have cost.

A replay on a study's own votes. A judge shares errors with people, so stopping can go wrong unseen: a random
share of the stopped answers, the audit, gets its further raters all the same, and from these an exact bound
follows on how many of the stopped ones would have ended otherwise.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import LEVEL, ROUNDING, Figure, Interval, Undefined, Why, clopper_pearson_interval
from analysis.sampling import Ratio, measure_shares

NOTHING = -1
# A judge that says how sure it is stops nothing below this: agreement by chance is no second opinion.
LEAST_CONFIDENCE = 0.8


class Route(NamedTuple):
    """How one way of asking raters went, a value an answer.

    labels: how many raters were asked. final: the label that came out, `NOTHING` where votes came to none.
    stopped: it ended with the first rater, because the judge agreed.
    """

    labels: Integers
    final: Integers
    stopped: Flags


class RoutingFigures(NamedTuple):
    """What routing comes to over a study.

    labels_an_answer: raters asked an answer, those of the audit among them; fixed: without routing, two and a
    third where they differ. same_share: of answers that end as without routing, which a replay alone
    knows. stopped_share: of all answers. audited, changed: stopped answers that went on all the same, and
    those of them that ended otherwise. residual: at most this share of *all* answers ends otherwise than
    without routing, at the level asked for; why where nothing was audited.
    """

    answers: int
    labels_an_answer: float
    fixed: float
    same_share: float
    stopped_share: float
    audited: int
    changed: int
    residual: Figure


def route(
    *, votes: Integers, judge: Integers, confidence: Floats | None = None, least: float = LEAST_CONFIDENCE
) -> Route:
    """Replay asking raters in the order of the columns until a rule ends it.

    votes: answers × raters, label numbers from 0, `NOTHING` where a rater gave none: then the next one is
    asked. judge: its label of each answer, `NOTHING` where it has none, which stops nothing. confidence: how
    sure it is; below `least` it stops nothing; None: it does not say, and every verdict counts. After two
    who differ the third decides; where all three differ, or there is none, nothing comes out.
    """
    first, second, third = _in_order(votes)
    may_stop = judge != NOTHING
    if confidence is not None:
        may_stop &= confidence >= least
    stopped: Flags = may_stop & (first == judge) & (first != NOTHING)
    agree = first == second
    breaks_tie = (third != NOTHING) & ((third == first) | (third == second))
    final = np.select(
        [stopped, second == NOTHING, agree, breaks_tie], [first, first, first, third], default=NOTHING
    )
    asked = (np.stack([first, second, third]) != NOTHING).cumsum(axis=0)
    labels = np.select([stopped, agree], [np.minimum(asked[0], 1), asked[1]], default=asked[2])
    return Route(labels.astype(np.int64), final.astype(np.int64), stopped)


def _in_order(votes: Integers) -> NDArray[np.int64]:
    """Return the first three votes that were given, one row each; `NOTHING` where there are fewer."""
    order = np.argsort(votes == NOTHING, axis=1, kind="stable")
    given = np.take_along_axis(votes, order, axis=1)
    missing = max(0, 3 - given.shape[1])
    padded = np.pad(given, ((0, 0), (0, missing)), constant_values=NOTHING)
    found: NDArray[np.int64] = padded[:, :3].T.astype(np.int64)
    return found


def draw_audit(*, stopped: Flags, share: float, seed: int) -> Flags:
    """Return which stopped answers go on to further raters: each with probability `share`."""
    drawn: Flags = stopped & (np.random.default_rng(seed).random(len(stopped)) < share)
    return drawn


def measure_routing(
    *, routed: Route, unrouted: Route, final: Integers, audited: Flags, level: float = LEVEL
) -> RoutingFigures:
    """Return what routing costs and how often it ends as without, both replayed on the same votes.

    unrouted: with a judge that says nothing. final: the labels the study ended with. audited: of the stopped
    answers. The bound is exact (Clopper and Pearson 1934, the upper end alone): the audit is a random sample
    of the stopped answers, so that it holds however these hang together. Raises ValueError for no answers.
    """
    count = len(final)
    if not count:
        raise ValueError("There are no answers to route.")
    audited = audited & routed.stopped
    labels = np.where(audited, unrouted.labels, routed.labels)
    ended = np.where(audited, unrouted.final, routed.final)
    changed = int((audited & (unrouted.final != routed.final)).sum())
    stopped_share = float(routed.stopped.mean())
    return RoutingFigures(
        answers=count,
        labels_an_answer=float(labels.mean()),
        fixed=float(unrouted.labels.mean()),
        same_share=float((ended == final).mean()),
        stopped_share=stopped_share,
        audited=int(audited.sum()),
        changed=changed,
        residual=_bound_residual(
            changed=changed,
            audited=int(audited.sum()),
            left_share=float((routed.stopped & ~audited).mean()),
            level=level,
        ),
    )


def _bound_residual(*, changed: int, audited: int, left_share: float, level: float) -> Figure:
    # The upper end alone misses in half of what an interval of both ends may.
    bounds = clopper_pearson_interval(successes=changed, total=audited, level=2.0 * level - 1.0)
    if not isinstance(bounds, Interval):
        return Figure.of(Undefined(Why.NOTHING_COUNTED))
    # Audited answers end as without routing; so do all that were not stopped.
    return Figure.of(changed / audited * left_share, Interval(0.0, bounds.high * left_share))


class Foreseen(NamedTuple):
    """What routing would have come to on answers that were judged in full.

    labels_an_answer: those of the audit among them; fixed: as it was. stopped_share: of all answers, once the
    audit has taken its own. same_share: of answers that would have ended as they did, with its interval over
    questions; what lies below its lower end bounds the error.
    """

    answers: int
    labels_an_answer: float
    fixed: float
    stopped_share: float
    same_share: Figure


def foresee_routing(
    *,
    votes: Integers,
    given: Integers,
    final: Integers,
    judge: Integers,
    questions: Integers,
    audit_share: float,
    confidence: Floats | None = None,
    least: float | None = None,
) -> Foreseen:
    """Return what one rater and a judge who agrees would have settled, whoever had come first.

    votes: answers × raters of the first round, label numbers from 0, `NOTHING` where one gave none; at least
    one an answer. given: how many votes each answer had in all, final: the label that it ended with. judge,
    confidence, least: as in `route`. Each rater of an answer is as likely to be the first one, and each
    answer to be audited, so these are expectations: nothing is drawn. Raises ValueError for no answers.
    """
    if not len(votes):
        raise ValueError("There are no answers to route.")
    may_stop = judge != NOTHING
    if confidence is not None and least is not None:
        may_stop = may_stop & (confidence >= least - ROUNDING)
    is_vote = votes != NOTHING
    stops = is_vote & may_stop[:, np.newaxis] & (votes == judge[:, np.newaxis])
    differs = stops & (votes != final[:, np.newaxis])
    left = 1.0 - audit_share
    stopped = left * stops.sum(axis=1) / is_vote.sum(axis=1)
    changed = left * differs.sum(axis=1) / is_vote.sum(axis=1)
    ones = np.ones(len(votes))
    (same,) = measure_shares(ratios=[Ratio(1.0 - changed, ones, ones)], clusters=questions)
    return Foreseen(
        answers=len(votes),
        labels_an_answer=float((stopped + (1.0 - stopped) * given).mean()),
        fixed=float(given.mean()),
        stopped_share=float(stopped.mean()),
        same_share=same,
    )
