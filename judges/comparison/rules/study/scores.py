"""What each way of judging says of each prediction, and which answers judges are compared on."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from analysis.classification import Confusion, count_confusion
from judges.comparison.rules.study.arrays import (
    ACCEPTED,
    NO_VERDICT,
    POSSIBLE,
    UNDECIDED,
    Codes,
    Decided,
    Flags,
    Floats,
    Items,
    Said,
)
from judges.comparison.rules.study.columns import HUMAN, HUMAN_DECIDED, HUMAN_POSSIBLY, Column, Unit
from judges.protocol import Verdict


class Scores(NamedTuple):
    """One way of judging, a value a prediction.

    values: 1 accepted, 0 rejected, a score in a column of scores, NaN = no value. is_dealt_with: nothing more
    is to come for the prediction; an unscored verdict has no value and is dealt with.
    """

    column: Column
    values: Floats
    is_dealt_with: Flags


class Settled(NamedTuple):
    """What people's word on each prediction is worth now.

    is_match: it equals the amended gold list. is_right: it was accepted, or, undecided, is a match.
    is_pending: it may yet be decided.
    """

    is_match: Flags
    is_decided: Flags
    is_right: Flags
    is_pending: Flags


def settle(items: Items, *, decided: Decided, is_match: Flags) -> Settled:
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
    )


def count_judged(items: Items, *, decided: Decided, questions: Flags) -> int:
    """Return how many of these questions have a decided answer."""
    has_decision = np.zeros(len(questions), dtype=bool)
    has_decision[items.candidates.question[decided.worth != UNDECIDED]] = True
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
    worth = decided.worth[items.predictions.candidate]
    values = {
        HUMAN: settled.is_match.astype(np.float64),
        HUMAN_DECIDED: np.where(settled.is_decided, worth == ACCEPTED, np.nan),
        HUMAN_POSSIBLY: np.where(settled.is_decided, worth >= POSSIBLE, np.nan),
    }
    everything = np.ones(len(worth), dtype=bool)
    return [Scores(column, values[column.key], everything) for column in columns]


def confusion_of(*, truth: Flags, verdict: Codes, counted: Flags) -> Confusion:
    """Count rows of a judge beside people; truth: people accept. A row without a verdict is unscored."""
    return count_confusion(
        correct=truth[counted], accepted=verdict[counted] == 1, scored=verdict[counted] >= 0
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
    say nothing about judges.
    """
    compared = answers_compared(items, improper=improper)
    found: Flags = compared & (decided.worth != UNDECIDED) & decided.is_by_people
    return found
