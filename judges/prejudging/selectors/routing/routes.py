"""Read what is noted of answers on a route, and what a rule would do with others."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from annotation.adjudication.rules import Route
from annotation.items.models import Candidate
from annotation.projects.models import Project
from judges.prejudging.models import CalibrationAnswer, PrejudgedAnswer, RoutedAnswer, Routing
from judges.prejudging.rules.audit import is_drawn
from judges.prejudging.rules.policies import Condition, Rule, Said, hear, is_sure
from judges.prejudging.rules.routing import reason_of
from judges.prejudging.selectors.policies import as_said, labels_of, name_runs, read_said

State = Routing.State


def find_routes(*, project_id: int, candidate_ids: Collection[int]) -> Mapping[int, Route]:
    """Return how these answers are routed: as was noted of them, else by the rule that is switched on."""
    rows = RoutedAnswer.objects.in_force().filter(
        routing__project=project_id, candidate__in=list(candidate_ids)
    )
    noted = list(rows.select_related("routing").order_by("pk"))
    switched_on = Routing.objects.filter(project=project_id, state=State.ON)
    current = switched_on.select_related("project__protocol").first()
    named = {row.routing.run_public_id for row in noted} | ({current.run_public_id} if current else set())
    names = name_runs(project_id=project_id, public_ids=named)
    routes = {
        row.candidate_id: Route(
            label=row.label,
            confidence=row.confidence,
            is_drawn=row.is_drawn,
            asks_one_first=current is not None,
            is_noted=True,
            is_over=row.routing.state != State.ON,
            number=row.routing.number,
            reason=_reason(row.routing, names),
        )
        for row in noted
    }
    if current is not None:
        routes |= _new_routes(current, [pk for pk in candidate_ids if pk not in routes], names)
    return routes


def _reason(routing: Routing, names: Mapping[str, str]) -> str:
    judge = names.get(routing.run_public_id, routing.run_public_id)
    return reason_of(judge=judge, least=routing.threshold)


def _new_routes(
    routing: Routing, candidate_ids: Collection[int], names: Mapping[str, str]
) -> dict[int, Route]:
    answers = Candidate.objects.filter(pk__in=list(candidate_ids)).order_by("pk")
    fields = ("pk", "question_id", "question__key_hash", "group", "pool_hash", "duplicate")
    rows = list(answers.values_list(*fields))
    said = hear_run(routing.project, routing.run_public_id, routing.threshold, [row[1] for row in rows])
    labels = labels_of(routing.project)
    for_people = _for_people_alone(candidate_ids)
    reason = _reason(routing, names)
    routes = {}
    for pk, _, *name in rows:
        heard = said.get(pk)
        stops = heard if heard and pk not in for_people and _is_enough(heard, routing.threshold) else None
        # Named like the draw of a policy, and drawn by a seed of its own.
        drawn = is_drawn(seed=routing.seed, name=" ".join(map(str, name)), share=routing.audit_share)
        routes[pk] = Route(
            label=labels[stops.is_accepted] if stops else "",
            confidence=heard.confidence if heard and routing.threshold is not None else None,
            is_drawn=drawn,
            asks_one_first=True,
            is_noted=pk not in for_people,
            is_over=False,
            number=routing.number,
            reason=reason,
        )
    return routes


def _is_enough(said: Said, threshold: float | None) -> bool:
    return threshold is None or is_sure(said, threshold=threshold)


def hear_run(
    project: Project, run: str, threshold: float | None, question_ids: Collection[int]
) -> dict[int, Said]:
    """Return what a run says of the answers to these questions; a verdict with a flag says nothing."""
    rule = Rule((run,), Condition.ALL_AGREE, threshold)
    said = read_said(project=project, rules=(rule,), question_ids=sorted(set(question_ids)))
    heard = {pk: hear(rule, **as_said(each)) for pk, each in said.items()}
    return {pk: each for pk, each in heard.items() if each is not None}


def _for_people_alone(candidate_ids: Collection[int]) -> set[int]:
    """Return the answers that no judge has a part in deciding.

    Those that tell how often judges err, and those on a route that was undone: some have further votes by now
    because of what the first rater said. Were the others settled by one again, agreement between raters would
    be that of the answers on which they differ.
    """
    ids = list(candidate_ids)
    given_back = RoutedAnswer.objects.filter(candidate__in=ids, routing__state=State.UNDONE)
    sampled = CalibrationAnswer.objects.filter(candidate__in=ids, sample__closed_at=None)
    audited = PrejudgedAnswer.objects.filter(candidate__in=ids, is_audited=True, undone_at=None)
    return {
        *sampled.order_by().values_list("candidate_id", flat=True),
        *audited.order_by().values_list("candidate_id", flat=True),
        *given_back.order_by().values_list("candidate_id", flat=True),
    }


def routed_unequally(*, project: Project) -> frozenset[int]:
    """Return the answers that had further raters, or none, because of what the first one said.

    Those drawn for the audit are the others on the route: a random sample of it, judged in full. A rule
    that was undone counts while one of its answers is open: those that differed have their votes first.
    """
    routings = dict(Routing.objects.filter(project=project).order_by("pk").values_list("pk", "state"))
    if not routings:
        return frozenset()
    rows = RoutedAnswer.objects.filter(routing__in=routings, is_drawn=False).order_by()
    waiting = rows.filter(candidate__state=Candidate.State.OPEN).values_list("routing", flat=True).distinct()
    unequal = {pk for pk, state in routings.items() if state != State.UNDONE} | set(waiting)
    return frozenset(rows.filter(routing__in=unequal).values_list("candidate_id", flat=True))


class RoutedLabel(NamedTuple):
    """What a judge and the first rater agreed on; is_drawn: for further raters, with `probability`."""

    candidate_id: int
    label: str
    is_drawn: bool
    probability: float


def read_agreed(*, project: Project) -> list[RoutedLabel]:
    """Return the answers on which the first rater and the judge agreed, audited ones among them."""
    rows = RoutedAnswer.objects.in_force().filter(routing__project=project).exclude(label="")
    fields = ("candidate_id", "label", "first_label", "is_drawn", "audit_probability")
    return [
        RoutedLabel(candidate, label, drawn, share)
        for candidate, label, first, drawn, share in rows.order_by("pk").values_list(*fields)
        if label == first
    ]
