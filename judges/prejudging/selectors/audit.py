"""Read what policies have settled, and what the audit says of that."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce

from django.db.models import Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.items.models import Candidate
from annotation.projects.models import Project
from judges.prejudging.models import Certificate, PolicyApplication, PrejudgedAnswer, PrejudgedVerdict
from judges.prejudging.rules.audit import (
    AuditCounts,
    AuditFigures,
    AuditReport,
    AuditRow,
    beside_certificate,
    count_choices,
    measure_audit,
)
from judges.prejudging.rules.certificates import Lapse
from judges.prejudging.selectors.policies import (
    RuleInForce,
    RuleVerdict,
    differs,
    list_applications,
    list_rules,
    read_judge_names,
)


@dataclass(frozen=True)
class SettledAnswer:
    """An answer that a rule settled or sent to annotators for the audit.

    `rule`: the rule’s number among the rules of the requested applications. `label`: the rule’s label.
    `people`: the label that people alone have decided, or null. `audited`: whether the audit sampled it.
    `audit_probability`: the probability, from 0 to 1, with which it was sampled. `undone_at`: null if it was
    not undone.
    """

    id: str
    question: str
    answer: str
    state: Candidate.State
    rule: int
    label: str
    people: str | None
    audited: bool
    audit_probability: float
    verdicts: list[RuleVerdict]
    settled_at: datetime
    undone_at: datetime | None


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
    names = read_judge_names(project)
    labels = _labels_by_people(PrejudgedAnswer.objects.filter(pk__in=[row.pk for row in rows]))
    behind: dict[int, list[RuleVerdict]] = {row.pk: [] for row in rows}
    for verdict in PrejudgedVerdict.objects.filter(answer__in=rows).order_by("pk"):
        judge = names.get(verdict.run_public_id, verdict.run_public_id)
        behind[verdict.answer_id].append(RuleVerdict(judge, verdict.accepted, verdict.score))
    return [
        SettledAnswer(
            id=row.candidate.public_id,
            question=row.candidate.question.text,
            answer=row.candidate.text,
            state=Candidate.State(row.candidate.state),
            rule=rules[row.application_id, row.rule_number],
            label=row.label,
            people=labels.get(row.candidate_id),
            audited=row.is_audited,
            audit_probability=row.audit_probability,
            verdicts=behind[row.pk],
            settled_at=row.settled_at,
            undone_at=row.undone_at,
        )
        for row in rows
    ]


def _labels_by_people(answers: QuerySet[PrejudgedAnswer]) -> dict[int, str]:
    """Return what people alone decided of answers that a rule speaks for, by candidate."""
    rows = Decision.objects.in_force().filter(candidate__in=answers.values("candidate"))
    return dict(rows.without_programs().values_list("candidate_id", "label"))


def read_audit(*, project: Project, applications: Sequence[PolicyApplication]) -> AuditReport:
    """Return the audit of what applications settled and was not undone, by rule and pooled."""
    counts = count_answers(project, applications)
    rules = list_rules(applications=applications)
    by_rule = [_add(counts[place] for place in sorted(rule.places)) for rule in rules]
    # What was undone was watched, too.
    places = [len(rule.places) for rule in list_rules(applications=list_applications(project=project))]
    choices = count_choices(places)
    shares = {application.audit_share for application in applications}
    figures = [measure_audit(own, choices=choices.rules) for own in by_rule]
    certificates = _read_certificates(project, applications)
    return AuditReport(
        audit_share=shares.pop() if len(shares) == 1 else None,
        rules=[
            AuditRow(
                rule.number,
                rule.text,
                own,
                _beside(rule, own, certificates, counts, is_only_rule=len(rules) == 1),
            )
            for rule, own in zip(rules, figures, strict=True)
        ],
        pooled=measure_audit(_add(by_rule), choices=choices.pooled),
        watched=sum(places),
    )


def _read_certificates(
    project: Project, applications: Iterable[PolicyApplication]
) -> Mapping[tuple[int, int], Certificate]:
    """Return the certificates that rules of applications carry, by application and number of the rule."""
    carried = {
        (application.pk, number): rule["certificate"]
        for application in applications
        for number, rule in enumerate(application.rules, start=1)
        if rule.get("certificate")
    }
    rows = Certificate.objects.filter(sample__project=project, public_id__in=set(carried.values()))
    found = {row.public_id: row for row in rows.order_by("pk")}
    return {place: found[public_id] for place, public_id in carried.items() if public_id in found}


def _beside(
    rule: RuleInForce,
    figures: AuditFigures,
    certificates: Mapping[tuple[int, int], Certificate],
    counts: Mapping[tuple[int, int], AuditCounts],
    *,
    is_only_rule: bool,
) -> str:
    """Say how a rule's audit fits its certificate; empty where part of it settled with none or another."""
    carried = {certificates.get(place) for place in rule.places}
    certificate = carried.pop()
    if certificate is None or carried:
        return ""
    places = sorted(place for place, row in certificates.items() if row == certificate)
    low = measure_audit(_add(counts[place] for place in places)).share.low
    # What has lapsed so once stays lapsed.
    is_contradicted = certificate.lapse == Lapse.AUDIT_CONTRADICTS or (
        low is not None and low > certificate.alpha
    )
    words = beside_certificate(
        maximum=certificate.alpha, share=figures.share, is_contradicted=is_contradicted
    )
    return words if is_only_rule else f"{rule.text}: {words}"


def _add(counts: Iterable[AuditCounts]) -> AuditCounts:
    return reduce(AuditCounts.plus, counts, AuditCounts())


def count_answers(
    project: Project, applications: Sequence[PolicyApplication]
) -> Mapping[tuple[int, int], AuditCounts]:
    """Count what applications settled and was not undone, by application and number of the rule."""
    answers = PrejudgedAnswer.objects.filter(application__in=applications, undone_at=None)
    decided = _labels_by_people(answers.filter(is_audited=True))
    counts: dict[tuple[int, int], AuditCounts] = defaultdict(AuditCounts)
    fields = ("application_id", "rule_number", "candidate_id", "label", "is_audited", "audit_probability")
    for application, number, candidate, label, is_audited, probability in answers.order_by("pk").values_list(
        *fields
    ):
        said = decided.get(candidate) if is_audited else None
        is_wrong = said is not None and differs(project, label, said)
        weight = 1.0 / probability if said is not None and probability else 0.0
        counts[application, number] = counts[application, number].plus(
            AuditCounts(
                settled=1,
                drawn=is_audited,
                decided=said is not None,
                disagreed=is_wrong,
                unaudited=not probability,
                weight=weight,
                weight_squares=weight * weight,
                weight_disagreed=weight * is_wrong,
            )
        )
    return counts
