"""Read systems by ways of judging, data set by data set."""

from typing import NamedTuple

import numpy as np

from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules import Column, Filter, Score, SystemFacts, tally
from judges.comparison.rules.leaderboard.standings import score_of
from judges.comparison.rules.study.arrays import Flags
from judges.comparison.selectors.leaderboard.standings import Scored, read_scored
from judges.comparison.selectors.study.arrays import read_traits


class DatasetRow(NamedTuple):
    """One data set by one way of judging: each system's score, by its name; None where it has none."""

    dataset: str
    column: Column
    scores: dict[str, Score | None]


class Dataset(NamedTuple):
    """A data set; "" gathers questions without one. pending: predictions that people may yet decide."""

    name: str
    questions: int
    pending: int


class ByDataset(NamedTuple):
    """Data sets by their names, the systems with an answer to any, and a row a data set and column.

    programs_share: of the systems' answers, what rules of pre-judging decided.
    """

    datasets: list[Dataset]
    systems: list[SystemFacts]
    rows: list[DatasetRow]
    programs_share: float


@kept()
def read_by_dataset(*, project: Project, wanted: Filter) -> ByDataset:
    """Score every system on each data set of the questions chosen; ranks are left out.

    A way of judging has no row where it says nothing of a data set.
    """
    scored = read_scored(project=project, wanted=wanted)
    items, selection = scored.study.items, scored.selection
    names, of_question = np.unique(read_traits(project).datasets, return_inverse=True)
    sizes = np.bincount(of_question[selection.questions], minlength=len(names)).tolist()
    present = sorted(set(items.predictions.system[selection.predictions].tolist()))
    systems = [items.systems[place] for place in present]
    datasets, rows = [], []
    for number, name in enumerate(names.tolist()):
        if not sizes[number]:
            continue
        counted = selection.predictions & (of_question == number)[items.predictions.question]
        pending = int((scored.study.settled.is_pending & counted).sum())
        datasets.append(Dataset(name, sizes[number], pending))
        rows += _rows(scored, name, counted=counted, systems=systems)
    given = int(selection.predictions.sum())
    by_programs = int((scored.study.settled.is_by_programs & selection.predictions).sum())
    return ByDataset(datasets, systems, rows, by_programs / given if given else 0.0)


def _rows(scored: Scored, name: str, *, counted: Flags, systems: list[SystemFacts]) -> list[DatasetRow]:
    rows = []
    for scores in [*scored.judged, *scored.study.people]:
        tallies = tally(scores, **{**scored.places, "counted": counted})
        own = {system.name: score_of(scores.column, tallies.get(system.id), rank=None) for system in systems}
        if any(own.values()):
            rows.append(DatasetRow(name, scores.column, own))
    return rows
