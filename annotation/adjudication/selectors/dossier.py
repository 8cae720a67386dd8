"""Everything a person needs to decide one answer."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import (
    WITHDRAWN_TOGETHER,
    Basis,
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
from annotation.assignments.selectors import raters_left
from annotation.items.models import Candidate, DataImport, GoldAnswer
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from common.errors import NotFound


def send_back_refusal(*, project: Project, candidate: Candidate) -> SendBackRefusal | None:
    """Return why an answer cannot be sent back to raters at present, or None where it can."""
    if project.protocol is None:
        return SendBackRefusal.NOT_WAITING
    decisions = Decision.objects.in_force().filter(candidate=candidate)
    situation = Situation(
        is_disputed=candidate.state == Candidate.State.DISPUTED,
        is_decided=candidate.state == Candidate.State.DECIDED,
        is_decided_by_votes=decisions.filter(source__in=list(Basis)).exists(),
        votes=count_votes(candidate),
        has_rater_left=Candidate.objects.filter(Exists(raters_left(project)), pk=candidate.pk).exists(),
    )
    return why_not_sent_back(situation=situation, protocol=project.protocol.rules)


def count_votes(candidate: Candidate) -> int:
    """Return how many votes on an answer count."""
    return Judgment.objects.votes().filter(candidate=candidate, state=Judgment.State.COUNTED).count()


class CandidateNotFound(NotFound):
    """The project has no such answer."""

    code = "answer_not_found"


class Dossier(NamedTuple):
    """Everything a decision on one answer rests on; `systems` is None where they are not shown,
    `send_back_refusal` where the answer can go back to raters."""

    candidate: Candidate
    reason: QueueReason | None
    gold: list[str]
    votes: list[Vote]
    skips: list[Skip]
    flags: list[Flag]
    decision: Decision | None
    history: list[Decision]
    siblings: list[Candidate]
    states: dict[int, str]
    labels: dict[int, str]
    send_back_refusal: SendBackRefusal | None
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
    history = list(candidate.decisions.select_related("decided_by").order_by("-number"))
    siblings = list(
        Candidate.objects.filter(question=candidate.question_id, is_judgeable=True)
        .exclude(pk=candidate.pk)
        .order_by("position", "pk")
    )
    return Dossier(
        candidate=candidate,
        reason=_queue_reason_of(project=project, candidate=candidate),
        gold=list(
            GoldAnswer.objects.filter(question=candidate.question_id)
            .order_by("position", "pk")
            .values_list("text", flat=True)
        ),
        votes=votes_of([candidate])[candidate.pk],
        skips=skips_of(candidate),
        flags=flags_of([candidate.question_id])[candidate.question_id],
        decision=next((row for row in history if row.is_in_force), None),
        history=history,
        siblings=siblings,
        states=shown_states(siblings),
        labels=current_labels(siblings),
        send_back_refusal=send_back_refusal(project=project, candidate=candidate),
        systems=systems_of([candidate])[candidate.pk] if with_systems else None,
    )


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
