"""Read how far each judge agrees with what people decided."""

from typing import NamedTuple

import numpy as np

from analysis.agreement import ONE_LABEL, cohen_kappa
from analysis.classification import Confusion, Quality, measure_quality
from analysis.undefined import Undefined, Value
from annotation.projects.models import Project
from judges.comparison.rules import (
    ACCEPTED,
    Column,
    Leaderboard,
    Scope,
    answers_decided_by_people,
    confusion_of,
    name_columns,
)
from judges.comparison.selectors.another_human import read_human_rows
from judges.comparison.selectors.standings import read_leaderboard, read_runs
from judges.comparison.selectors.study import read_decided, read_improper, read_items, read_said

NO_RANKING = "This judge has no score for the systems."


class JudgeRow(NamedTuple):
    """One judge against people, over the decided answers of the judged sample.

    A column of kind "human" is a rater (or all of them) against the other raters, and has no run.
    """

    column: Column
    run: str
    confusion: Confusion
    quality: Quality
    cohen_kappa: Value
    kendall_tau_b: Value
    accepted_share: Value
    correct_share: Value


def read_judge_rows(*, project: Project, board: Leaderboard | None = None) -> list[JudgeRow]:
    """Return a row for every run with a verdict on a decided answer, then people against each other.

    Decided means by people: what verdicts settled would only tell that they agree with themselves. Every
    decided answer without a usable verdict is unscored. `board` is the sample's leaderboard, read anew where
    it is not given.
    """
    board = board or read_leaderboard(project=project, scope=Scope.SAMPLE)
    runs = read_runs(project)
    columns = name_columns(runs)
    items = read_items(project)
    decided = read_decided(project, items)
    improper = read_improper(project, items)
    said = read_said([run.id for run in runs], items)
    counted = answers_decided_by_people(items, decided=decided, improper=improper)
    truth = decided.worth == ACCEPTED
    found = [
        (
            columns[run.id],
            run.public_id,
            confusion_of(truth=truth, verdict=said[run.id].verdict, counted=counted),
        )
        for run in runs
    ]
    programs = [
        _row(column, run, confusion=confusion, kendall=board.kendall.get(column.key, Undefined(NO_RANKING)))
        for column, run, confusion in found
        if confusion.scored
    ]
    return programs + [
        _row(column, "", confusion=confusion, kendall=Undefined(NO_RANKING))
        for column, confusion in read_human_rows(project=project)
    ]


def _row(column: Column, run: str, *, confusion: Confusion, kendall: Value) -> JudgeRow:
    tp, fn, fp, tn, _ = confusion
    table = np.array([[tp, fn], [fp, tn]], dtype=np.float64)
    kappa = float(cohen_kappa(table))
    scored = confusion.scored
    return JudgeRow(
        column=column,
        run=run,
        confusion=confusion,
        quality=measure_quality(confusion),
        cohen_kappa=Undefined(ONE_LABEL) if np.isnan(kappa) else kappa,
        kendall_tau_b=kendall,
        accepted_share=(tp + fp) / scored,
        correct_share=(tp + fn) / scored,
    )
