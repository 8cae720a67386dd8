"""Read which system is best by people, from the leaderboard as it opens and its pairs."""

import numpy as np

from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules.leaderboard.standings import people_column
from judges.comparison.rules.results.best_system import (
    BestSystem,
    NoBestSystem,
    find_best_system,
    why_no_best,
)
from judges.comparison.rules.study import Filter
from judges.comparison.selectors.leaderboard.standings import (
    best_scope,
    read_leaderboard,
    read_pairs,
    read_scored,
)


@kept()
def read_best_system(*, project: Project) -> BestSystem:
    """Say which system is best over the questions on which the leaderboard opens, or why nobody can."""
    wanted = Filter(scope=best_scope(project=project))
    board = read_leaderboard(project=project, wanted=wanted)
    column, why = people_column(board), why_no_best(board)
    if column is None or why:
        is_open = why is NoBestSystem.NOT_DECIDED
        left = _count_open(project, wanted) if is_open else 0
        return find_best_system(board, [], open_questions=left)
    found = read_pairs(project=project, wanted=wanted, column=column.key)
    return find_best_system(board, found.pairs, open_questions=0)


def _count_open(project: Project, wanted: Filter) -> int:
    scored = read_scored(project=project, wanted=wanted)
    is_open = scored.study.settled.is_pending & scored.selection.predictions
    return len(np.unique(scored.study.items.predictions.question[is_open]))
