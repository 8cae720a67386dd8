"""Read on which answers judges differ from what the raters' votes decided."""

from django.db.models import F, Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import NO_CONFLICTS, Basis, JudgeConflicts, group_words
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.rules import Protocol
from common.columns import read_rows
from judges.comparison.rules import name_columns
from judges.comparison.selectors.leaderboard.standings import read_runs


def find_judge_conflicts(*, project: Project) -> JudgeConflicts:
    """Return which runs that looked at the answers judged them otherwise, by answer; two queries.

    Only decisions by votes count: what a person decided was decided in full view of it.
    """
    runs = read_runs(project)
    if not runs or project.protocol is None:
        return NO_CONFLICTS
    columns = name_columns(runs)
    keys = {run.id: run.public_id for run in runs}
    rows = read_rows(_differing(project, project.protocol.rules, list(keys)), "candidate_id", "run")
    judges = group_words((candidate_id, keys[run_id]) for candidate_id, run_id in rows)
    differing = frozenset[str]().union(*judges.sets)
    names = {run.public_id: columns[run.id].name for run in runs if run.public_id in differing}
    return JudgeConflicts(names, judges)


def _differing(project: Project, protocol: Protocol, run_ids: list[int]) -> QuerySet[Decision]:
    decided = Decision.objects.filter(
        candidate__project=project,
        candidate__question__in_sample=True,
        is_current=True,
        is_reopening=False,
        source__in=list(Basis),
    ).exclude(candidate__question__in=improper_questions(project))
    judged = decided.annotate(run=F("candidate__verdicts__run"), accepted=F("candidate__verdicts__accepted"))
    too_strict = Q(label__in=protocol.accepted_keys, accepted=False)
    too_lenient = Q(label__in=protocol.rejected_keys, accepted=True)
    return judged.filter(too_strict | too_lenient, run__in=run_ids).order_by("candidate_id")
