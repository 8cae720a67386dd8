"""A judge beside people in parts of a study: by system, answer length, question type, data set or tag."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from analysis.intervals import (
    Interval,
    divide,
    percentile_interval,
    resample_sums,
)
from analysis.undefined import Undefined
from judges.comparison.rules.judge_board.beside_people import Beside, stand_beside
from judges.comparison.rules.study.arrays import Codes, Flags, Floats, Integers
from judges.comparison.rules.study.resampling import RESAMPLES, SEED
from judges.comparison.rules.study.scores import confusion_of


class PartBy(StrEnum):
    """What a study is cut by."""

    SYSTEM = "system"
    ANSWER_LENGTH = "answer_length"
    QUESTION_TYPE = "question_type"
    DATASET = "dataset"
    TAG = "tag"


class Rows(NamedTuple):
    """What judges are compared on, a value a row: an answer, or in parts by system a prediction."""

    truth: Flags
    counted: Flags
    question: Integers


class JudgedPart(NamedTuple):
    """One part; interval: of `accuracy_all`, 95 %, over questions."""

    name: str
    beside: Beside
    interval: Interval | Undefined


def judge_parts(
    rows: Rows, *, verdicts: Mapping[int, Codes], parts: Mapping[str, Integers]
) -> dict[int, list[JudgedPart]]:
    """Compare judges with people in each part that has decided rows; parts may share rows.

    verdicts: of each row, by judge. parts: row numbers by name. All are resampled together, so that a draw
    of the questions is the same for every judge.
    """
    own = {name: numbers[rows.counted[numbers]] for name, numbers in parts.items()}
    own = {name: numbers for name, numbers in own.items() if len(numbers)}
    intervals = iter(_intervals(rows, verdicts, own))
    return {
        judge: [
            JudgedPart(name, _beside(rows, verdict, numbers), next(intervals))
            for name, numbers in own.items()
        ]
        for judge, verdict in verdicts.items()
    }


def _beside(rows: Rows, verdict: Codes, numbers: Integers) -> Beside:
    return stand_beside(
        confusion_of(truth=rows.truth[numbers], verdict=verdict[numbers], counted=rows.counted[numbers])
    )


def _intervals(
    rows: Rows, verdicts: Mapping[int, Codes], parts: Mapping[str, Integers]
) -> list[Interval | Undefined]:
    """Resample all questions once; the intervals stand judge by judge, within one part by part."""
    if not parts or not verdicts:
        return []
    totals = np.stack([_by_question(rows, numbers) for numbers in parts.values()], axis=1)
    used = totals.any(axis=1)
    hits = [_hits(rows, verdict, parts) for verdict in verdicts.values()]
    sums = np.hstack([totals, *hits])[used]
    drawn = resample_sums(sums=sums, seed=SEED, resamples=RESAMPLES).reshape(RESAMPLES, -1, len(parts))
    questions = (totals > 0).sum(axis=0).tolist()
    return [
        percentile_interval(
            values=divide(drawn[:, judge, place], drawn[:, 0, place]), clusters=questions[place]
        )
        for judge in range(1, len(verdicts) + 1)
        for place in range(len(parts))
    ]


def _hits(rows: Rows, verdict: Codes, parts: Mapping[str, Integers]) -> Floats:
    """Count questions × parts: rows on which a judge says what people say."""
    is_right = (verdict >= 0) & ((verdict == 1) == rows.truth)
    return np.stack([_by_question(rows, numbers[is_right[numbers]]) for numbers in parts.values()], axis=1)


def _by_question(rows: Rows, numbers: Integers) -> Floats:
    size = int(rows.question.max(initial=-1)) + 1
    return np.bincount(rows.question[numbers], minlength=size).astype(np.float64)
