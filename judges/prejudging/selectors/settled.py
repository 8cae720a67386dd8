"""Read the answers that an application settled, or drew for raters."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from django.db.models import Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.projects.models import Project
from judges.prejudging.models import PolicyApplication, PrejudgedAnswer, PrejudgedVerdict
from judges.prejudging.selectors.policies import list_rules
from judges.registry import display_name
from judges.runs.models import JudgeRun


class SettledAnswer(NamedTuple):
    """A prejudged answer; `people` is the label they decided since, None while it stands or is open.

    rule: its number among the rules of the applications it was asked for with.
    """

    row: PrejudgedAnswer
    rule: int
    people: str | None
    verdicts: list[tuple[str, bool, float | None]]


def find_settled(
    *, applications: Sequence[PolicyApplication], rule: int | None = None, audited: bool | None = None
) -> QuerySet[PrejudgedAnswer]:
    """Return the answers of applications in the order of questions, those undone included.

    rule: its number among the rules of these applications.
    """
    rows = PrejudgedAnswer.objects.filter(application__in=applications)
    if rule is not None:
        places = (each.places for each in list_rules(applications=applications) if each.number == rule)
        of_rule = (Q(application=pk, rule_number=number) for pk, number in sorted(next(places, ())))
        rows = rows.filter(reduce(Q.__or__, of_rule, Q(pk__in=[])))
    if audited is not None:
        rows = rows.filter(is_audited=audited)
    order = ("candidate__question__position", "candidate__question_id", "candidate__position", "pk")
    return rows.select_related("candidate__question", "decision").order_by(*order)


def describe_settled(
    *, project: Project, rows: Iterable[PrejudgedAnswer], applications: Sequence[PolicyApplication]
) -> list[SettledAnswer]:
    """Return a page of answers with the verdicts behind them."""
    rows = list(rows)
    rules = {place: rule.number for rule in list_rules(applications=applications) for place in rule.places}
    runs = JudgeRun.objects.filter(project=project).order_by("pk").values_list("public_id", "judge_key")
    names = {public_id: display_name(key) for public_id, key in runs}
    by_people = Decision.objects.in_force().filter(candidate__in=[row.candidate_id for row in rows])
    by_people = by_people.exclude(source=Decision.Source.PREJUDGED)
    labels = dict(by_people.values_list("candidate_id", "label"))
    behind: dict[int, list[tuple[str, bool, float | None]]] = {row.pk: [] for row in rows}
    for verdict in PrejudgedVerdict.objects.filter(answer__in=rows).order_by("pk"):
        judge = names.get(verdict.run_public_id, verdict.run_public_id)
        behind[verdict.answer_id].append((judge, verdict.accepted, verdict.score))
    return [
        SettledAnswer(
            row, rules[row.application_id, row.rule_number], labels.get(row.candidate_id), behind[row.pk]
        )
        for row in rows
    ]
