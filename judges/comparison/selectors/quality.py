"""Read how far each judge agrees with what people decided."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from django.db.models import Count

from analysis.agreement import ONE_LABEL, cohen_kappa
from analysis.classification import Confusion, Quality, measure_quality
from analysis.undefined import Undefined, Value
from annotation.adjudication.models import Decision
from annotation.items.selectors import gold_only
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from judges.comparison.rules import Column, Leaderboard, Scope, name_columns
from judges.comparison.selectors.another_human import read_human_rows
from judges.comparison.selectors.standings import read_leaderboard, read_runs
from judges.runs.models import Verdict

BY_PEOPLE = tuple(source for source in Decision.Source if source != Decision.Source.PREJUDGED)
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
    protocol = project.protocol.rules if project.protocol else None
    accepted = protocol.accepted_keys if protocol else frozenset()
    improper = improper_questions(project)
    decided = _count_decisions(project, accepted, improper)
    counts = _count_verdicts(project, accepted, improper)
    programs = [
        _row(
            columns[run.id],
            run.public_id,
            confusion=_confusion(counts[run.id], decided),
            kendall=board.kendall.get(columns[run.id].key, Undefined(NO_RANKING)),
        )
        for run in runs
        if run.id in counts
    ]
    people = read_human_rows(project=project, accepted=accepted, improper=improper)
    return programs + [
        _row(column, "", confusion=confusion, kendall=Undefined(NO_RANKING)) for column, confusion in people
    ]


def _count_decisions(
    project: Project, accepted: frozenset[str], improper: frozenset[int]
) -> Mapping[bool, int]:
    rows = (
        Decision.objects.filter(
            candidate__project=project,
            candidate__question__in_sample=True,
            candidate__is_judgeable=True,
            is_current=True,
            is_reopening=False,
            source__in=BY_PEOPLE,
        )
        .exclude(candidate__question__in=improper)
        .exclude(candidate__in=gold_only(project_id=project.pk))
        .values_list("label")
        .annotate(Count("pk"))
        .order_by()
    )
    counts: Counter[bool] = Counter()
    for label, count in rows:
        counts[label in accepted] += count
    return counts


def _count_verdicts(
    project: Project, accepted: frozenset[str], improper: frozenset[int]
) -> Mapping[int, Counter[tuple[bool, bool]]]:
    """Count scored verdicts on decided answers by run, as (people accept, judge accepts)."""
    rows = (
        Verdict.objects.filter(
            run__project=project,
            accepted__isnull=False,
            candidate__question__in_sample=True,
            candidate__is_judgeable=True,
            candidate__decisions__is_current=True,
            candidate__decisions__is_reopening=False,
            candidate__decisions__source__in=BY_PEOPLE,
        )
        .exclude(candidate__question__in=improper)
        .values_list("run_id", "accepted", "candidate__decisions__label")
        .annotate(Count("pk"))
        .order_by()
    )
    counts: dict[int, Counter[tuple[bool, bool]]] = defaultdict(Counter)
    for run, verdict, label, count in rows:
        counts[run][label in accepted, verdict] += count
    return counts


def _confusion(counts: Counter[tuple[bool, bool]], decided: Mapping[bool, int]) -> Confusion:
    return Confusion(
        true_positive=counts[True, True],
        false_negative=counts[True, False],
        false_positive=counts[False, True],
        true_negative=counts[False, False],
        unscored=sum(decided.values()) - counts.total(),
    )


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
