"""Read the answers that an application settled, or drew for raters."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import QuerySet

from annotation.adjudication.models import Decision
from annotation.projects.models import Project
from judges.prejudging.models import PolicyApplication, PrejudgedAnswer, PrejudgedVerdict
from judges.registry import display_name
from judges.runs.models import JudgeRun


class SettledAnswer(NamedTuple):
    """A prejudged answer; `people` is the label they decided since, None while it stands or is open."""

    row: PrejudgedAnswer
    people: str | None
    verdicts: list[tuple[str, bool, float | None]]


def find_settled(
    *, application: PolicyApplication | None, rule: int | None = None, audited: bool | None = None
) -> QuerySet[PrejudgedAnswer]:
    """Return an application's answers in the order of questions, those undone included; none for None."""
    rows = PrejudgedAnswer.objects.filter(application=application)
    if rule is not None:
        rows = rows.filter(rule_number=rule)
    if audited is not None:
        rows = rows.filter(is_audited=audited)
    order = ("candidate__question__position", "candidate__question_id", "candidate__position", "pk")
    return rows.select_related("candidate__question", "decision").order_by(*order)


def describe_settled(*, project: Project, rows: Iterable[PrejudgedAnswer]) -> list[SettledAnswer]:
    """Return a page of answers with the verdicts behind them."""
    rows = list(rows)
    runs = JudgeRun.objects.filter(project=project).order_by("pk").values_list("public_id", "judge_key")
    names = {public_id: display_name(key) for public_id, key in runs}
    by_people = Decision.objects.filter(
        candidate__in=[row.candidate_id for row in rows], is_current=True, is_reopening=False
    ).exclude(source=Decision.Source.PREJUDGED)
    labels = dict(by_people.values_list("candidate_id", "label"))
    behind: dict[int, list[tuple[str, bool, float | None]]] = {row.pk: [] for row in rows}
    for verdict in PrejudgedVerdict.objects.filter(answer__in=rows).order_by("pk"):
        judge = names.get(verdict.run_public_id, verdict.run_public_id)
        behind[verdict.answer_id].append((judge, verdict.accepted, verdict.score))
    return [SettledAnswer(row, labels.get(row.candidate_id), behind[row.pk]) for row in rows]
