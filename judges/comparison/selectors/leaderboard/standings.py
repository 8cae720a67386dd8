"""Read the leaderboard: systems by ways of judging."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from analysis.ranking import Table
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules import (
    Filter,
    Leaderboard,
    RunFacts,
    Scope,
    Scores,
    Selection,
    Tally,
    comparable_systems,
    count_judged,
    is_recorded,
    make_leaderboard,
    name_columns,
    standings_of,
    table_of,
    tally,
)
from judges.comparison.rules.leaderboard.standings import is_count
from judges.comparison.rules.study.arrays import Floats, median_words
from judges.comparison.rules.study.selection import keep_able
from judges.comparison.selectors.study.arrays import read_selection
from judges.comparison.selectors.study.scores import StudyScores, read_scores
from judges.registry import display_name
from judges.runs.models import JudgeRun


def read_runs(project: Project) -> list[RunFacts]:
    """Return the project's runs in the order of their columns: complete ones first, recorded ones last."""
    rows = (
        JudgeRun.objects.filter(project=project, purpose=JudgeRun.Purpose.VERDICTS)
        .exclude(state=JudgeRun.State.CANCELLED)
        .order_by("created_at", "pk")
        .values_list("pk", "public_id", "judge_key", "gold_version", "signature", "stated", "state")
    )
    runs = [
        RunFacts(
            id=pk,
            public_id=public_id,
            judge_key=key,
            name=display_name(key),
            gold_version=gold,
            signature=signature,
            stated=tuple((name, value) for name, value in stated),
            is_partial=state != JudgeRun.State.FINISHED,
        )
        for pk, public_id, key, gold, signature, stated, state in rows
    ]
    return sorted(runs, key=lambda run: (run.is_partial, is_recorded(run.judge_key)))


class Scored(NamedTuple):
    """A study's scores, of which a filter lets some count; `judged` are those that have a column."""

    runs: list[RunFacts]
    study: StudyScores
    selection: Selection
    scope: Scope
    judged: list[Scores]

    @property
    def add_up(self) -> Callable[[Scores], dict[int, Tally]]:
        """Count a column by system id."""
        return partial(tally, **self.places)

    def correct(self, scores: Scores) -> tuple[Scores, Floats]:
        """Return scores as what is counted here corrects them, and each system's variance by that."""
        items = self.study.items
        counted = self.selection.predictions
        return scores.over(systems=items.predictions.system, counted=counted, size=len(items.systems))

    def table(self, scores: Scores) -> Table:
        """Return scores as systems are compared by them, one a question."""
        items, counted = self.study.items, self.selection.predictions
        values, variance = scores.to_test(
            systems=items.predictions.system, counted=counted, size=len(items.systems)
        )
        return Table(
            table_of(values, items=items, selection=self.selection), is_count(scores.column), variance
        )

    @property
    def judged_questions(self) -> int:
        """Count the chosen questions of which people decided an answer."""
        return count_judged(self.study.items, decided=self.study.decided, questions=self.selection.questions)

    @property
    def comparable(self) -> set[int]:
        """Return the ids of systems that have ranks."""
        return comparable_systems(questions=self.study.items.predictions.question, **self.places)

    @property
    def places(self) -> dict[str, Any]:
        """Where each counted prediction belongs."""
        items = self.study.items
        return {
            "systems": items.predictions.system,
            "counted": self.selection.predictions,
            "ids": [system.id for system in items.systems],
        }


@kept()
def read_scored(*, project: Project, wanted: Filter) -> Scored:
    """Return the ways of judging and what they are to be counted over.

    In the entire data recorded judges are left out: their files cover the judged sample only.
    """
    runs = read_runs(project)
    study = read_scores(project=project, runs=runs, columns=name_columns(runs))
    selection = read_selection(project, study.items, improper=study.improper, wanted=wanted)
    if wanted.least_share is not None:
        is_right = study.settled.is_match
        selection = keep_able(study.items, selection, is_right=is_right, least_share=wanted.least_share)
    beyond_sample = not study.items.questions.in_sample[selection.questions].all()
    left_out = {run.id for run in runs if beyond_sample and is_recorded(run.judge_key)}
    judged = [study.judges[run.id] for run in runs if run.id not in left_out]
    scored = Scored(runs, study, selection, wanted.scope, judged)
    return scored._replace(study=study._replace(people=[scored.correct(each)[0] for each in study.people]))


def read_leaderboard(
    *, project: Project, scope: Scope = Scope.SAMPLE, wanted: Filter | None = None
) -> Leaderboard:
    """Return every system's scores by every judge with verdicts, and by people once they decided something.

    `wanted` chooses the questions; without it all of the scope count.
    """
    return leaderboard_of(read_scored(project=project, wanted=wanted or Filter(scope=scope)))


def leaderboard_of(scored: Scored) -> Leaderboard:
    """Add up what was read."""
    standings = standings_of(scored.study.settled, **scored.places)
    is_decided = any(standing.decided for standing in standings.values())
    ways = [*scored.judged, *scored.study.people] if is_decided else scored.judged
    tallies = {scores.column.key: scored.add_up(scores) for scores in ways}
    return make_leaderboard(
        scope=scored.scope,
        n_questions=int(scored.selection.questions.sum()),
        judged_questions=scored.judged_questions,
        systems=scored.study.items.systems,
        columns=[scores.column for scores in ways if tallies[scores.column.key]],
        tallies=tallies,
        standings=standings,
        median_words=median_words(scored.study.words, **scored.places),
        comparable=scored.comparable,
    )
