"""Read by how much judges differ in agreeing with people, two by two on the same answers."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from analysis.comparing import PairedDifference, mcnemar_by_cluster, mcnemar_exact, paired_difference
from annotation.projects.models import Project
from common.memory import Memory, content_of
from judges.comparison.rules import RunFacts
from judges.comparison.rules.study.arrays import Flags, Floats
from judges.comparison.rules.study.pairs import ComparedPair, ComparedPairs, Uncorrected, correct_pairs
from judges.comparison.selectors.judge_board.judged import Judged, read_judged
from judges.comparison.selectors.study.signing import sign_comparison

_compared: Memory[list[ComparedPair]] = Memory(size=8)
_differences: Memory[PairedDifference] = Memory(size=256)


class ComparedJudges(NamedTuple):
    """names: what each run is called, by its public id, in the order of the board."""

    names: dict[str, str]
    found: ComparedPairs


def read_judge_differences(*, project: Project) -> ComparedJudges:
    """Compare every two runs by how often they say what people decided, on the answers both scored.

    Answers that a rule of pre-judging settled are none that people decided: a judge would be held against
    itself.
    """
    judged = read_judged(project)
    runs = [run for run in judged.runs if scored_by(judged, run).any()]
    pairs = _compared.get(
        project.pk,
        state=(
            judged.items.state,
            content_of(judged.counted),
            content_of(judged.truth),
            content_of(judged.weights),
            *((run.public_id, content_of(judged.said[run.id].verdict)) for run in runs),
        ),
        make=lambda: correct_pairs(
            [_uncorrected(judged, first, second) for first, second in combinations(runs, 2)]
        ),
    )
    signature = sign_comparison(
        project,
        "accuracy of judges two by two",
        beside="people",
        answers="decided and judged by both",
        weights="1/probability" if judged.is_weighed else None,
        judges=[run.signature for run in runs],
        correction="holm",
    )
    return ComparedJudges(
        {run.public_id: judged.columns[run.id].name for run in runs}, ComparedPairs(pairs, signature)
    )


def scored_by(judged: Judged, run: RunFacts) -> Flags:
    """Say of which answers that count a run has a verdict."""
    found: Flags = judged.counted & (judged.said[run.id].verdict >= 0)
    return found


def accuracy_difference(judged: Judged, run: RunFacts, other: RunFacts) -> PairedDifference:
    """Return the accuracy of a run minus that of another, on the answers both scored; rows are answers."""
    both = scored_by(judged, run) & scored_by(judged, other)
    # So that the mean of what both scored is that of the answers they stand for.
    size = judged.weights[both].mean() if both.any() else 1.0
    own, others = (
        np.where(both, _is_right(judged, each) * judged.weights / size, np.nan) for each in (run, other)
    )
    return _differences.get(
        (content_of(own), content_of(others)),
        state=judged.items.state,
        make=lambda: paired_difference(first=own, second=others, clusters=judged.items.candidates.question),
    )


def _uncorrected(judged: Judged, first: RunFacts, second: RunFacts) -> Uncorrected:
    difference = accuracy_difference(judged, first, second)
    both = scored_by(judged, first) & scored_by(judged, second)
    own, other = _is_right(judged, first)[both] == 1, _is_right(judged, second)[both] == 1
    # Where answers stand for others, counts of answers are not what the difference is of.
    p_value = (
        difference.p_value
        if judged.is_weighed
        else mcnemar_by_cluster(
            first_right=own, second_right=other, clusters=judged.items.candidates.question[both]
        )
    )
    return Uncorrected(
        first=first.public_id,
        second=second.public_id,
        difference=difference,
        p_value=p_value,
        mcnemar=mcnemar_exact(first_right=own, second_right=other),
    )


def _is_right(judged: Judged, run: RunFacts) -> Floats:
    is_right: Floats = ((judged.said[run.id].verdict == 1) == judged.truth).astype(np.float64)
    return is_right
