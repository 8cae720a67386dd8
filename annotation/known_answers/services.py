"""Mark known answers, and take people through the training."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max, QuerySet

from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.known_answers.models import KnownAnswer, TrainingAnswer, TrainingAttempt, TrainingPass
from annotation.known_answers.rules import result_of
from annotation.known_answers.selectors import is_training_due, known_answers, plan_of, training_answers
from annotation.projects.models import Membership, Project
from annotation.projects.rules import Credit
from common.clock import now
from common.errors import Conflict, Invalid, NotFound


class NoTraining(Conflict):
    """This person has nothing to do in the training at present."""


class UnusableTrainingSheet(Invalid):
    """The question is not in the training, or an answer lacks a label."""


@dataclass(frozen=True)
class Feedback:
    """The annotator’s label for an answer, the correct label, and an explanation."""

    id: str
    text: str
    label: str
    known_label: str
    is_right: bool
    explanation: str


@transaction.atomic
def answer_training(
    *, rater: Membership, question_id: str, labels: Mapping[str, str], at: datetime | None = None
) -> list[Feedback]:
    """Take in one sheet of the training and return what was right.

    `labels`: by public id of the answer. Sent once more, the first labels stay and the feedback is the
    same. Raises `NoTraining`, `UnusableTrainingSheet`.
    """
    at = at or now()
    attempt = _open_attempt(rater, at=at)
    asked = list(training_answers(rater=rater).filter(candidate__question__public_id=question_id))
    if not asked:
        raise UnusableTrainingSheet("This question is no longer part of training. Reload the page.")
    given = {item.known_id: item for item in attempt.answers.filter(known__in=asked)}
    new = [item for item in asked if item.pk not in given]
    _require_labels(rater.project, new, labels)
    for known in new:
        label = labels[known.candidate.public_id]
        given[known.pk] = TrainingAnswer(
            attempt=attempt, known=known, label=label, is_right=label == known.label, answered_at=at
        )
    TrainingAnswer.objects.bulk_create(given[known.pk] for known in new)
    _finish(attempt, at=at)
    return [
        Feedback(
            id=known.candidate.public_id,
            text=known.candidate.text,
            label=given[known.pk].label,
            known_label=known.label,
            is_right=given[known.pk].is_right,
            explanation=known.explanation,
        )
        for known in asked
    ]


@transaction.atomic
def start_again(*, rater: Membership, at: datetime | None = None) -> None:
    """Let somebody who has not passed judge the training's answers once more; raises `NoTraining`."""
    attempts = _lock(rater)
    if attempts.filter(finished_at=None).exists():
        return
    _begin(rater, at=at or now())


@transaction.atomic
def let_through(*, rater: Membership, by: User, at: datetime | None = None) -> None:
    """Give somebody work without a passed training; again changes nothing."""
    TrainingPass.objects.get_or_create(rater=rater, defaults={"passed_at": at or now(), "let_through_by": by})


def finish_what_is_done(*, project: Project, at: datetime) -> None:
    """Finish the attempts in which nothing is left to judge, after answers left the training."""
    unfinished = TrainingAttempt.objects.filter(rater__project=project, finished_at=None)
    for attempt in unfinished.select_related("rater__project__protocol").order_by("pk"):
        if attempt.answers.exists():
            _finish(attempt, at=at)


def _lock(rater: Membership) -> QuerySet[TrainingAttempt]:
    """Let the requests of one rater take turns, and refuse those who have no training to do."""
    Membership.objects.select_for_update().get(pk=rater.pk)
    works = rater.state == Membership.State.ACTIVE and rater.project.state == Project.State.OPEN
    if not works or not is_training_due(rater=rater):
        raise NoTraining("You have no training to complete now. Reload the page.")
    return TrainingAttempt.objects.filter(rater=rater)


def _open_attempt(rater: Membership, *, at: datetime) -> TrainingAttempt:
    attempts = _lock(rater)
    latest = attempts.order_by("-number").first()
    if latest is None:
        return _begin(rater, at=at)
    if latest.finished_at is not None:
        raise NoTraining("You have judged all training answers. To try again, start over.")
    return latest


def _begin(rater: Membership, *, at: datetime) -> TrainingAttempt:
    last = TrainingAttempt.objects.filter(rater=rater).aggregate(last=Max("number"))["last"] or 0
    return TrainingAttempt.objects.create(rater=rater, number=last + 1, started_at=at)


def _require_labels(project: Project, new: list[KnownAnswer], labels: Mapping[str, str]) -> None:
    protocol = project.protocol.rules if project.protocol else None
    for known in new:
        label = labels.get(known.candidate.public_id, "")
        if protocol is None or protocol.label(label) is None:
            raise UnusableTrainingSheet("Choose a label for every answer of the question.")


def _finish(attempt: TrainingAttempt, *, at: datetime) -> None:
    """Finish an attempt in which every answer is judged, and let its rater pass if enough are right."""
    rater = attempt.rater
    if training_answers(rater=rater).exclude(training_answers__attempt=attempt).exists():
        return
    attempt.finished_at = at
    attempt.save(update_fields=["finished_at"])
    outcomes = list(attempt.answers.filter(known__withdrawn_at=None).values_list("is_right", flat=True))
    result = result_of(outcomes=outcomes, pass_share=plan_of(project=rater.project).pass_share)
    if result.is_passed:
        TrainingPass.objects.get_or_create(rater=rater, defaults={"passed_at": at})


class UnusableMark(Invalid):
    """The label is not one of the protocol's, or people are still to judge the answer."""


class KnownAnswerNotFound(NotFound):
    """The project has no such known answer."""


@transaction.atomic
def mark_known(
    *,
    project: Project,
    candidate: Candidate,
    by: User,
    use: str,
    label: str,
    explanation: str = "",
    at: datetime | None = None,
) -> KnownAnswer:
    """Say that an answer's label is known; the same answer again changes what was said.

    Only answers that nobody is to judge any more, or ever was. Raises `UnusableMark`.
    """
    at = at or now()
    locked = Candidate.objects.select_for_update().get(pk=candidate.pk, project=project)
    _require_usable(project, locked, label)
    trained = known_answers(project=project).filter(candidate=locked, use=KnownAnswer.Use.TRAINING)
    leaves_training = use != KnownAnswer.Use.TRAINING and trained.exists()
    known, _ = KnownAnswer.objects.update_or_create(
        candidate=locked,
        defaults={
            "project": project,
            "use": use,
            "label": label,
            "explanation": explanation.strip(),
            "marked_by": by,
            "marked_at": at,
            "withdrawn_at": None,
        },
    )
    if leaves_training:
        finish_what_is_done(project=project, at=at)
    return known


class Known(NamedTuple):
    """What is known of an answer: its label, and why, for trainees to read."""

    label: str
    explanation: str


@transaction.atomic
def mark_together(
    *, project: Project, known: Mapping[int, Known], by: User, use: str, at: datetime | None = None
) -> list[KnownAnswer]:
    """Say of several answers, by their keys, that their labels are known; return those that were not yet.

    What was said of the others stays. The caller holds the locks of their questions, and has seen that their
    labels can be known.
    """
    # Whoever marks a single answer locks its row alone.
    answers = Candidate.objects.select_for_update().filter(project=project, pk__in=list(known)).order_by("pk")
    in_use = known_answers(project=project).filter(candidate__in=list(known))
    new = set(answers.values_list("pk", flat=True)) - set(in_use.values_list("candidate_id", flat=True))
    marked_at = at or now()
    KnownAnswer.objects.bulk_create(
        [
            KnownAnswer(
                project=project,
                candidate_id=answer,
                use=use,
                label=known[answer].label,
                explanation=known[answer].explanation.strip(),
                marked_by=by,
                marked_at=marked_at,
            )
            for answer in sorted(new)
        ],
        # Those that were taken out once.
        update_conflicts=True,
        unique_fields=["candidate"],
        update_fields=["use", "label", "explanation", "marked_by", "marked_at", "withdrawn_at"],
    )
    return list(known_answers(project=project).filter(candidate__in=new))


def _require_usable(project: Project, candidate: Candidate, label: str) -> None:
    protocol = project.protocol.rules if project.protocol else None
    found = protocol.label(label) if protocol else None
    if found is None or found.credit is Credit.MISSING:
        raise UnusableMark(
            "Choose a label that says whether the answer is correct.",
            details={"fields": {"label": ["Choose one of the protocol’s labels."]}},
        )
    if candidate.state not in (Candidate.State.DECIDED, Candidate.State.UNASKED):
        raise UnusableMark(
            "People are still judging this answer. Decide it first, so that its label is known.",
            details={"fields": {"answer": ["This answer is not decided yet. Decide it first."]}},
        )


@transaction.atomic
def withdraw_mark(*, project: Project, public_id: str, at: datetime | None = None) -> None:
    """Use an answer as a known one no longer; what was said of it counts for nobody then.

    Raises `KnownAnswerNotFound`.
    """
    at = at or now()
    mine = KnownAnswer.objects.filter(project=project, public_id=public_id, withdrawn_at=None)
    if not mine.update(withdrawn_at=at):
        raise KnownAnswerNotFound("This project has no such known answer.")
    finish_what_is_done(project=project, at=at)
