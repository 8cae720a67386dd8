"""Judges beside each other, and beside people: how often two say the same, and who accepts what."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Figure
from judges.comparison.rules.judge_board.beside_people import bound_cells, compare, count_verdicts
from judges.comparison.rules.study import Codes


@dataclass(frozen=True)
class JudgePair:
    """Two judges on the answers that both judged.

    `first_only`, `second_only`: the number of answers that only one of them accepts.
    """

    first: str
    second: str
    answers: int
    first_only: int
    second_only: int
    figures: dict[str, Figure]


def pair_judges(
    verdicts: Mapping[str, Codes],
    *,
    shared: Flags,
    questions: Integers,
    question_count: int,
    weights: Mapping[str, Floats] | None = None,
) -> list[JudgePair]:
    """Compare every two that share an answer; intervals are over questions.

    verdicts: by name, a value an answer: 1 accepted, 0 rejected, below that nothing. shared: which answers
    count. questions: the number of each answer's question. weights: how many answers one stands for in pairs
    of which this is the first; 1 in others.
    """
    weights = weights or {}
    ones = np.ones(len(shared))
    names = list(verdicts)
    places = [(one, other) for at, one in enumerate(names) for other in names[at + 1 :]]
    both = {pair: shared & (verdicts[pair[0]] >= 0) & (verdicts[pair[1]] >= 0) for pair in places}
    both = {pair: rows for pair, rows in both.items() if rows.any()}
    counts = {
        "~".join(pair): count_verdicts(
            truth=verdicts[pair[0]][rows] == 1,
            verdict=verdicts[pair[1]][rows],
            questions=questions[rows],
            question_count=question_count,
            weights=weights.get(pair[0], ones)[rows],
        )
        for pair, rows in both.items()
    }
    are_weighted = any((own[shared] != 1.0).any() for own in weights.values())
    bounds = bound_cells(counts, names=("accuracy_scored", "cohen_kappa"), are_weighted=are_weighted)
    found = []
    for pair, rows in both.items():
        beside = compare(
            truth=verdicts[pair[0]] == 1,
            verdict=verdicts[pair[1]],
            counted=rows,
            weights=weights.get(pair[0], ones),
        )
        values, own = beside.figures, bounds["~".join(pair)]
        figures = {
            "agreement": Figure.of(values["accuracy_scored"], own["accuracy_scored"]),
            "cohen_kappa": Figure.of(values["cohen_kappa"], own["cohen_kappa"]),
        }
        _, first_only, second_only, _, _ = map(int, beside.confusion)
        found.append(JudgePair(*pair, int(beside.confusion.scored), first_only, second_only, figures))
    return found
