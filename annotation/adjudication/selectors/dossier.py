"""Everything a person needs to decide one answer."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import (
    CATEGORIES,
    WITHDRAWN_TOGETHER,
    Basis,
    Category,
    QueueReason,
    SendBackRefusal,
    Situation,
    why_not_sent_back,
)
from annotation.adjudication.selectors.queue import (
    Flag,
    Skip,
    Vote,
    flags_of,
    shown_states,
    skips_of,
    systems_of,
    votes_of,
    waiting_answers,
    why_waiting,
)
from annotation.assignments.selectors.planning import raters_left
from annotation.items.models import Candidate, DataImport, GoldAnswer
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from common.errors import NotFound


def send_back_refusals(*, project: Project, candidates: Collection[Candidate]) -> dict[int, SendBackRefusal]:
    """Return why answers cannot be sent back to raters at present, by key; those that can are left out.

    As many queries however many answers.
    """
    if project.protocol is None:
        return {candidate.pk: SendBackRefusal.NOT_WAITING for candidate in candidates}
    ids = [candidate.pk for candidate in candidates]
    decisions = Decision.objects.in_force().filter(candidate__in=ids, source__in=list(Basis))
    by_votes = set(decisions.values_list("candidate_id", flat=True))
    open_to_raters = Candidate.objects.filter(Exists(raters_left(project)), pk__in=ids)
    have_rater_left = set(open_to_raters.values_list("pk", flat=True))
    votes = count_votes(candidates)
    refusals = {
        candidate.pk: why_not_sent_back(
            situation=Situation(
                is_disputed=candidate.state == Candidate.State.DISPUTED,
                is_decided=candidate.state == Candidate.State.DECIDED,
                is_decided_by_votes=candidate.pk in by_votes,
                votes=votes[candidate.pk],
                has_rater_left=candidate.pk in have_rater_left,
            ),
            protocol=project.protocol.rules,
        )
        for candidate in candidates
    }
    return {pk: refusal for pk, refusal in refusals.items() if refusal is not None}


def count_votes(candidates: Iterable[Candidate]) -> Counter[int]:
    """Return how many votes on each answer count, by key."""
    counted = Judgment.objects.votes().filter(candidate__in=candidates, state=Judgment.State.COUNTED)
    return Counter(counted.order_by().values_list("candidate_id", flat=True))


class CandidateNotFound(NotFound):
    """The project has no such answer."""

    code = "answer_not_found"


@dataclass(frozen=True)
class DecisionLine:
    """An entry in an answer’s history: a decision, or its reopening.

    `by`: empty if a rule decided.
    """

    number: int
    is_current: bool
    is_reopening: bool
    label: str
    source: Decision.Source
    rule: str
    reason: str
    category: str
    is_reason_shown: bool
    by: str
    at: datetime


@dataclass(frozen=True)
class DossierQuestion:
    """The question with its imported gold answers."""

    id: str
    text: str
    gold: list[str]


@dataclass(frozen=True)
class Sibling:
    """Another answer to the same question."""

    id: str
    answer: str
    label: str | None
    state: Candidate.State


@dataclass(frozen=True)
class Dossier:
    """Everything needed to decide one answer.

    `systems`: null if they are hidden. `send_back_refusal`: why the answer cannot be sent back; empty if it
    can.
    """

    id: str
    question: DossierQuestion
    answer: str
    state: Candidate.State
    reason: QueueReason | None
    votes: list[Vote]
    skips: list[Skip]
    flags: list[Flag]
    decision: DecisionLine | None
    history: list[DecisionLine]
    siblings: list[Sibling]
    categories: list[Category]
    send_back_refusal: str
    systems: list[str] | None


def get_candidate(*, project: Project, public_id: str) -> Candidate:
    """Return an answer of the project with its question; raises `CandidateNotFound`."""
    candidate = (
        Candidate.objects.select_related("question").filter(project=project, public_id=public_id).first()
    )
    if candidate is None:
        raise CandidateNotFound("This project has no such answer.")
    return candidate


def get_dossier(*, project: Project, public_id: str, with_systems: bool = False) -> Dossier:
    """Return everything a decision on this answer rests on; raises `CandidateNotFound`."""
    candidate = get_candidate(project=project, public_id=public_id)
    history = decisions_of(candidate)
    siblings = list(
        Candidate.objects.filter(question=candidate.question_id, is_judgeable=True)
        .exclude(pk=candidate.pk)
        .order_by("position", "pk")
    )
    golds = GoldAnswer.objects.filter(question=candidate.question_id).order_by("position", "pk")
    states, labels = shown_states(siblings), current_labels(siblings)
    refusal = send_back_refusals(project=project, candidates=[candidate]).get(candidate.pk)
    return Dossier(
        id=candidate.public_id,
        question=DossierQuestion(
            candidate.question.public_id, candidate.question.text, list(golds.values_list("text", flat=True))
        ),
        answer=candidate.text,
        state=Candidate.State(candidate.state),
        reason=_queue_reason_of(project=project, candidate=candidate),
        votes=votes_of([candidate])[candidate.pk],
        skips=skips_of(candidate),
        flags=flags_of([candidate.question_id])[candidate.question_id],
        decision=next((row for row in history if row.is_current and not row.is_reopening), None),
        history=history,
        siblings=[
            Sibling(each.public_id, each.text, labels.get(each.pk), Candidate.State(states[each.pk]))
            for each in siblings
        ],
        categories=list(CATEGORIES),
        send_back_refusal=refusal.words if refusal else "",
        systems=systems_of([candidate])[candidate.pk] if with_systems else None,
    )


def decisions_of(candidate: Candidate) -> list[DecisionLine]:
    """Return what was decided of an answer and withdrawn, newest first."""
    rows = candidate.decisions.select_related("decided_by").order_by("-number")
    return [
        DecisionLine(
            number=row.number,
            is_current=row.is_current,
            is_reopening=row.is_reopening,
            label=row.label,
            source=Decision.Source(row.source),
            rule=row.rule,
            reason=row.reason,
            category=row.category,
            is_reason_shown=row.is_reason_shown,
            by=row.decided_by.name if row.decided_by else "",
            at=row.decided_at,
        )
        for row in rows
    ]


def _queue_reason_of(*, project: Project, candidate: Candidate) -> QueueReason | None:
    found = why_waiting(waiting_answers(project).filter(pk=candidate.pk))
    return found[0].reason if found else None


def current_labels(candidates: Iterable[Candidate]) -> dict[int, str]:
    """Return the label each decided answer was decided to have, by candidate id."""
    rows = Decision.objects.in_force().filter(candidate__in=[candidate.pk for candidate in candidates])
    return dict(rows.values_list("candidate_id", "label"))


def free_for_machines(*, project_id: int) -> QuerySet[Candidate]:
    """Return the open answers that nobody has voted on, holds, or ever decided in person.

    A person who reopens one answer wants people to judge it; decisions that were made or withdrawn all
    together say nothing about the single answer.
    """
    by_a_person = Decision.objects.filter(candidate=OuterRef("pk"), decided_by__isnull=False)
    made_together = Q(rule=WITHDRAWN_TOGETHER) | Q(source=Decision.Source.REUSED, is_reopening=False)
    return Candidate.objects.filter(
        ~Exists(by_a_person.exclude(made_together)),
        ~Q(data_import__state=DataImport.State.UNDOING),
        project=project_id,
        state=Candidate.State.OPEN,
        taken=0,
        is_judgeable=True,
    )
