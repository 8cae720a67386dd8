"""Read how far each judge agrees with what people decided of each system's answers."""

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from django.db.models import QuerySet

from analysis.sampling import correct_by_audit
from annotation.items.models import Prediction
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from judges.comparison.rules import (
    ACCEPTED,
    UNDECIDED,
    answers_decided_by_people,
    name_columns,
    weigh_compared,
)
from judges.comparison.rules.judge_board.beside_people import Beside, compare, counts_json
from judges.comparison.rules.study.scores import audit_of
from judges.comparison.selectors.leaderboard.standings import read_runs
from judges.comparison.selectors.study.arrays import read_decided, read_improper, read_items, read_said


class SystemJudge(NamedTuple):
    """One judge on one system's decided answers."""

    key: str
    run: str
    beside: Beside


class SystemQuality(NamedTuple):
    """Which share of one system's answers people accept, None where it is unknown, and judges beside them."""

    human_accuracy: float | None
    judges: list[SystemJudge]


def read_system_quality(*, project: Project) -> dict[int, SystemQuality]:
    """Return for each system with decided answers how judges agree with people, a row a prediction.

    A decided answer without a usable verdict is unscored. What a policy settled counts as the audit corrects
    it, and not for judges: theirs are the answers of the judge board.
    """
    runs = read_runs(project)
    columns = name_columns(runs)
    items = read_items(project)
    candidate = items.predictions.candidate
    decided, improper = read_decided(project, items), read_improper(project, items)
    worth = decided.worth[candidate]
    scored = items.questions.in_sample & ~improper
    counted = scored[items.predictions.question] & (worth != UNDECIDED)
    by_people = answers_decided_by_people(items, decided=decided, improper=improper)[candidate]
    weights = weigh_compared(items, decided=decided, improper=improper)[candidate]
    corrected = correct_by_audit(
        **{name: values[counted] for name, values in audit_of(decided, candidate)._asdict().items()},
        groups=items.predictions.system[counted],
        group_count=len(items.systems),
    )
    human = np.full(len(candidate), np.nan)
    human[counted] = corrected.values
    said = read_said([run.id for run in runs], items)
    found = {}
    for place, system in enumerate(items.systems):
        own = counted & (items.predictions.system == place)
        if own.any():
            besides = (
                (
                    run,
                    compare(
                        truth=worth == ACCEPTED,
                        verdict=said[run.id].verdict[candidate],
                        counted=own & by_people,
                        weights=weights,
                    ),
                )
                for run in runs
            )
            mean = float(human[own].mean())
            found[system.id] = SystemQuality(
                human_accuracy=None if np.isnan(mean) else mean,
                judges=[
                    SystemJudge(columns[run.id].key, run.public_id, beside)
                    for run, beside in besides
                    if beside.confusion.scored
                ],
            )
    return found


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


def system_quality_json(quality: SystemQuality | None) -> dict[str, Any]:
    """Return people's accuracy of a system and its judges; what is undefined is null, `words` says why."""
    if quality is None:
        return {"human_accuracy": None, "judges": []}
    return {
        "human_accuracy": quality.human_accuracy,
        "judges": [_judge_json(judge) for judge in quality.judges],
    }


def _judge_json(judge: SystemJudge) -> dict[str, Any]:
    quality = judge.beside.quality
    figures = {
        "accuracy": quality.accuracy_all,
        "accuracy_scored": quality.accuracy_scored,
        "coverage": quality.coverage,
        "macro_f1": quality.macro_f1,
        "precision": quality.precision,
        "recall": quality.recall,
    }
    return {"key": judge.key, "run": judge.run, **counts_json(judge.beside.confusion, figures)}
