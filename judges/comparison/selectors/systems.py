"""Read systems beside each other."""

from typing import NamedTuple

import numpy as np

from annotation.projects.models import Project
from judges.comparison.rules import Filter, SystemFacts, table_of
from judges.comparison.rules.study import Flags
from judges.comparison.rules.systems import SystemsBoard, compare_systems
from judges.comparison.selectors.standings import read_scored


class NamedBoard(NamedTuple):
    """The systems that answered any of the questions, in the board's order; pending: answers undecided."""

    systems: list[SystemFacts]
    board: SystemsBoard
    pending: int


def read_systems(*, project: Project, wanted: Filter) -> NamedBoard:
    """Compare systems by exact match with the gold list as people amended it, as the leaderboard does."""
    scored = read_scored(project=project, wanted=wanted)
    items, selection, settled = scored.study.items, scored.selection, scored.study.settled
    strings = table_of(items.predictions.string.astype(np.float64), items=items, selection=selection)
    right = table_of(settled.is_match.astype(np.float64), items=items, selection=selection)
    present: Flags = np.asarray((~np.isnan(strings)).any(axis=1))
    return NamedBoard(
        systems=[system for system, is_there in zip(items.systems, present, strict=True) if is_there],
        board=compare_systems(strings=strings[present], right=right[present]),
        pending=int((settled.is_pending & selection.predictions).sum()),
    )
