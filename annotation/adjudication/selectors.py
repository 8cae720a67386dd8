"""Read the lead's queue, and everything a decision on one answer rests on."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import WITHDRAWN_TOGETHER, QueueReason, letters_of, queue_reason
from annotation.assignments.models import Assignment, QuestionFlag
from annotation.assignments.selectors import raters_left
from annotation.items.models import Candidate, GoldAnswer
from annotation.judgments.models import Judgment
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from common.errors import NotFound


class CandidateNotFound(NotFound):
    """The project has no such answer."""

    code = "answer_not_found"


class Vote(NamedTuple):
    """A rater's vote without the rater."""

    letter: str
    label: str
    comment: str
    evidence_url: str
    evidence_quote: str
    round: str
    counted: bool


class Flag(NamedTuple):
    """A rater's remark about the question, without the rater."""

    kind: str
    note: str


class QueueItem(NamedTuple):
    """An answer that waits for the lead."""

    candidate: Candidate
    reason: QueueReason
    votes: list[Vote]
    waiting_since: datetime | None
    flags: list[Flag]


class Dossier(NamedTuple):
    """Everything a decision on one answer rests on."""

    candidate: Candidate
    reason: QueueReason | None
    gold: list[str]
    votes: list[Vote]
    flags: list[Flag]
    decision: Decision | None
    history: list[Decision]
    siblings: list[Candidate]
    labels: dict[int, str]


def get_candidate(*, project: Project, public_id: str) -> Candidate:
    """Return an answer of the project with its question; raises `CandidateNotFound`."""
    candidate = (
        Candidate.objects.select_related("question").filter(project=project, public_id=public_id).first()
    )
    if candidate is None:
        raise CandidateNotFound("This project has no such answer.")
    return candidate


def list_queue(*, project: Project, reason: str = "") -> list[QueueItem]:
    """Return the answers no rule settles, longest waiting first by question order.

    Disputed ones, and those with an open slot that no active rater is left to fill.
    """
    candidates = list(
        _waiting(project)
        .select_related("question")
        .order_by("question__position", "question_id", "position", "pk")
    )
    votes = votes_of(candidates)
    since = _waiting_since(candidates)
    unable = _unable_counts(candidates)
    flags = _flags_of({candidate.question_id for candidate in candidates})
    items = [
        QueueItem(
            candidate=candidate,
            reason=_reason_of(candidate, unable[candidate.pk]),
            votes=votes[candidate.pk],
            waiting_since=since.get(candidate.pk),
            flags=flags[candidate.question_id],
        )
        for candidate in candidates
    ]
    return [item for item in items if not reason or item.reason == reason]


def count_decided_since(*, project: Project, since: datetime) -> int:
    """Return how many decisions people made since then."""
    return Decision.objects.filter(
        candidate__project=project,
        source=Decision.Source.ADJUDICATED,
        is_reopening=False,
        decided_at__gte=since,
    ).count()


def count_waiting(*, project: Project) -> int:
    """Return how many answers wait for the lead."""
    return _waiting(project).count()


def _reason_of(candidate: Candidate, unable: int) -> QueueReason:
    return queue_reason(is_disputed=candidate.state == Candidate.State.DISPUTED, unable=unable)


def _waiting(project: Project) -> QuerySet[Candidate]:
    disputed = Q(state=Candidate.State.DISPUTED)
    asked = Candidate.objects.filter(project=project).exclude(question__in=improper_questions(project))
    return asked.filter(disputed | Q(pk__in=_out_of_raters(project)))


def _out_of_raters(project: Project) -> QuerySet[Candidate]:
    """Answers with an open slot on which everybody who may judge has had a turn, and somebody has."""
    open_slot = Candidate.objects.filter(
        project=project, state=Candidate.State.OPEN, taken__lt=F("wanted")
    ).filter(Exists(Assignment.objects.votes().filter(candidate=OuterRef("pk"))))
    return open_slot.exclude(Exists(raters_left(project)))


def votes_of(candidates: Iterable[Candidate]) -> dict[int, list[Vote]]:
    """Return the votes that stand on each answer, under letters of the answer's own."""
    salts = {candidate.pk: candidate.public_id for candidate in candidates}
    rows: dict[int, list[Judgment]] = defaultdict(list)
    standing = (
        Judgment.objects.votes().filter(candidate__in=list(salts)).exclude(state=Judgment.State.WITHDRAWN)
    )
    for judgment in standing.order_by("pk"):
        rows[judgment.candidate_id].append(judgment)
    return {pk: _anonymous(rows[pk], salt=salt) for pk, salt in salts.items()}


def _anonymous(judgments: list[Judgment], *, salt: str) -> list[Vote]:
    letters = letters_of(rater_ids=[judgment.rater_id for judgment in judgments], salt=salt)
    votes = [
        Vote(
            letter=letters[judgment.rater_id],
            label=judgment.label,
            comment=judgment.comment,
            evidence_url=judgment.evidence_url,
            evidence_quote=judgment.evidence_quote,
            round=judgment.round,
            counted=judgment.state == Judgment.State.COUNTED,
        )
        for judgment in judgments
    ]
    return sorted(votes, key=lambda vote: vote.letter)


def _waiting_since(candidates: list[Candidate]) -> dict[int, datetime]:
    """Return when each answer last moved: its last vote, the last skip, or its reopening."""
    since: dict[int, datetime] = {}
    ids = [candidate.pk for candidate in candidates]
    moments = [
        Judgment.objects.votes().filter(candidate__in=ids).values_list("candidate_id", "judged_at"),
        Assignment.objects.votes()
        .filter(candidate__in=ids, state=Assignment.State.SKIPPED, sheet__closed_at__isnull=False)
        .values_list("candidate_id", "sheet__closed_at"),
        Decision.objects.filter(candidate__in=ids).values_list("candidate_id", "decided_at"),
    ]
    for candidate_id, moment in (row for rows in moments for row in rows):
        if moment is not None:
            since[candidate_id] = max(moment, since.get(candidate_id, moment))
    return since


def _unable_counts(candidates: list[Candidate]) -> dict[int, int]:
    """Return how many raters passed each answer over, or judged it with a label that is no vote."""
    skipped = Assignment.objects.votes().filter(
        candidate__in=[candidate.pk for candidate in candidates], state=Assignment.State.SKIPPED
    )
    return Counter(skipped.order_by("pk").values_list("candidate_id", flat=True))


def _flags_of(question_ids: Iterable[int]) -> dict[int, list[Flag]]:
    flags: dict[int, list[Flag]] = defaultdict(list)
    for flag in QuestionFlag.objects.filter(question__in=list(question_ids)).order_by("kind", "pk"):
        flags[flag.question_id].append(Flag(kind=flag.kind, note=flag.note))
    return flags


def get_dossier(*, project: Project, public_id: str) -> Dossier:
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
        flags=_flags_of([candidate.question_id])[candidate.question_id],
        decision=next((row for row in history if row.is_current and not row.is_reopening), None),
        history=history,
        siblings=siblings,
        labels=current_labels(siblings),
    )


def _queue_reason_of(*, project: Project, candidate: Candidate) -> QueueReason | None:
    if not _waiting(project).filter(pk=candidate.pk).exists():
        return None
    return _reason_of(candidate, _unable_counts([candidate])[candidate.pk])


def current_labels(candidates: Iterable[Candidate]) -> dict[int, str]:
    """Return the label each decided answer was decided to have, by candidate id."""
    rows = Decision.objects.filter(
        candidate__in=[candidate.pk for candidate in candidates], is_current=True, is_reopening=False
    )
    return dict(rows.values_list("candidate_id", "label"))


def free_for_machines(*, project_id: int) -> QuerySet[Candidate]:
    """Return the open answers that nobody has voted on, holds, or ever decided in person.

    A person who reopens one answer wants people to judge it; machines' decisions that were withdrawn all
    together say nothing about the single answer.
    """
    by_a_person = Decision.objects.filter(candidate=OuterRef("pk"), decided_by__isnull=False)
    return Candidate.objects.filter(
        ~Exists(by_a_person.exclude(rule=WITHDRAWN_TOGETHER)),
        project=project_id,
        state=Candidate.State.OPEN,
        taken=0,
        is_judgeable=True,
    )
