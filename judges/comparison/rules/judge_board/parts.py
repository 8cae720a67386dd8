"""A judge beside people in parts of a study: by system, answer length, question type, data set or tag."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from analysis.classification import NO_SCORED, code_rows
from analysis.undefined import Undefined, Value
from judges.comparison.rules.judge_board.beside_people import Beside, stand_beside
from judges.comparison.rules.judge_board.intervals import (
    FIGURES,
    REPORTED,
    Cells,
    Intervals,
    bound_cells,
    count_cells,
    figure_of,
)
from judges.comparison.rules.study.arrays import Codes, Flags, Floats, Integers
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
    """One part."""

    name: str
    beside: Beside


def judge_parts(
    rows: Rows, *, verdicts: Mapping[int, Codes], parts: Mapping[str, Integers]
) -> dict[int, list[JudgedPart]]:
    """Compare judges with people in each part that has decided rows; parts may share rows.

    verdicts: of each row, by judge. parts: row numbers by name.
    """
    own = _decided(rows, parts)
    return {
        judge: [JudgedPart(name, _beside(rows, verdict, numbers)) for name, numbers in own.items()]
        for judge, verdict in verdicts.items()
    }


def reported_figures(beside: Beside) -> dict[str, Value]:
    """Return the accuracy a judge would report, people's, the difference, and the four cells' shares."""
    cells = Cells(*(np.asarray(count, dtype=np.float64) for count in beside.confusion))
    figures = {name: float(figure_of(cells, name)) for name in REPORTED}
    return {name: Undefined(NO_SCORED) if np.isnan(figure) else figure for name, figure in figures.items()}


def bound_parts(
    rows: Rows, *, verdicts: Mapping[int, Codes], parts: Mapping[str, Integers]
) -> dict[int, dict[str, Intervals]]:
    """Bound every figure of what `judge_parts` returns, 95 %, over questions.

    All questions with a decided row in any part are drawn once, so that a draw is the same for every judge
    and every part.
    """
    own = _decided(rows, parts)
    return {
        judge: bound_cells(
            {name: _count(rows, verdict, numbers) for name, numbers in own.items()}, names=FIGURES
        )
        for judge, verdict in verdicts.items()
    }


def _decided(rows: Rows, parts: Mapping[str, Integers]) -> dict[str, Integers]:
    own = {name: numbers[rows.counted[numbers]] for name, numbers in parts.items()}
    return {name: numbers for name, numbers in own.items() if len(numbers)}


def _beside(rows: Rows, verdict: Codes, numbers: Integers) -> Beside:
    return stand_beside(
        confusion_of(truth=rows.truth[numbers], verdict=verdict[numbers], counted=rows.counted[numbers])
    )


def _count(rows: Rows, verdict: Codes, numbers: Integers) -> Floats:
    own = verdict[numbers]
    codes = code_rows(correct=rows.truth[numbers], accepted=own == 1, scored=own >= 0)
    question_count = int(rows.question.max(initial=-1)) + 1
    return count_cells(codes=codes, questions=rows.question[numbers], question_count=question_count)
