"""What each way of judging says of each prediction, and which answers judges are compared on."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from analysis.classification import Confusion, count_confusion
from analysis.sampling import Corrected, correct_by_audit, weigh_audit
from judges.comparison.rules.study.arrays import (
    ACCEPTED,
    NO_VERDICT,
    POSSIBLE,
    UNDECIDED,
    Codes,
    Decided,
    Flags,
    Floats,
    Integers,
    Items,
    Said,
)
from judges.comparison.rules.study.columns import (
    CORRECTED,
    HUMAN,
    HUMAN_DECIDED,
    HUMAN_POSSIBLY,
    SETTLED,
    Column,
    Unit,
)
from judges.protocol import Verdict

# Of fewer audited answers nobody should read a score: three right ones would put a system first.
SMALLEST_AUDIT = 5


class Audit(NamedTuple):
    """What the audit of pre-judging knows, a value a prediction: as `correct_by_audit` takes it.

    answer: the number of the pooled answer it is, which systems share and people see once.
    """

    people: Floats
    programs: Floats
    seen: Flags
    probability: Floats
    answer: Integers

    def correct(self, *, systems: Integers, counted: Flags, size: int) -> Corrected:
        """Correct what is counted, system by system; a value a prediction, NaN of those not counted.

        A system is unknown, too, with answers that programs accepted, or rejected, where people saw fewer of
        these than `SMALLEST_AUDIT`, and not all.
        """
        groups = systems[counted]
        found = correct_by_audit(
            people=self.people[counted],
            programs=self.programs[counted],
            seen=self.seen[counted],
            probability=self.probability[counted],
            groups=groups,
            group_count=size,
        )
        values, expected = np.full((2, len(self.people)), np.nan)
        values[counted], expected[counted] = found.values, found.expected
        for said in (0.0, 1.0):
            ruled = counted & (self.programs == said)
            seen = len(np.unique(self.answer[ruled & self.seen & ~np.isnan(self.people)]))
            if seen < min(SMALLEST_AUDIT, len(np.unique(self.answer[ruled]))):
                is_unknown = np.isin(systems, systems[ruled])
                values[is_unknown] = expected[is_unknown] = np.nan
        return found._replace(values=values, expected=expected)


class Scores(NamedTuple):
    """One way of judging, a value a prediction.

    values: 1 accepted, 0 rejected, a score in a column of scores, NaN = no value. is_dealt_with: nothing more
    is to come for the prediction; an unscored verdict has no value and is dealt with. audit: what corrects
    the values, which depends on what is counted.
    """

    column: Column
    values: Floats
    is_dealt_with: Flags
    audit: Audit | None = None

    def over(self, *, systems: Integers, counted: Flags, size: int) -> tuple["Scores", Floats]:
        """Return the scores as they are over what is counted, and each system's variance by correcting them.

        systems: each prediction's system, of so many.
        """
        if self.audit is None:
            return self, np.zeros(size)
        found = self.audit.correct(systems=systems, counted=counted, size=size)
        return self._replace(values=found.values), found.variance

    def to_test(self, *, systems: Integers, counted: Flags, size: int) -> tuple[Floats, Floats | None]:
        """Return the values to compare systems by, and what else varies in each system's mean.

        Few rows of an audit are spikes among the values it corrects, of which no test knows how they vary.
        """
        if self.audit is None:
            return self.values, None
        found = self.audit.correct(systems=systems, counted=counted, size=size)
        return found.expected, found.chance


class Settled(NamedTuple):
    """What people's word on each prediction is worth now.

    is_match: it equals the amended gold list. is_right: it was accepted, or, undecided, is a match.
    is_pending: it may yet be decided. is_by_programs: a rule of pre-judging decided it.
    """

    is_match: Flags
    is_decided: Flags
    is_right: Flags
    is_pending: Flags
    is_by_programs: Flags


def judge_by_people(items: Items, *, decided: Decided, is_match: Flags) -> Settled:
    """Return what people say of each prediction: by their decision, else by exact match with amended gold."""
    predictions, candidates = items.predictions, items.candidates
    worth = decided.worth[predictions.candidate]
    is_decided = worth != UNDECIDED
    # Outside the sample people may yet be asked; an answer linked to no row of a file never is.
    is_asked = (
        candidates.is_judgeable[predictions.candidate] | ~items.questions.in_sample[predictions.question]
    )
    return Settled(
        is_match=is_match,
        is_decided=is_decided,
        is_right=np.where(is_decided, worth == ACCEPTED, is_match),
        is_pending=~is_decided & is_asked,
        is_by_programs=is_decided & ~decided.is_by_people[predictions.candidate],
    )


def count_judged(items: Items, *, decided: Decided, questions: Flags) -> int:
    """Return how many of these questions have an answer that people decided."""
    has_decision = np.zeros(len(questions), dtype=bool)
    has_decision[items.candidates.question[decided.said_by_people != UNDECIDED]] = True
    return int((has_decision & questions).sum())


def judge_scores(column: Column, said: Said, *, items: Items) -> Scores:
    """Return a run's verdicts by prediction, its scores where the column is a mean of these."""
    verdict = said.verdict[items.predictions.candidate]
    values = verdict.astype(np.float64)
    if column.unit is Unit.F1:
        values = np.nan_to_num(said.score[items.predictions.candidate])
    return Scores(column, np.where(verdict >= 0, values, np.nan), verdict != NO_VERDICT)


def with_own(scores: Scores, verdicts: Mapping[int, Verdict]) -> Scores:
    """Put other verdicts on some predictions, given by their number."""
    values, is_dealt_with = scores.values.copy(), scores.is_dealt_with.copy()
    for number, verdict in verdicts.items():
        values[number] = np.nan if verdict.accepted is None else _value(verdict, scores.column.unit)
        is_dealt_with[number] = True
    return Scores(scores.column, values, is_dealt_with)


def _value(verdict: Verdict, unit: Unit) -> float:
    return (verdict.score or 0.0) if unit is Unit.F1 else float(verdict.accepted is True)


def matched_scores(column: Column, is_match: Flags) -> Scores:
    """Return exact match with some gold list as a way of judging."""
    return Scores(column, is_match.astype(np.float64), np.ones(len(is_match), dtype=bool))


def human_scores(
    columns: Sequence[Column], *, items: Items, decided: Decided, settled: Settled
) -> list[Scores]:
    """Return what people say under each of their columns."""
    candidate = items.predictions.candidate
    worth, people = decided.worth[candidate], decided.said_by_people[candidate]
    audit = audit_of(decided, candidate)
    values = {
        HUMAN: settled.is_match.astype(np.float64),
        HUMAN_DECIDED: audit.people,
        HUMAN_POSSIBLY: np.where(people != UNDECIDED, people >= POSSIBLE, np.nan),
        SETTLED: np.where(settled.is_decided, worth == ACCEPTED, np.nan),
        CORRECTED: np.where(np.isnan(audit.programs), audit.people, audit.programs),
    }
    everything = np.ones(len(worth), dtype=bool)
    # Whoever let programs settle answers never asks people of them: what people decided has no ranks.
    of_people = people != UNDECIDED if decided.has_ruled else everything
    return [
        Scores(
            column,
            values[column.key],
            of_people if column.key in (HUMAN_DECIDED, HUMAN_POSSIBLY) else everything,
            audit if column.key == CORRECTED else None,
        )
        for column in columns
    ]


def audit_of(decided: Decided, candidate: Integers) -> Audit:
    """Return what the audit knows of these answers.

    What somebody decided anew without its being drawn counts there as the rule has it: those drawn stand for
    it, and who looks for errors finds more of them than chance would.
    """
    people, ruled = decided.said_by_people[candidate], decided.ruled[candidate]
    return Audit(
        people=np.where(people != UNDECIDED, people == ACCEPTED, np.nan),
        programs=np.where(ruled != UNDECIDED, ruled == ACCEPTED, np.nan),
        seen=decided.is_seen[candidate],
        probability=decided.probability[candidate],
        answer=candidate,
    )


def confusion_of(*, truth: Flags, verdict: Codes, counted: Flags, weights: Floats | None = None) -> Confusion:
    """Count rows of a judge beside people, or what they stand for; a row without a verdict is unscored.

    truth: people accept.
    """
    return count_confusion(
        correct=truth[counted],
        accepted=verdict[counted] == 1,
        scored=verdict[counted] >= 0,
        weights=None if weights is None else weights[counted],
    )


def answers_compared(items: Items, *, improper: Flags) -> Flags:
    """Say which candidates judges are compared on: the sample's, but gold answers that no system gave."""
    candidates = items.candidates
    scored = (items.questions.in_sample & ~improper)[candidates.question]
    found: Flags = scored & candidates.is_judgeable & (candidates.is_given | ~candidates.is_from_gold)
    return found


def answers_decided_by_people(items: Items, *, decided: Decided, improper: Flags) -> Flags:
    """Say which candidates judges are compared with people on.

    What verdicts settled would only tell that they agree with themselves; gold answers that no system gave
    say nothing about judges. What somebody decided anew without its being drawn was looked for, and stands
    for nothing but itself: those drawn stand for it.
    """
    compared = answers_compared(items, improper=improper)
    stands = (decided.ruled == UNDECIDED) | decided.is_drawn
    found: Flags = compared & (decided.said_by_people != UNDECIDED) & stands
    return found


def count_left_out(items: Items, *, decided: Decided, improper: Flags) -> int:
    """Return of how many answers that programs settled the comparison of judges with people says nothing.

    They could not be drawn for the audit, or people have decided none yet of those drawn among them.
    """
    ruled = answers_compared(items, improper=improper) & (decided.ruled != UNDECIDED)
    weights = weigh_compared(items, decided=decided, improper=improper)
    found = 0
    for cell in (decided.ruled == ACCEPTED, decided.ruled != ACCEPTED):
        rows = ruled & cell
        is_checked = (weights[rows] > 0).any()
        found += int((rows & (decided.probability == 0)).sum() if is_checked else rows.sum())
    return found


def weigh_compared(items: Items, *, decided: Decided, improper: Flags) -> Floats:
    """Return how many answers each one stands for that judges are compared with people on, 0 for others.

    One that was drawn stands for others that programs accepted, or rejected: they are most of what is easy.
    """
    compared = answers_compared(items, improper=improper)
    counted = answers_decided_by_people(items, decided=decided, improper=improper)
    ruled = compared & (decided.ruled != UNDECIDED) & (decided.probability > 0)
    weights = weigh_audit(
        ruled=ruled,
        seen=ruled & counted,
        probability=decided.probability,
        cells=(decided.ruled == ACCEPTED).astype(np.int64),
    )
    return np.where(counted & ~ruled, 1.0, weights)
