"""Read how answers are routed: what a judge says of one, what a rule would have done, and what it did."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import NamedTuple

import numpy as np

from analysis.arrays import Integers
from analysis.intervals import Figure
from analysis.prejudging.routing import NOTHING, foresee_routing
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE, Route, may_be_routed
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.rules import Credit
from annotation.projects.selectors import kept, name_sample
from common.errors import NotFound
from common.identifiers import hash_signature, sign_figures
from judges.prejudging.models import CalibrationAnswer, PrejudgedAnswer, RoutedAnswer, Routing
from judges.prejudging.rules.audit import AuditCounts, count_choices, is_drawn, measure_audit
from judges.prejudging.rules.policies import Condition, Rule, Said, hear, is_sure
from judges.prejudging.rules.routing import (
    FIXED_VOTES,
    LEAST_JUDGED,
    NO_PROTOCOL,
    ONE_RATER,
    THRESHOLDS,
    lacking_words,
    reason_of,
)
from judges.prejudging.selectors.policies import (
    ChoosableRun,
    Sureness,
    as_said,
    labels_of,
    list_runs,
    read_judge_names,
    read_said,
)
from judges.runs.models import JudgeRun

State = Routing.State


class RoutingNotFound(NotFound):
    """The project has no such routing."""


def find_routes(*, project_id: int, candidate_ids: Collection[int]) -> Mapping[int, Route]:
    """Return how these answers are routed: as was noted of them, else by the rule that is switched on."""
    routings = {each.pk: each for each in Routing.objects.filter(project=project_id).order_by("number")}
    names = read_judge_names(Project.objects.get(pk=project_id))
    current = next((each for each in routings.values() if each.state == State.ON), None)
    noted = RoutedAnswer.objects.in_force().filter(routing__in=routings, candidate__in=list(candidate_ids))
    routes = {
        row.candidate_id: Route(
            label=row.label,
            confidence=row.confidence,
            is_drawn=row.is_drawn,
            asks_one_first=current is not None,
            is_noted=True,
            is_over=routings[row.routing_id].state != State.ON,
            number=routings[row.routing_id].number,
            reason=_reason(routings[row.routing_id], names),
        )
        for row in noted.order_by("pk")
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
    said = _hear(routing.project, routing.run_public_id, routing.threshold, [row[1] for row in rows])
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


def _hear(
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

    Those drawn for the audit are the others on the route: a random sample of it, judged in full.
    """
    if not project.has_routes:
        return frozenset()
    rows = RoutedAnswer.objects.in_force().filter(routing__project=project, is_drawn=False)
    return frozenset(rows.order_by().values_list("candidate_id", flat=True))


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


class _Judged(NamedTuple):
    """Answers judged in full, one a row, as `foresee_routing` takes them."""

    ids: list[int]
    votes: Integers
    given: Integers
    final: Integers
    questions: Integers


def _judged_in_full(project: Project) -> _Judged:
    """Return the answers that had all raters of the protocol, whatever the first one said, and are decided.

    Decided by people: their votes, or somebody who broke the tie.
    """
    protocol = project.protocol.rules if project.protocol else None
    width = protocol.raters_per_answer if protocol else 0
    numbers = {label.key: place for place, label in enumerate(protocol.labels)} if protocol else {}
    decided = Decision.objects.in_force().without_programs().filter(candidate__project=project)
    decided = decided.filter(candidate__question__in_sample=True).exclude(rule=GOLD_EQUAL_RULE)
    decided = decided.exclude(candidate__question__in=improper_questions(project))
    ended = {
        candidate: (question, label)
        for candidate, question, label in decided.order_by("candidate_id").values_list(
            "candidate_id", "candidate__question_id", "label"
        )
        if label in numbers
    }
    first: dict[int, list[int]] = defaultdict(list)
    given: Counter[int] = Counter()
    counted = Judgment.objects.votes().filter(candidate__project=project, state=Judgment.State.COUNTED)
    for candidate, slot, label in counted.order_by("pk").values_list("candidate_id", "slot", "label"):
        if candidate in ended and label in numbers:
            given[candidate] += 1
            if slot <= width:
                first[candidate].append(numbers[label])
    unequal = routed_unequally(project=project)
    ids = [pk for pk in ended if len(first[pk]) == width > 1 and pk not in unequal]
    return _Judged(
        ids,
        np.array([first[pk] for pk in ids], dtype=np.int64).reshape(-1, max(width, 1)),
        np.array([given[pk] for pk in ids], dtype=np.int64),
        np.array([numbers[ended[pk][1]] for pk in ids], dtype=np.int64),
        np.array([ended[pk][0] for pk in ids], dtype=np.int64),
    )


@dataclass(frozen=True)
class ReplayedRouting:
    """What a rule would have come to on the study's own answers; threshold: None where every verdict counts.

    same_share: of answers that would have ended with the same label, its interval over questions, 95 %.
    """

    threshold: float | None
    labels_an_answer: float
    fixed: float
    stopped_share: float
    same_share: Figure


@dataclass(frozen=True)
class RoutingReplay:
    """A judge tried on answers that people judged in full, by how sure it must be; without rows, why not."""

    run: str
    audit_share: float
    answers: int
    why_not: str
    rows: list[ReplayedRouting]
    signature: str


@kept()
def replay_routing(*, project: Project, run: str, audit_share: float) -> RoutingReplay:
    """Return what one rater and a run would have settled of the answers that people judged in full."""
    chosen = find_run(project=project, run=run)
    judged = _judged_in_full(project)
    why_not = why_not_routed(project) or lacking_words(max(0, LEAST_JUDGED - len(judged.ids)))
    rows = [] if why_not else _replay(project, chosen, judged, audit_share=audit_share)
    return RoutingReplay(
        run=run,
        audit_share=audit_share,
        answers=len(judged.ids),
        why_not=why_not,
        rows=rows,
        signature=_sign(
            project,
            of="answers judged in full",
            judge=hash_signature(chosen.signature)[:16],
            audit_share=audit_share,
        ),
    )


def _replay(
    project: Project, run: ChoosableRun, judged: _Judged, *, audit_share: float
) -> list[ReplayedRouting]:
    assert project.protocol is not None
    numbers = {label.key: place for place, label in enumerate(project.protocol.rules.labels)}
    worth = {is_accepted: numbers[label] for is_accepted, label in labels_of(project).items()}
    tried: list[float | None] = [None] if run.sureness is Sureness.NONE else [None, *THRESHOLDS]
    found = []
    for least in tried:
        said = _hear(project, run.id, least, judged.questions.tolist())
        heard = [said.get(pk) for pk in judged.ids]
        row = foresee_routing(
            votes=judged.votes,
            given=judged.given,
            final=judged.final,
            questions=judged.questions,
            judge=np.array([NOTHING if each is None else worth[each.is_accepted] for each in heard]),
            confidence=np.array([0.0 if each is None else each.confidence for each in heard]),
            least=least,
            audit_share=audit_share,
        )
        found.append(
            ReplayedRouting(least, row.labels_an_answer, row.fixed, row.stopped_share, row.same_share)
        )
    return found


def find_run(*, project: Project, run: str) -> ChoosableRun:
    """Return a run that may be named; raises `RoutingNotFound`."""
    found = next((each for each in choosable_runs(project) if each.id == run), None)
    if found is None:
        raise RoutingNotFound("This project has no finished run of this id with verdicts.")
    return found


def choosable_runs(project: Project) -> list[ChoosableRun]:
    """Return the finished runs with verdicts."""
    runs = list_runs(project=project)
    return [each for each in runs if each.judged and each.state == JudgeRun.State.FINISHED]


def why_not_routed(project: Project) -> str:
    """Return why no answer of the project could be settled by one rater and a judge; empty where some can."""
    if project.protocol is None:
        return NO_PROTOCOL
    protocol = project.protocol.rules
    if may_be_routed(protocol):
        return ""
    return ONE_RATER if protocol.raters_per_answer < 2 else FIXED_VOTES


@dataclass(frozen=True)
class RoutingLine:
    """A rule that is switched on, or was; weighed: answers whose first rater has judged on it."""

    id: str
    number: int
    text: str
    run: str
    signature: str
    threshold: float | None
    audit_share: float
    state: State
    weighed: int
    stopped: int
    started_by: str
    started_at: datetime
    ended_by: str
    ended_at: datetime | None
    reason: str


@dataclass(frozen=True)
class RoutingFigures:
    """What routing has come to so far, over all rules that were not undone.

    weighed: answers whose first rater has judged; open: of these, not decided yet. labels: votes they have.
    stopped: settled by one rater and the judge. drawn: of those on which both agreed, sent on to further
    raters at random; decided, changed: of these, decided, and otherwise than the first rater said. error: of
    what such agreement settles, how much would end otherwise, with an interval that holds at every look;
    residual: the same as a share of all answers weighed.
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


@dataclass(frozen=True)
class RoutingState:
    """How a project routes answers, which runs may be named, and why not where it cannot be switched on.

    judged: answers that people judged in full, on which rules are tried.
    """

    runs: list[ChoosableRun]
    why_not: str
    judged: int
    rules: list[RoutingLine]
    figures: RoutingFigures | None


def read_routing(*, project: Project) -> RoutingState:
    """Return how a project routes answers, and what came of it, the newest rule first."""
    judged = len(_judged_in_full(project).ids) if not why_not_routed(project) else 0
    routings = list(Routing.objects.filter(project=project).select_related("started_by", "ended_by"))
    return RoutingState(
        runs=choosable_runs(project),
        why_not=why_not_routed(project) or lacking_words(max(0, LEAST_JUDGED - judged)),
        judged=judged,
        rules=[_line(each) for each in sorted(routings, key=lambda each: -each.number)],
        figures=find_figures(project=project),
    )


def get_routing(*, project: Project, public_id: str) -> Routing:
    """Return one rule; raises `RoutingNotFound`."""
    found = Routing.objects.filter(project=project, public_id=public_id).first()
    if found is None:
        raise RoutingNotFound("This project has no such rule of routing.")
    return found


def _line(routing: Routing) -> RoutingLine:
    weighed = routing.answers.exclude(first_label="")
    stopped = weighed.filter(
        candidate__decisions__source=Decision.Source.ROUTED,
        candidate__decisions__is_current=True,
        candidate__decisions__is_reopening=False,
    )
    return RoutingLine(
        id=routing.public_id,
        number=routing.number,
        text=routing.text,
        run=routing.run_public_id,
        signature=routing.signature,
        threshold=routing.threshold,
        audit_share=routing.audit_share,
        state=State(routing.state),
        weighed=weighed.count(),
        stopped=0 if routing.state == State.UNDONE else stopped.count(),
        started_by=routing.started_by.name if routing.started_by else "",
        started_at=routing.started_at,
        ended_by=routing.ended_by.name if routing.ended_by else "",
        ended_at=routing.ended_at,
        reason=routing.reason,
    )


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
    missing = _labels_that_are_no_votes(project)
    counted = Judgment.objects.votes().filter(candidate__in=on_route, state=Judgment.State.COUNTED)
    labels = counted.exclude(label__in=missing).count()
    stopped = sum(decided.get(pk, ("", ""))[1] == Decision.Source.ROUTED for pk in ids)
    agreed = [
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
        signature=_sign(project, of="answers routed", audit="confidence sequence"),
    )


def _sign(project: Project, **facts: object) -> str:
    facts |= {"sample": name_sample(project), "protocol": project.protocol and project.protocol.number}
    return sign_figures("routing", has_intervals=True, seed=None, **facts)


def _scaled(figure: Figure, share: float) -> Figure:
    if figure.value is None or figure.low is None or figure.high is None:
        return figure
    return Figure(figure.value * share, figure.low * share, figure.high * share)


def _labels_that_are_no_votes(project: Project) -> list[str]:
    labels = project.protocol.rules.labels if project.protocol else ()
    return [label.key for label in labels if label.credit is Credit.MISSING]
