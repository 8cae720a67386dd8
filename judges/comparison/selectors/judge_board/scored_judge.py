"""Read what a judge's scores are worth."""

import numpy as np

from annotation.projects.models import Project
from common.memory import Memory, content_of
from judges.comparison.rules import RunFacts, Said, stated_number
from judges.comparison.rules.judge_board.scored_judge import ScoredJudge, ScoredRows, measure_scores
from judges.comparison.rules.judge_board.threshold_intervals import ThresholdIntervals, bound_thresholds
from judges.comparison.rules.study.arrays import Flags
from judges.comparison.selectors.judge_board.judged import Judged, read_judged
from judges.comparison.selectors.study.signing import sign_comparison
from judges.registry import get_entry

_measured: Memory[ScoredJudge] = Memory(size=32)
_bounded: Memory[ThresholdIntervals] = Memory(size=32)


def has_scores(said: Said, counted: Flags) -> bool:
    """Say whether a run's scores tell more than its verdicts."""
    scores = said.score[counted]
    scores = scores[~np.isnan(scores)]
    return bool(((scores != 0) & (scores != 1)).any())


def read_scored_judge(*, project: Project, run: str) -> ScoredJudge:
    """Sweep a run, by its public id, over the decided answers it scored; raises `RunNotComparable`."""
    judged = read_judged(project)
    found = judged.find(run)
    rows = _rows(judged, found)
    return _measured.get(
        (project.pk, run),
        state=tuple(content_of(column) for column in rows),
        make=lambda: measure_scores(
            rows,
            threshold=stated_number(found.signature, "threshold"),
            is_probability=get_entry(found.judge_key).states_probability,
        ),
    )


def read_threshold_intervals(*, project: Project, run: str) -> ThresholdIntervals:
    """Return how sure the figures of `read_scored_judge` are; raises `RunNotComparable`."""
    judged = read_judged(project)
    rows = _rows(judged, judged.find(run))
    return _bounded.get(
        (project.pk, run),
        state=tuple(content_of(column) for column in rows),
        make=lambda: bound_thresholds(rows),
    )


def sign_scored_judge(*, project: Project, run: str) -> str:
    """Return what produced a run's thresholds and bins: its own signature, and what it is held against."""
    judged = read_judged(project)
    return sign_comparison(
        project,
        judged.find(run).signature,
        beside="people",
        answers="decided and scored",
        weights="1/probability" if judged.is_weighed else None,
    )


def _rows(judged: Judged, run: RunFacts) -> ScoredRows:
    said = judged.said[run.id]
    used = judged.counted & (said.verdict >= 0) & ~np.isnan(said.score)
    if not has_scores(said, judged.counted):
        used &= False
    return ScoredRows(
        scores=said.score[used],
        accepted=said.verdict[used] == 1,
        correct=judged.truth[used],
        questions=judged.items.candidates.question[used],
        weights=judged.weights[used],
    )
