"""A judge beside people in parts of a study: by system, answer length, question type, data set or tag."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from analysis.intervals import (
    SMALLEST_CLUSTER_COUNT,
    TOO_FEW_CLUSTERS,
    Interval,
    add_by_cluster,
    divide,
    percentile_interval,
    resample_sums,
)
from analysis.undefined import Undefined
from judges.comparison.rules.judge_board.beside_people import Beside, stand_beside
from judges.comparison.rules.study.arrays import Codes, Flags, Integers
from judges.comparison.rules.study.scores import confusion_of

SEED = 20_231
RESAMPLES = 1_000


class PartBy(StrEnum):
    """What a study is cut by."""

    SYSTEM = "system"
    ANSWER_LENGTH = "answer_length"
    QUESTION_TYPE = "question_type"
    DATASET = "dataset"
    TAG = "tag"


class Rows(NamedTuple):
    """What a judge is compared on, a value a row: an answer, or in parts by system a prediction."""

    truth: Flags
    verdict: Codes
    counted: Flags
    question: Integers


class JudgedPart(NamedTuple):
    """One part; interval: of `accuracy_all`, 95 %, over questions."""

    name: str
    beside: Beside
    interval: Interval | Undefined


def judge_parts(rows: Rows, *, parts: Mapping[str, Integers]) -> list[JudgedPart]:
    """Compare a judge with people in each part that has decided rows; parts may share rows.

    parts: row numbers by name.
    """
    own = {name: numbers[rows.counted[numbers]] for name, numbers in parts.items()}
    own = {name: numbers for name, numbers in own.items() if len(numbers)}
    intervals = _intervals(rows, own)
    return [
        JudgedPart(
            name,
            stand_beside(
                confusion_of(
                    truth=rows.truth[numbers], verdict=rows.verdict[numbers], counted=rows.counted[numbers]
                )
            ),
            interval,
        )
        for (name, numbers), interval in zip(own.items(), intervals, strict=True)
    ]


def _intervals(rows: Rows, parts: Mapping[str, Integers]) -> list[Interval | Undefined]:
    """Resample all questions once for all parts."""
    if not parts:
        return []
    is_right = (rows.verdict == 1) == rows.truth
    is_right &= rows.verdict >= 0
    sums = np.zeros((len(rows.truth), 2 * len(parts)))
    for place, numbers in enumerate(parts.values()):
        sums[numbers, 2 * place] = is_right[numbers]
        sums[numbers, 2 * place + 1] = 1.0
    used = sums.any(axis=1)
    by_question = add_by_cluster(sums=sums[used], clusters=rows.question[used])
    resampled = resample_sums(sums=by_question, seed=SEED, resamples=RESAMPLES)
    questions = (by_question[:, 1::2] > 0).sum(axis=0)
    return [
        percentile_interval(values=divide(resampled[:, 2 * place], resampled[:, 2 * place + 1]))
        if count >= SMALLEST_CLUSTER_COUNT
        else Undefined(TOO_FEW_CLUSTERS)
        for place, count in enumerate(questions)
    ]
