"""Read when what a study's report says last changed."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Max, QuerySet

from annotation.adjudication.models import Decision
from annotation.gold.models import GoldChange
from annotation.items.models import DataImport, QuestionCorrection
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.projects.models import Project, ProtocolVersion
from judges.comparison.models import ReferenceScore
from judges.runs.models import Verdict
from judges.tagging.models import Tagging


def last_change(project: Project) -> datetime | None:
    """Return when the last of what a report counts came, changed or was taken back; None before the first.

    Of the sample, the names and descriptions of systems and the members nobody keeps a time.
    """
    found = (at for rows, fields in _dated(project) for at in _latest(rows, fields))
    return max((at for at in found if at), default=None)


def _dated(project: Project) -> Iterator[tuple[QuerySet[Any], tuple[str, ...]]]:
    yield ProtocolVersion.objects.filter(project=project), ("created_at",)
    yield DataImport.objects.filter(project=project), ("applied_at", "undone_at")
    yield QuestionCorrection.objects.filter(question__project=project), ("corrected_at",)
    yield Judgment.objects.filter(candidate__project=project), ("judged_at",)
    yield JudgmentRevision.objects.filter(judgment__candidate__project=project), ("at",)
    yield CheckAnswer.objects.filter(question__project=project), ("answered_at",)
    yield Decision.objects.filter(candidate__project=project), ("decided_at",)
    yield GoldChange.objects.filter(question__project=project), ("changed_at", "undone_at")
    yield Verdict.objects.filter(run__project=project), ("judged_at",)
    yield Tagging.objects.filter(item__round__project=project), ("tagged_at",)
    yield ReferenceScore.objects.filter(project=project), ("added_at", "removed_at")


def _latest(rows: QuerySet[Any], fields: tuple[str, ...]) -> Iterator[datetime | None]:
    yield from rows.order_by().aggregate(**{field: Max(field) for field in fields}).values()
