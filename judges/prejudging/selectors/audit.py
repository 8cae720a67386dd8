"""Read how often people disagreed with what a policy's rules would have said."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from annotation.adjudication.models import Decision
from annotation.projects.models import Project
from judges.prejudging.models import PolicyApplication, PrejudgedAnswer
from judges.prejudging.rules import AuditCounts, AuditReport, AuditRow, count_choices, measure_audit
from judges.prejudging.selectors.policies import list_applications, list_rules


def read_audit(*, project: Project, applications: Sequence[PolicyApplication]) -> AuditReport:
    """Return the audit of what applications settled and was not undone, by rule and pooled."""
    counts = _count(project, applications)
    # What was undone was watched, too.
    places = [len(rule.places) for rule in list_rules(applications=list_applications(project=project))]
    choices = count_choices(places)
    rows = [
        AuditRow(
            rule.number,
            rule.text,
            measure_audit(_add(counts[place] for place in sorted(rule.places)), choices=choices.rules),
        )
        for rule in list_rules(applications=applications)
    ]
    shares = {application.audit_share for application in applications}
    return AuditReport(
        audit_share=shares.pop() if len(shares) == 1 else None,
        rules=rows,
        pooled=measure_audit(_add(row.figures.counts for row in rows), choices=choices.pooled),
        watched=sum(places),
    )


def _add(counts: Iterable[AuditCounts]) -> AuditCounts:
    return reduce(AuditCounts.plus, counts, AuditCounts())


def _count(
    project: Project, applications: Sequence[PolicyApplication]
) -> Mapping[tuple[int, int], AuditCounts]:
    """Count by application and number of the rule."""
    answers = PrejudgedAnswer.objects.filter(application__in=applications, undone_at=None).order_by("pk")
    decided = _decided_by_people(applications)
    counts: dict[tuple[int, int], AuditCounts] = defaultdict(AuditCounts)
    fields = ("application_id", "rule_number", "candidate_id", "label", "is_audited", "audit_probability")
    for application, number, candidate, label, is_audited, probability in answers.values_list(*fields):
        said = decided.get(candidate) if is_audited else None
        differs = said is not None and _differs(project, label, said)
        weight = 1.0 / probability if said is not None and probability else 0.0
        counts[application, number] = counts[application, number].plus(
            AuditCounts(
                settled=1,
                drawn=is_audited,
                decided=said is not None,
                disagreed=differs,
                unaudited=not probability,
                weight=weight,
                weight_squares=weight * weight,
                weight_disagreed=weight * differs,
            )
        )
    return counts


def _decided_by_people(applications: Sequence[PolicyApplication]) -> dict[int, str]:
    audited = PrejudgedAnswer.objects.filter(
        application__in=applications, is_audited=True, undone_at=None
    ).values("candidate")
    rows = Decision.objects.in_force().filter(candidate__in=audited)
    rows = rows.exclude(source=Decision.Source.PREJUDGED)
    return dict(rows.values_list("candidate_id", "label"))


def _differs(project: Project, machine: str, people: str) -> bool:
    """Whether people's label is worth something else: "possibly correct" is neither correct nor incorrect."""
    assert project.protocol is not None
    protocol = project.protocol.rules
    return protocol.credit(machine) is not protocol.credit(people)
