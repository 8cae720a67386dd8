"""Read how far each judge agrees with what people decided."""

from typing import NamedTuple

from analysis.undefined import Undefined, Value
from annotation.projects.models import Project
from judges.comparison.rules import Column, Filter
from judges.comparison.rules.beside_people import Beside, stand_beside
from judges.comparison.selectors.another_human import read_human_rows
from judges.comparison.selectors.judged import judged_of
from judges.comparison.selectors.standings import Scored, leaderboard_of, read_scored

NO_RANKING = "This judge has no score for the systems."


class JudgeRow(NamedTuple):
    """One judge against people, over the decided answers of the judged sample.

    A column of kind "human" is a rater (or all of them) against the other raters, and has no run.
    """

    column: Column
    run: str
    beside: Beside
    kendall_tau_b: Value
    accepted_share: Value
    correct_share: Value


def read_judge_rows(*, project: Project, scored: Scored | None = None) -> list[JudgeRow]:
    """Return a row for every run with a verdict on a decided answer, then people against each other.

    Decided means by people: what verdicts settled would only tell that they agree with themselves. Every
    decided answer without a usable verdict is unscored. `scored` is what was read of the sample, read anew
    where it is not given.
    """
    scored = scored or read_scored(project=project, wanted=Filter())
    kendall = leaderboard_of(scored).kendall
    judged = judged_of(scored)
    found = [(run, judged.columns[run.id], judged.beside(run)) for run in judged.runs]
    programs = [
        _row(column, run.public_id, beside=beside, kendall=kendall.get(column.key, Undefined(NO_RANKING)))
        for run, column, beside in found
        if beside.confusion.scored
    ]
    return programs + [
        _row(column, "", beside=stand_beside(confusion), kendall=Undefined(NO_RANKING))
        for column, confusion in read_human_rows(project=project)
    ]


def _row(column: Column, run: str, *, beside: Beside, kendall: Value) -> JudgeRow:
    tp, fn, fp, _, _ = beside.confusion
    scored = beside.confusion.scored
    return JudgeRow(
        column=column,
        run=run,
        beside=beside,
        kendall_tau_b=kendall,
        accepted_share=(tp + fp) / scored,
        correct_share=(tp + fn) / scored,
    )
