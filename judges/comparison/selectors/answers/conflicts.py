"""Read on which answers judges differ from what the raters' votes decided."""

import numpy as np

from annotation.adjudication.rules import NO_CONFLICTS, JudgeConflicts, group_columns
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules.study import ACCEPTED, REJECTED, Codes, Flags, name_columns
from judges.comparison.selectors.leaderboard import read_runs
from judges.comparison.selectors.study import read_decided, read_improper, read_items, read_said


@kept()
def find_judge_conflicts(*, project: Project) -> JudgeConflicts:
    """Return which runs that looked at the answers judged them otherwise, by answer.

    Only decisions by votes count: what a person decided was decided in full view of it.
    """
    runs = read_runs(project)
    if not runs or project.protocol is None:
        return NO_CONFLICTS
    items, columns = read_items(project), name_columns(runs)
    decided, said = read_decided(project), read_said(project, [run.id for run in runs])
    proper = items.questions.in_sample & ~read_improper(project)
    counted = decided.is_by_votes & proper[items.candidates.question]
    differs = np.column_stack(
        [counted & _contradicts(said[run.id].verdict, worth=decided.worth) for run in runs]
    )
    names = {run.public_id: columns[run.id].name for run in runs}
    return JudgeConflicts(names, group_columns(items.candidates.ids, list(names), differs))


def _contradicts(verdict: Codes, *, worth: Codes) -> Flags:
    """Say where a run rejects what is definitely correct, or accepts what is wrong."""
    found: Flags = ((worth == ACCEPTED) & (verdict == 0)) | ((worth == REJECTED) & (verdict == 1))
    return found
