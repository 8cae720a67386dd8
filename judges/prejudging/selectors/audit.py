"""Read how often people disagreed with what a policy's rules would have said."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from annotation.adjudication.models import Decision
from annotation.projects.models import Project
from judges.prejudging.models import PolicyApplication, PrejudgedAnswer
from judges.prejudging.rules import AuditCounts, AuditFigures, measure_audit


class AuditRow(NamedTuple):
    """One rule's audit."""

    number: int
    text: str
    figures: AuditFigures


class AuditReport(NamedTuple):
    """The audit of one application: each rule, and all of them together."""

    application: PolicyApplication
    rules: list[AuditRow]
    pooled: AuditFigures


def read_audit(*, project: Project, application: PolicyApplication) -> AuditReport:
    """Return the audit of what an application settled and was not undone.

    All its answers were drawn with the same probability, so plain counts need no weights.
    """
    counts = _count(project, application)
    rows = [
        AuditRow(number, rule["text"], measure_audit(counts[number]))
        for number, rule in enumerate(application.rules, start=1)
    ]
    pooled = AuditCounts()
    for row in rows:
        pooled = pooled.plus(row.figures.counts)
    return AuditReport(application, rows, measure_audit(pooled))


def _count(project: Project, application: PolicyApplication) -> Mapping[int, AuditCounts]:
    answers = PrejudgedAnswer.objects.filter(application=application, undone_at=None).order_by("pk")
    decided = _decided_by_people(application)
    counts: dict[int, AuditCounts] = defaultdict(AuditCounts)
    for number, candidate, label, is_audited in answers.values_list(
        "rule_number", "candidate_id", "label", "is_audited"
    ):
        said = decided.get(candidate) if is_audited else None
        counts[number] = counts[number].plus(
            AuditCounts(
                settled=1,
                drawn=is_audited,
                decided=said is not None,
                disagreed=said is not None and _differs(project, label, said),
            )
        )
    return counts


def _decided_by_people(application: PolicyApplication) -> dict[int, str]:
    rows = Decision.objects.filter(
        candidate__prejudgments__application=application,
        candidate__prejudgments__is_audited=True,
        candidate__prejudgments__undone_at=None,
        is_current=True,
        is_reopening=False,
    ).exclude(source=Decision.Source.PREJUDGED)
    return dict(rows.values_list("candidate_id", "label"))


def _differs(project: Project, machine: str, people: str) -> bool:
    """Whether people's label is worth something else: "possibly correct" is neither correct nor incorrect."""
    assert project.protocol is not None
    protocol = project.protocol.rules
    return protocol.credit(machine) is not protocol.credit(people)
