"""How sure scores will be: how many questions people must judge for it, and what a policy leaves of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Undefined, Why, estimated_share_interval
from analysis.prejudging.planning import (
    CLAIM_FALLS_SHORT,
    NoPromise,
    plan_labels,
    soften,
    uncertainty_strata,
)
from judges.comparison.rules.audit import Audit
from judges.comparison.rules.leaderboard.standings import score_of, tally
from judges.comparison.rules.study import (
    ACCEPTED,
    CORRECTED,
    REJECTED,
    UNDECIDED,
    Decided,
    Items,
    Predictor,
    Scores,
    audit_of,
    human_columns,
)

# Of whole questions fewer strata tell as much: how unsure a judge is of a question's answers varies less.
STRATA = 8


@dataclass(frozen=True)
class Plan:
    """How many labels are needed for scores with 95% intervals of ± `points`.

    `questions`, `answers`: the total to sample, including earlier samples. `already`: the number of questions
    sampled earlier. `plain`: the number of questions needed without a judge. `saving`: the share of these
    that the judge is expected, but not certain, to save. `reached`: the expected half-width for the least
    precise system, in percentage points. `is_better`: whether the judge is known to err on fewer answers than
    the best system does. `why`: why there is no plan; null if there is one. `now`: the half-width of the
    leaderboard’s least precise system over all questions, in percentage points; null if a system has no score
    yet. `has_prejudged`: whether rules settled answers; judging more questions gives no information about
    these.
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
    now: float | None = None
    has_prejudged: bool = False


class Planned(NamedTuple):
    """A plan; each question's stratum, and how many questions are drawn of each."""

    plan: Plan
    strata: Integers
    wanted: Integers


def plan_questions(
    predictions: Floats,
    labels: Floats,
    *,
    drawn: Flags,
    answers: Floats,
    points: float,
    judge: str,
    beyond: bool = True,
) -> Planned:
    """Plan whole questions for all systems at once; those that chance has drawn before stay.

    predictions, labels: systems × questions; NaN = no answer, the judge abstains, no label. drawn: chance has
    brought the question into the sample. answers: how many each question has. beyond: intervals are those of
    the leaderboard; else of just these questions.
    """
    predictions = soften(predictions, labels)
    strata = uncertainty_strata(predictions, strata=STRATA)
    found = plan_labels(
        predictions=predictions,
        labels=labels,
        labelled=drawn,
        strata=strata,
        half_width=points / 100.0,
        beyond=beyond,
    )
    plan = Plan(
        points=points,
        judge=judge,
        questions=found.labels,
        answers=round(found.labels * float(answers.mean())),
        already=int(drawn.sum()),
        plain=found.plain,
        saving=max(0.0, found.expected_saving),
        reached=100.0 * found.half_width,
        is_better=found.why is not NoPromise.NO_BETTER_THAN_JUDGED,
        why=None if 100.0 * found.half_width <= points * 1.0001 else Why.TOO_FEW_TO_PLAN,
    )
    return Planned(plan, strata, found.wanted)


# So many answers weigh as much as those on which people and a rule were compared. Unless a judge states
# probabilities, this share of them is taken to be wrong.
PRIOR_ANSWERS = 20.0
ASSUMED_WRONG = 0.1
# Until people decide some, an answer that no rule speaks for is as likely right as wrong.
ASSUMED_RIGHT = 0.5
# Labels that are imagined once fall on whole answers, so that a rare error is one or none of a system.
_IMAGINED = 8
# A judge that is sure of all that it says claims no error at all. Its odds are scaled by e^±25 at most.
_NOTHING = 1e-9
_FACTORS = 25.0
_HALVINGS = 30
_COLUMN = next(column for column in human_columns(has_prejudged=True) if column.key == CORRECTED)


class Outlook(NamedTuple):
    """What a policy would do with open answers, and with those that people decided, a value a candidate.

    rule: the number of the rule that would settle the answer, 0 = none, and whether as accepted; draw: its
    random number from 0 to 1, by which it is audited where `audit_share` is larger. tried: the rule that
    speaks for an answer that people decided, 0 = none; is_wrong: they decided otherwise.
    """

    rule: Integers
    is_accepted: Flags
    draw: Floats
    tried: Integers
    is_wrong: Flags
    audit_share: float

    @property
    def is_drawn(self) -> Flags:
        """Which settled answers the audit samples: at a larger share these and more."""
        return (self.rule > 0) & (self.draw < self.audit_share)


@dataclass(frozen=True)
class ExpectedScore:
    """How precise a system’s score will be after a policy is applied and people have decided the other
    answers.

    `n`: the number of its answers. `settled`: the number of answers that judges settle without an audit.
    `audited`: the number that judges settle and people judge for the audit. `to_people`: the others, which
    people judge or have decided. `half_width`: of the 95% interval of its corrected score, from 0 to 1; null
    if too few settled answers are audited. `by_people`: the same if people judge every answer.
    """

    system: str
    label: str
    n: int
    settled: int
    audited: int
    to_people: int
    half_width: float | None
    by_people: float


class Foreseen(NamedTuple):
    """What is expected of scores. wrong_share: of settled answers, as assumed; None where none is settled.

    half_widths: at each other audit share, of the same systems.
    """

    scores: list[ExpectedScore]
    wrong_share: float | None
    half_widths: list[list[float | None]]


def foresee_scores(
    *,
    items: Items,
    decided: Decided,
    outlook: Outlook,
    counted: Flags,
    predictor: Predictor | None,
    shares: Sequence[float] = (),
) -> Foreseen:
    """Say how wide the leaderboard's intervals will be after a policy, by the leaderboard's own estimator.

    counted: the predictions that count. predictor: the judge whose probabilities an audit corrects. shares:
    other audit shares, of which it is said, too; answers keep their random numbers.

    People's labels to come are imagined. Of each system's answers that a rule settles they contradict the
    share that they contradicted of those they decided, drawn as by `PRIOR_ANSWERS` more answers towards all
    systems' share, and that towards what the predictor claims, raised as planned samples raise it, or
    `ASSUMED_WRONG` without one. The predictor also says which are likelier wrong. Of the others they accept
    the share that they accepted so far, drawn likewise towards `ASSUMED_RIGHT`. Labels are spread evenly over
    a system's answers, and half-widths are means over several such sets of labels. What people decided stays.
    """
    candidate, systems = items.predictions.candidate, items.predictions.system
    is_asked = items.candidates.is_judgeable[candidate]
    after = _apply(decided, outlook)
    audit = audit_of(after, candidate, predictor, is_asked=is_asked)
    expected, wrong = _expect(items, decided, outlook, audit, counted=counted)
    is_ruled, is_drawn = ~np.isnan(audit.programs), after.is_drawn[candidate]
    is_known = counted & (is_ruled | is_asked | ~np.isnan(audit.people))
    size = len(items.systems)
    audit = audit._replace(is_open=np.zeros(len(candidate), dtype=bool))

    def count(which: Flags) -> list[int]:
        found: list[int] = np.bincount(systems[is_known & which], minlength=size).tolist()
        return found

    def foresee(share: float) -> list[float | None]:
        own = _apply(decided, outlook._replace(audit_share=share))
        sampled = audit._replace(seen=own.is_drawn[candidate], probability=own.probability[candidate])
        return _half_widths(sampled, expected, systems=systems, counted=is_known, size=size)

    rows = count(is_known)
    halves = foresee(outlook.audit_share)
    right = np.bincount(systems[is_known], weights=expected[is_known], minlength=size)
    scores = [
        ExpectedScore(
            system=items.systems[place].name,
            label=items.systems[place].label,
            n=n,
            settled=settled,
            audited=audited,
            to_people=n - settled - audited,
            half_width=halves[place],
            by_people=_half(estimated_share_interval(share=float(right[place]) / n, total=n, variance=0.0)),
        )
        for place, (n, settled, audited) in enumerate(
            zip(rows, count(is_ruled & ~is_drawn), count(is_ruled & is_drawn), strict=True)
        )
        if n
    ]
    is_new = is_known & (outlook.rule[candidate] > 0)
    return Foreseen(
        scores,
        float(wrong[is_new].mean()) if is_new.any() else None,
        [[half for half, n in zip(foresee(share), rows, strict=True) if n] for share in shares],
    )


def _apply(decided: Decided, outlook: Outlook) -> Decided:
    """Return what is decided with what rules would say; people's decisions to come are not among it."""
    is_new = outlook.rule > 0
    said = np.where(outlook.is_accepted, ACCEPTED, REJECTED)
    return decided._replace(
        ruled=np.where(is_new, said, decided.ruled).astype(np.int8),
        is_drawn=np.where(is_new, outlook.is_drawn, decided.is_drawn),
        probability=np.where(is_new, outlook.audit_share, decided.probability),
    )


def _expect(
    items: Items, decided: Decided, outlook: Outlook, audit: Audit, *, counted: Flags
) -> tuple[Floats, Floats]:
    """Return how probably people accept each prediction, and contradict the rule that speaks for it."""
    candidate, systems = items.predictions.candidate, items.predictions.system
    tried, size = outlook.tried[candidate], len(items.systems)
    is_decided = counted & ~np.isnan(audit.people)
    rule, is_ruled = outlook.rule[candidate], ~np.isnan(audit.programs)
    # Rules of earlier policies err as their own audit shows.
    is_wrong = np.where(tried > 0, outlook.is_wrong[candidate], audit.people != audit.programs)
    is_tried = is_decided & ((tried > 0) | decided.is_drawn[candidate])
    claimed = _claim(audit)
    wrong = np.zeros(len(candidate))
    for number in np.unique(rule[counted & is_ruled]).tolist():
        own = counted & is_ruled & (rule == number)
        typical = min(CLAIM_FALLS_SHORT * float(claimed[own].mean()), 1.0)
        shares = _shares(is_wrong, is_tried & (tried == number), systems=systems, size=size, typical=typical)
        wrong[own] = _scale(claimed[own], shares, systems=systems[own])
    is_left = is_decided & (tried == 0) & (decided.ruled[candidate] == UNDECIDED)
    right = _shares(audit.people == 1.0, is_left, systems=systems, size=size, typical=ASSUMED_RIGHT)
    said = np.where(audit.programs == 1.0, 1.0 - wrong, wrong)
    unknown = np.where(np.isnan(audit.programs), right[systems], said)
    return np.where(np.isnan(audit.people), unknown, audit.people), wrong


def _claim(audit: Audit) -> Floats:
    """Return how probably the judge that the audit corrects takes what a rule says to be wrong."""
    if audit.predictions is None:
        return np.full(len(audit.programs), ASSUMED_WRONG / CLAIM_FALLS_SHORT)
    probability = np.nan_to_num(audit.predictions, nan=0.5)
    return np.where(audit.programs == 1.0, 1.0 - probability, probability)


def _scale(claimed: Floats, shares: Floats, *, systems: Integers) -> Floats:
    """Multiply the odds of each system's probabilities by one number, so that their mean is its share."""
    odds = np.clip(claimed, _NOTHING, 1.0 - _NOTHING)
    odds /= 1.0 - odds
    rows = np.maximum(np.bincount(systems, minlength=len(shares)), 1)
    low, high = np.full((2, len(shares)), _FACTORS) * np.array([[-1.0], [1.0]])
    scaled = claimed
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        scaled = odds * np.exp(middle)[systems]
        scaled /= 1.0 + scaled
        is_short = np.bincount(systems, weights=scaled, minlength=len(shares)) / rows < shares
        low, high = np.where(is_short, middle, low), np.where(is_short, high, middle)
    return scaled


def _shares(part: Flags, whole: Flags, *, systems: Integers, size: int, typical: float) -> Floats:
    """Return each system's share, drawn towards that of all systems, and that towards what is typical."""
    parts, wholes = (
        np.bincount(systems[each], minlength=size).astype(np.float64) for each in (part & whole, whole)
    )
    of_all = (parts.sum() + PRIOR_ANSWERS * typical) / (wholes.sum() + PRIOR_ANSWERS)
    found: Floats = (parts + PRIOR_ANSWERS * of_all) / (wholes + PRIOR_ANSWERS)
    return found


def _half_widths(
    audit: Audit, expected: Floats, *, systems: Integers, counted: Flags, size: int
) -> list[float | None]:
    """Return each system's mean half-width over sets of imagined labels; None where it has no score."""
    everything = np.ones(len(systems), dtype=bool)
    found = list[list[float | None]]()
    for people in _imagine(audit, expected, systems=systems, counted=counted):
        imagined = audit._replace(people=people)
        values = np.where(np.isnan(audit.programs), people, audit.programs)
        column = Scores(_COLUMN, values, everything, imagined)
        tallies = tally(column, systems=systems, counted=counted, ids=list(range(size)))
        scores = (score_of(_COLUMN, tallies.get(place), rank=None) for place in range(size))
        found.append([None if score is None else _half(score.interval) for score in scores])
    return [
        None if any(half is None for half in own) else float(np.mean([half for half in own if half]))
        for own in zip(*found, strict=True)
    ]


def _imagine(audit: Audit, expected: Floats, *, systems: Integers, counted: Flags) -> Iterator[Floats]:
    """Yield people's labels with those to come imagined, NaN where nobody is asked.

    Evenly over each system's drawn and other answers of each verdict, so that of any of these as many are
    right as is expected, but for one.
    """
    is_to_come = counted & np.isnan(audit.people)
    rows = np.flatnonzero(is_to_come)
    order = np.lexsort((audit.seen[rows], np.nan_to_num(audit.programs[rows], nan=2.0), systems[rows]))
    rows = rows[order]
    sums = np.cumsum(expected[rows])
    for number in range(_IMAGINED):
        whole = np.floor(sums + (number + 0.5) / _IMAGINED)
        people = audit.people.copy()
        people[rows] = np.diff(whole, prepend=0.0)
        yield people


def _half(bounds: tuple[float, float] | Undefined | None) -> float:
    # Without bounds nothing is known, which is all that can be said.
    return 0.5 if bounds is None or isinstance(bounds, Undefined) else (bounds[1] - bounds[0]) / 2.0
