"""Read systems by ways of judging on each data set."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Flags
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules.leaderboard.standings import SCORE_INTERVAL, Score, as_decided, score_of, tally
from judges.comparison.rules.study import HUMAN, Filter, Kind, SystemFacts
from judges.comparison.selectors.leaderboard.standings import Scored, read_scored
from judges.comparison.selectors.study import read_traits, sign_comparison


@dataclass(frozen=True)
class DatasetRow:
    """The scores on one data set by one way of judging.

    `column`: the key of the way of judging. `scores`: by system; null if the system has no answer in the data
    set.
    """

    dataset: str
    column: str
    name: str
    kind: Kind
    signature: str
    scores: dict[str, Score | None]


@dataclass(frozen=True)
class Dataset:
    """A data set; the name "" stands for questions without a data set.

    `pending`: how many answers of systems are not decided yet.
    """

    name: str
    questions: int
    pending: int


@dataclass(frozen=True)
class NamedSystem:
    """A system."""

    system: str
    label: str


@dataclass(frozen=True)
class ByDataset:
    """Scores by data set, way of judging, and system.

    `programs_share`: the share of answers that pre-judging settled.
    """

    datasets: list[Dataset]
    systems: list[NamedSystem]
    rows: list[DatasetRow]
    programs_share: float
    signature: str


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
    is_all_decided = bool(scored.study.settled.is_decided[selection.predictions].all())
    datasets, rows = [], []
    for number, name in enumerate(names.tolist()):
        if not sizes[number]:
            continue
        counted = selection.predictions & (of_question == number)[items.predictions.question]
        pending = int((scored.study.settled.is_pending & counted).sum())
        datasets.append(Dataset(name, sizes[number], pending))
        rows += _rows(scored, name, counted=counted, systems=systems, is_all_decided=is_all_decided)
    given = int(selection.predictions.sum())
    by_programs = int((scored.study.settled.is_by_programs & selection.predictions).sum())
    judges = {row.signature for row in rows}
    return ByDataset(
        datasets,
        systems=[NamedSystem(system.name, system.label) for system in systems],
        rows=rows,
        programs_share=by_programs / given if given else 0.0,
        signature=sign_comparison(
            project,
            "leaderboard",
            wanted=wanted,
            judges=judges,
            by="dataset",
            scores=SCORE_INTERVAL,
            has_intervals=False,
        ),
    )


def _rows(
    scored: Scored, name: str, *, counted: Flags, systems: list[SystemFacts], is_all_decided: bool
) -> list[DatasetRow]:
    rows = []
    for scores in [*scored.judged, *scored.study.people]:
        # As on the leaderboard: once all is decided, exact match judges nothing, and this repeats a column.
        if is_all_decided and scores.column.key == HUMAN and scores.column.kind is Kind.MIXED:
            continue
        tallies = tally(scores, **{**scored.places, "counted": counted})
        own = {system.name: score_of(scores.column, tallies.get(system.id), rank=None) for system in systems}
        if any(own.values()):
            column = as_decided(scores.column) if is_all_decided else scores.column
            rows.append(DatasetRow(name, column.key, column.name, column.kind, column.signature, own))
    return rows
