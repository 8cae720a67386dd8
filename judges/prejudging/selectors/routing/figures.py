"""Read what routing has come to so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from django.db.models import QuerySet

from analysis.intervals import Figure
from annotation.adjudication.models import Decision
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from annotation.projects.rules import Credit
from annotation.projects.selectors import kept, name_sample
from common.identifiers import sign_figures
from judges.prejudging.models import RoutedAnswer, Routing
from judges.prejudging.rules.audit import AuditCounts, count_choices, measure_audit

State = Routing.State


@dataclass(frozen=True)
class RoutingFigures:
    """The results of routing so far, over all rules that were not undone.

    `weighed`: the number of answers that a first annotator has judged. `open`: how many of these are not
    decided yet. `labels`: the number of their votes. `stopped`: the number settled by one annotator and the
    judge. `drawn`: the number on which both agreed but which were sent to further annotators as a random
    sample. `decided`: how many of these are decided. `changed`: how many of these were decided differently
    from the first annotator’s label. `error`: the estimated error rate of such agreement, with an interval
    that stays valid however often you look. `residual`: the same as a share of all answers in `weighed`.
    """

    weighed: int
    open: int
    labels: int
    labels_an_answer: float | None
    stopped: int
    stopped_share: float | None
    drawn: int
    decided: int
    changed: int
    error: Figure
    residual: Figure
    signature: str


def find_figures(*, project: Project) -> RoutingFigures | None:
    """Return what came of routing; None where no rule was switched on that was not undone."""
    is_there = Routing.objects.filter(project=project).exclude(state=State.UNDONE).exists()
    return read_figures(project=project) if is_there else None


@kept()
def read_figures(*, project: Project) -> RoutingFigures:
    """Return what the rules that were not undone have come to so far."""
    rows = list(
        RoutedAnswer.objects.in_force()
        .filter(routing__project=project)
        .exclude(first_label="")
        .order_by("pk")
        .values_list("candidate_id", "label", "first_label", "is_drawn", "audit_probability")
    )
    ids = [row[0] for row in rows]
    on_route = RoutedAnswer.objects.in_force().filter(routing__project=project).values("candidate")
    decided = {
        candidate: (label, source)
        for candidate, label, source in Decision.objects.in_force()
        .filter(candidate__in=on_route)
        .order_by("pk")
        .values_list("candidate_id", "label", "source")
    }
    labels = _count_labels(project, on_route)
    stopped = sum(decided.get(pk, ("", ""))[1] == Decision.Source.ROUTED for pk in ids)
    agreed = _agreed_counts(rows, decided)
    # What was undone was watched, too: any selection of rules may be what a lead keeps.
    choices = count_choices([1] * Routing.objects.filter(project=project).count())
    audit = measure_audit(reduce(AuditCounts.plus, agreed, AuditCounts()), choices=choices.pooled)
    error = audit.share
    share = stopped / len(ids) if ids else 0.0
    return RoutingFigures(
        weighed=len(ids),
        open=sum(pk not in decided for pk in ids),
        labels=labels,
        labels_an_answer=labels / len(ids) if ids else None,
        stopped=stopped,
        stopped_share=share if ids else None,
        drawn=audit.drawn,
        decided=audit.decided,
        changed=audit.disagreed,
        error=error,
        residual=_scaled(error, share),
        signature=sign_routing(project, of="answers routed", audit="confidence sequence"),
    )


def _count_labels(project: Project, on_route: QuerySet[RoutedAnswer, Any]) -> int:
    counted = Judgment.objects.votes().filter(candidate__in=on_route, state=Judgment.State.COUNTED)
    return counted.exclude(label__in=_labels_that_are_no_votes(project)).count()


def _agreed_counts(rows: Sequence[Any], decided: Mapping[int, tuple[str, str]]) -> list[AuditCounts]:
    """Return what people said of each answer on which the first rater and the judge agreed.

    rows: of answers, each its key, the judge's label, the first rater's, whether it was drawn, how probably.
    """
    return [
        AuditCounts(
            settled=1,
            drawn=drawn,
            decided=(is_known := drawn and pk in decided),
            disagreed=(is_wrong := is_known and decided[pk][0] != first),
            weight=1.0 / share if is_known else 0.0,
            weight_squares=1.0 / share**2 if is_known else 0.0,
            weight_disagreed=is_wrong / share if is_known else 0.0,
        )
        for pk, label, first, drawn, share in rows
        if label == first
    ]


def sign_routing(project: Project, **facts: object) -> str:
    """Return what produced figures of routing, in one line."""
    facts |= {"sample": name_sample(project), "protocol": project.protocol and project.protocol.number}
    return sign_figures("routing", has_intervals=True, seed=None, **facts)


def _scaled(figure: Figure, share: float) -> Figure:
    if figure.value is None or figure.low is None or figure.high is None:
        return figure
    return replace(figure, value=figure.value * share, low=figure.low * share, high=figure.high * share)


def _labels_that_are_no_votes(project: Project) -> list[str]:
    labels = project.protocol.rules.labels if project.protocol else ()
    return [label.key for label in labels if label.credit is Credit.MISSING]
