"""Read the answers that people decided beside what every run said of them: what judges are compared on."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.errors import NotFound
from judges.comparison.rules.judge_board.beside_people import Beside, compare
from judges.comparison.rules.study import (
    ACCEPTED,
    NO_VERDICT,
    UNDECIDED,
    Column,
    Decided,
    Flags,
    Floats,
    Items,
    RunFacts,
    Said,
    answers_compared,
    answers_decided_by_people,
    count_left_out,
    name_columns,
    weigh_compared,
)
from judges.comparison.selectors.leaderboard import read_runs
from judges.comparison.selectors.study import (
    read_decided,
    read_improper,
    read_items,
    read_said,
    sign_comparison,
)


class RunNotComparable(NotFound):
    """The project has no such run of a judge."""

    code = "run_not_found"


class Judged(NamedTuple):
    """A study's answers, by candidate: what people say, whether it counts, and what each run said.

    truth: people accept, of an answer they decided. shared: answers of the judged sample, decided or not, on
    which judges are compared with each other. said, columns: by run id. weights: how many answers one that
    counts stands for, which differ where programs settled answers. is_ruled: a rule of pre-judging spoke for
    it. left_out: how many that programs settled none of those that count stands for.
    """

    items: Items
    truth: Flags
    counted: Flags
    weights: Floats
    shared: Flags
    runs: list[RunFacts]
    columns: dict[int, Column]
    said: dict[int, Said]
    is_ruled: Flags
    left_out: int = 0

    def find(self, public_id: str) -> RunFacts:
        """Return a run by its public id; raises `RunNotComparable`."""
        found = next((run for run in self.runs if run.public_id == public_id), None)
        if found is None:
            raise RunNotComparable("This project has no such run of a judge.")
        return found

    @property
    def on_common(self) -> "Judged":
        """The same, counting only answers on which every run that judged any of them has said something."""
        found = self.counted.copy()
        for run in self.speakers:
            found &= self.said[run.id].verdict != NO_VERDICT
        return self._replace(counted=found)

    @property
    def speakers(self) -> list[RunFacts]:
        """The runs that said something of an answer that counts."""
        return [run for run in self.runs if ((self.said[run.id].verdict != NO_VERDICT) & self.counted).any()]

    def beside(self, run: RunFacts) -> Beside:
        """Compare a run with people; a decided answer without a usable verdict is unscored."""
        verdict = self.said[run.id].verdict
        return compare(truth=self.truth, verdict=verdict, counted=self.counted, weights=self.weights)

    @property
    def weights_of_votes(self) -> Floats:
        """How many answers each one stands for where raters are compared with each other, decided or not."""
        return np.where(self.is_ruled, self.weights, 1.0)

    @property
    def is_weighed(self) -> bool:
        """Whether some answers stand for others."""
        return bool((self.weights[self.counted] != 1.0).any())


def sign_beside_people(
    project: Project,
    own: str,
    *,
    common: Sequence[RunFacts] = (),
    by: str | None = None,
    difference_from: str | None = None,
    ledger: str | None = None,
    is_weighed: bool = False,
) -> str:
    """Return what produced the figures of a judge beside people, after the line of its own.

    common: the runs that must all have said something of an answer for it to count. by: in which parts.
    difference_from: the run, by its hash, that another column compares it with. ledger: as in a line of a
    comparison.
    """
    return sign_comparison(
        project,
        own,
        beside="people",
        answers="decided and judged by all" if common else "decided",
        weights="1/probability" if is_weighed else None,
        by=by,
        difference_from=difference_from,
        judges=[run.signature for run in common],
        ledger=ledger,
    )


@kept()
def read_judged(project: Project) -> Judged:
    """Return what is there now."""
    items, runs = read_items(project), read_runs(project)
    return _judged(
        items,
        decided=read_decided(project),
        improper=read_improper(project),
        runs=runs,
        said=read_said(project, [run.id for run in runs]),
    )


def _judged(
    items: Items, *, decided: Decided, improper: Flags, runs: list[RunFacts], said: dict[int, Said]
) -> Judged:
    return Judged(
        items=items,
        truth=decided.worth == ACCEPTED,
        counted=answers_decided_by_people(items, decided=decided, improper=improper),
        weights=weigh_compared(items, decided=decided, improper=improper),
        shared=answers_compared(items, improper=improper),
        runs=runs,
        columns=name_columns(runs),
        said=said,
        is_ruled=decided.ruled != UNDECIDED,
        left_out=count_left_out(items, decided=decided, improper=improper),
    )
