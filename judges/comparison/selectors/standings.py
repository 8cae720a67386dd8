"""Read the leaderboard: systems by ways of judging."""

from annotation.projects.models import Project
from judges.comparison.rules import (
    Column,
    Leaderboard,
    RunFacts,
    Scope,
    human_columns,
    is_recorded,
    make_leaderboard,
    name_columns,
)
from judges.comparison.selectors.answers import ExactMatcher, Facts, has_prejudged, read_facts
from judges.comparison.selectors.tallies import Tallies, human_tallies, recorded_tallies, verdict_tallies
from judges.registry import display_name
from judges.runs.models import JudgeRun


def read_runs(project: Project) -> list[RunFacts]:
    """Return the project's runs in the order of their columns: complete ones first, recorded ones last."""
    rows = (
        JudgeRun.objects.filter(project=project)
        .exclude(state=JudgeRun.State.CANCELLED)
        .order_by("created_at", "pk")
        .values_list("pk", "public_id", "judge_key", "gold_version", "signature", "state")
    )
    runs = [
        RunFacts(
            id=pk,
            public_id=public_id,
            judge_key=key,
            name=display_name(key),
            gold_version=gold,
            signature=signature,
            is_partial=state != JudgeRun.State.FINISHED,
        )
        for pk, public_id, key, gold, signature, state in rows
    ]
    return sorted(runs, key=lambda run: (run.is_partial, is_recorded(run.judge_key)))


def read_leaderboard(*, project: Project, scope: Scope) -> Leaderboard:
    """Return every system's scores by every judge with verdicts, and by people once they decided something.

    In the entire data recorded judges are left out: their files cover the judged sample only.
    """
    facts = read_facts(project=project, scope=scope)
    matcher = ExactMatcher()
    people, standings = human_tallies(facts, matcher=matcher)
    runs = read_runs(project)
    named = name_columns(runs)
    tallies: Tallies = people | _judge_tallies(facts, runs=runs, named=named, matcher=matcher)
    columns = [named[run.id] for run in runs if tallies.get(named[run.id].key)]
    if any(standing.decided for standing in standings.values()):
        columns += human_columns(has_prejudged=has_prejudged(project))
    return make_leaderboard(
        scope=scope,
        n_questions=len(facts.question_ids),
        systems=facts.systems,
        columns=columns,
        tallies=tallies,
        standings=standings,
    )


def _judge_tallies(
    facts: Facts, *, runs: list[RunFacts], named: dict[int, Column], matcher: ExactMatcher
) -> Tallies:
    recorded = [run for run in runs if is_recorded(run.judge_key)]
    others = {run.id: named[run.id] for run in runs if not is_recorded(run.judge_key)}
    tallies = verdict_tallies(facts, columns=others)
    if recorded and not (facts.scope is Scope.ENTIRE and facts.is_sampled):
        columns = {run.id: named[run.id] for run in recorded}
        tallies |= recorded_tallies(facts, runs=recorded, columns=columns, matcher=matcher)
    return tallies
