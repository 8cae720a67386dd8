"""Read how far each judge agrees with what people decided of each system's answers."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from django.db.models import Count, QuerySet

from analysis.classification import Confusion, measure_quality
from analysis.undefined import Undefined, number_or_none
from annotation.items.models import Prediction
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from judges.comparison.rules import name_columns
from judges.comparison.selectors.standings import read_runs


class SystemJudge(NamedTuple):
    """One judge on one system's decided answers."""

    key: str
    run: str
    confusion: Confusion


class SystemQuality(NamedTuple):
    """What people decided of one system's answers, and every judge beside it."""

    decided: int
    accepted: int
    judges: list[SystemJudge]


def read_system_quality(*, project: Project) -> dict[int, SystemQuality]:
    """Return for each system with decided answers how judges agree with people, a row a prediction.

    A decided answer without a usable verdict is unscored.
    """
    runs = read_runs(project)
    columns = name_columns(runs)
    accepted = project.protocol.rules.accepted_keys if project.protocol else frozenset()
    decided = _count_decisions(project, accepted)
    counts = _count_verdicts(project, accepted, run_ids=[run.id for run in runs])
    return {
        system: SystemQuality(
            decided=rows.total(),
            accepted=rows[True],
            judges=[
                SystemJudge(columns[run.id].key, run.public_id, _confusion(counts[system, run.id], rows))
                for run in runs
                if (system, run.id) in counts
            ],
        )
        for system, rows in decided.items()
    }


def decided_predictions(project: Project) -> QuerySet[Prediction]:
    """Return the predictions of the judged sample whose answer people decided."""
    return (
        Prediction.objects.filter(
            system__project=project,
            question__in_sample=True,
            candidate__decisions__is_current=True,
            candidate__decisions__is_reopening=False,
        )
        .exclude(question__in=improper_questions(project))
        .order_by()
    )


def judged_predictions(project: Project, *, run_ids: Collection[int]) -> QuerySet[Prediction]:
    """Return decided predictions once for each of these runs that has a usable verdict on their answer."""
    verdict = "candidate__verdicts__"
    return decided_predictions(project).filter(
        **{f"{verdict}run__in": list(run_ids), f"{verdict}accepted__isnull": False}
    )


def _count_decisions(project: Project, accepted: frozenset[str]) -> Mapping[int, Counter[bool]]:
    counts: dict[int, Counter[bool]] = defaultdict(Counter)
    rows = decided_predictions(project).values_list("system_id", "candidate__decisions__label")
    for system, label, count in rows.annotate(Count("pk")):
        counts[system][label in accepted] += count
    return counts


def _count_verdicts(
    project: Project, accepted: frozenset[str], *, run_ids: list[int]
) -> Mapping[tuple[int, int], Counter[tuple[bool, bool]]]:
    """Count scored verdicts by system and run, as (people accept, judge accepts)."""
    counts: dict[tuple[int, int], Counter[tuple[bool, bool]]] = defaultdict(Counter)
    rows = judged_predictions(project, run_ids=run_ids).values_list(
        "system_id",
        "candidate__verdicts__run_id",
        "candidate__verdicts__accepted",
        "candidate__decisions__label",
    )
    for system, run, verdict, label, count in rows.annotate(Count("pk")):
        counts[system, run][label in accepted, verdict] += count
    return counts


def _confusion(counts: Counter[tuple[bool, bool]], decided: Counter[bool]) -> Confusion:
    return Confusion(
        true_positive=counts[True, True],
        false_negative=counts[True, False],
        false_positive=counts[False, True],
        true_negative=counts[False, False],
        unscored=decided.total() - counts.total(),
    )


def system_quality_json(quality: SystemQuality | None) -> dict[str, Any]:
    """Return people's accuracy of a system and its judges; what is undefined is null, `words` says why."""
    if quality is None:
        return {"human_accuracy": None, "judges": []}
    return {
        "human_accuracy": quality.accepted / quality.decided,
        "judges": [_judge_json(judge) for judge in quality.judges],
    }


def _judge_json(judge: SystemJudge) -> dict[str, Any]:
    tp, fn, fp, tn, unscored = judge.confusion
    quality = measure_quality(judge.confusion)
    values = {
        "accuracy": quality.accuracy_all,
        "accuracy_scored": quality.accuracy_scored,
        "coverage": quality.coverage,
        "macro_f1": quality.macro_f1,
        "precision": quality.precision,
        "recall": quality.recall,
    }
    return {
        "key": judge.key,
        "run": judge.run,
        "tp": tp,
        "fn": fn,
        "fp": fp,
        "tn": tn,
        "unscored": unscored,
        **{name: number_or_none(value) for name, value in values.items()},
        "words": {name: value.reason for name, value in values.items() if isinstance(value, Undefined)},
    }
