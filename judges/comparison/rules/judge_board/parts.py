"""A judge beside people in parts of a study: by system, answer length, question type, data set or tag."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from analysis.arrays import Flags, Floats, Integers
from analysis.classification import FIGURES, count_codes
from analysis.intervals import Undefined, Value, Why
from judges.comparison.rules.judge_board.beside_people import (
    Beside,
    Intervals,
    bound_cells,
    bound_multiple,
    compare,
    count_cells,
    count_verdicts,
    human_errs,
    multiple_of,
)
from judges.comparison.rules.study import Codes


class PartBy(StrEnum):
    """What a study is cut by."""

    SYSTEM = "system"
    ANSWER_LENGTH = "answer_length"
    QUESTION_TYPE = "question_type"
    DATASET = "dataset"
    TAG = "tag"


class Rows(NamedTuple):
    """What judges are compared on, a value a row: an answer, or in parts by system a prediction.

    weights: how many rows each one stands for.
    """

    truth: Flags
    counted: Flags
    question: Integers
    weights: Floats


class Heard(NamedTuple):
    """Raters' votes beside others' on a part's answers; codes: as `analysis.classification` has them.

    weights: how many answers each vote's stands for.
    """

    question: Integers
    codes: Integers
    weights: Floats


class JudgedPart(NamedTuple):
    """One part; error_multiple: the judge's error there in units of another human's there."""

    name: str
    beside: Beside
    error_multiple: Value = Undefined(Why.NO_HUMAN)


NOBODY: Mapping[str, Heard] = {}


def judge_parts(
    rows: Rows,
    *,
    verdicts: Mapping[int, Codes],
    parts: Mapping[str, Integers],
    heard: Mapping[str, Heard] = NOBODY,
) -> dict[int, list[JudgedPart]]:
    """Compare judges with people in each part that has decided rows; parts may share rows.

    verdicts: of each row, by judge. parts: row numbers by name. heard: raters' votes, by part.
    """
    own = _decided(rows, parts)
    human = {
        name: human_errs(count_codes(votes.codes, weights=votes.weights)) for name, votes in heard.items()
    }

    def judge_part(name: str, verdict: Codes) -> JudgedPart:
        beside = _beside(rows, verdict, own[name])
        return JudgedPart(name, beside, multiple_of(beside.error, human.get(name)))

    return {judge: [judge_part(name, verdict) for name in own] for judge, verdict in verdicts.items()}


def bound_parts(
    rows: Rows,
    *,
    verdicts: Mapping[int, Codes],
    parts: Mapping[str, Integers],
    heard: Mapping[str, Heard] = NOBODY,
) -> dict[int, dict[str, Intervals]]:
    """Bound every figure of what `judge_parts` returns, 95%, over the part's own questions."""
    own = _decided(rows, parts)
    human = {name: _count_votes(rows, votes) for name, votes in heard.items()}
    is_weighted = bool((rows.weights[rows.counted] != 1.0).any())

    def bound(verdict: Codes) -> dict[str, Intervals]:
        counts = {name: _count(rows, verdict, numbers) for name, numbers in own.items()}
        return {
            name: found
            | {"error_multiple": bound_multiple(counts[name], human.get(name), is_weighted=is_weighted)}
            for name, found in bound_cells(counts, names=FIGURES, are_weighted=is_weighted).items()
        }

    return {judge: bound(verdict) for judge, verdict in verdicts.items()}


def _decided(rows: Rows, parts: Mapping[str, Integers]) -> dict[str, Integers]:
    own = {name: numbers[rows.counted[numbers]] for name, numbers in parts.items()}
    return {name: numbers for name, numbers in own.items() if len(numbers)}


def _beside(rows: Rows, verdict: Codes, numbers: Integers) -> Beside:
    return compare(
        truth=rows.truth[numbers],
        verdict=verdict[numbers],
        counted=rows.counted[numbers],
        weights=rows.weights[numbers],
    )


def _count(rows: Rows, verdict: Codes, numbers: Integers) -> Floats:
    return count_verdicts(
        truth=rows.truth[numbers],
        verdict=verdict[numbers],
        questions=rows.question[numbers],
        question_count=_question_count(rows),
        weights=rows.weights[numbers],
    )


def _count_votes(rows: Rows, votes: Heard) -> Floats:
    return count_cells(
        codes=votes.codes,
        questions=votes.question,
        question_count=_question_count(rows),
        weights=votes.weights,
    )


def _question_count(rows: Rows) -> int:
    return int(rows.question.max(initial=-1)) + 1
