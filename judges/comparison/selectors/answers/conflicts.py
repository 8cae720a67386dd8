"""Read on which answers judges differ from what the raters' votes decided."""

from collections import defaultdict
from collections.abc import Mapping

from django.db.models import F, Q

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import Basis, JudgeConflicts
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from judges.comparison.rules import name_columns
from judges.comparison.selectors.leaderboard.standings import read_runs


def find_judge_conflicts(*, project: Project) -> list[JudgeConflicts]:
    """Return for every run that looked at the answers those it judged otherwise; two queries.

    Only decisions by votes count: what a person decided was decided in full view of it.
    """
    runs = read_runs(project)
    columns = name_columns(runs)
    found: Mapping[int, set[int]] = defaultdict(set)
    for run_id, candidate_id in _differing(project, [run.id for run in runs]):
        found[run_id].add(candidate_id)
    return [
        JudgeConflicts(run.public_id, columns[run.id].name, frozenset(found[run.id]))
        for run in runs
        if found[run.id]
    ]


def _differing(project: Project, run_ids: list[int]) -> list[tuple[int, int]]:
    if not run_ids or project.protocol is None:
        return []
    protocol = project.protocol.rules
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
    rows = judged.filter(too_strict | too_lenient, run__in=run_ids)
    return list(rows.order_by("pk").values_list("run", "candidate_id"))
