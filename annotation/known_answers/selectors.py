"""Read known answers, the quality plan, and where somebody stands in the training."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from django.db.models import QuerySet

from annotation.items.selectors import passages_reader, shown_references
from annotation.known_answers.models import (
    KnownAnswer,
    QualityPlan,
    TrainingAnswer,
    TrainingAttempt,
    TrainingPass,
)
from annotation.known_answers.rules import TrainingResult, result_of
from annotation.projects.models import Membership, Project
from common.memory import once


@dataclass(frozen=True)
class TrainingItem:
    """An answer to judge."""

    id: str
    text: str


@dataclass(frozen=True)
class TrainingPassage:
    """A passage that accompanies a training question, as on a sheet."""

    text: str
    title: str
    source: str


@dataclass(frozen=True)
class TrainingSheet:
    """A training question with its answers, and what the protocol shows with it.

    `references`, `passages`: null if the protocol does not show them.
    """

    question_id: str
    question: str
    references: list[str] | None
    passages: list[TrainingPassage] | None
    answers: list[TrainingItem]


TraineeState: TypeAlias = Literal["due", "failed", "passed", "let_through"]
TrainingState: TypeAlias = Literal["none", "due", "failed", "passed"]


@dataclass(frozen=True)
class Training:
    """An annotator’s state in the training.

    `state`: "none" (not required), "due", "failed", or "passed". `pass_share`: the share of correct answers
    needed to pass, from 0 to 1. `done`, `total`: judged answers and all answers of the current attempt.
    `sheet`: the next question, or null. `result`: the result of the latest finished attempt, or null.
    """

    state: TrainingState
    pass_share: float
    attempt: int
    done: int
    total: int
    sheet: TrainingSheet | None
    result: TrainingResult | None


def plan_of(*, project: Project) -> QualityPlan:
    """Return the project's quality plan, or one with the defaults that is not stored."""

    def read() -> QualityPlan:
        return QualityPlan.objects.filter(project=project).first() or QualityPlan(project=project)

    return once(("quality plan", project.pk), read)


def known_answers(*, project: Project) -> QuerySet[KnownAnswer]:
    """Return the known answers in use, with their questions, in the project's order."""
    return (
        KnownAnswer.objects.filter(project=project, withdrawn_at=None)
        .select_related("candidate__question", "marked_by")
        .order_by("candidate__question__position", "candidate__question", "candidate__public_id")
    )


def training_answers(*, rater: Membership) -> QuerySet[KnownAnswer]:
    """Return what a rater judges in training: of the rater's own group, where there are groups."""
    known = known_answers(project=rater.project).filter(use=KnownAnswer.Use.TRAINING)
    return known.filter(candidate__group=rater.group) if rater.group else known


def told_answers(*, project: Project) -> QuerySet[TrainingAnswer]:
    """Return what raters learned in training: whoever was told an answer's label cannot judge it blindly."""
    return TrainingAnswer.objects.filter(attempt__rater__project=project)


def told_candidates(*, rater: Membership) -> list[int]:
    """Return the answers whose labels this rater was told in training."""

    def read() -> list[int]:
        told = told_answers(project=rater.project).filter(attempt__rater=rater)
        return list(told.values_list("known__candidate", flat=True))

    return once(("told", rater.pk), read)


def is_training_due(*, rater: Membership) -> bool:
    """Whether a rater is to pass the training before being handed any work."""
    if rater.user.is_imported or not plan_of(project=rater.project).is_training:
        return False
    return not TrainingPass.objects.filter(rater=rater).exists() and training_answers(rater=rater).exists()


def training_of(*, rater: Membership) -> Training:
    """Return where a rater stands in the training, and the sheet that comes next."""
    plan = plan_of(project=rater.project)
    attempts = TrainingAttempt.objects.filter(rater=rater).order_by("-number")
    finished = attempts.exclude(finished_at=None).first()
    result = _result(finished, plan) if finished else None
    latest = attempts.first()
    standing = Training("none", plan.pass_share, latest.number if latest else 1, 0, 0, None, result)
    if not is_training_due(rater=rater):
        passed = TrainingPass.objects.filter(rater=rater).exists()
        return replace(standing, state="passed") if passed and plan.is_training else standing
    known = list(training_answers(rater=rater))
    if latest is not None and latest == finished:
        return replace(standing, state="failed", total=len(known))
    answered = set(latest.answers.values_list("known", flat=True)) if latest else set()
    left = [item for item in known if item.pk not in answered]
    return replace(
        standing, state="due", done=len(known) - len(left), total=len(known), sheet=_sheet(rater, left)
    )


def _result(attempt: TrainingAttempt, plan: QualityPlan) -> TrainingResult:
    outcomes = list(attempt.answers.filter(known__withdrawn_at=None).values_list("is_right", flat=True))
    return result_of(outcomes=outcomes, pass_share=plan.pass_share)


def _sheet(rater: Membership, left: list[KnownAnswer]) -> TrainingSheet | None:
    if not left:
        return None
    question = left[0].candidate.question
    protocol = rater.project.protocol
    shown = protocol is not None and protocol.rules.gold_shown
    read_passages = passages_reader(protocol.rules if protocol else None)
    return TrainingSheet(
        question_id=question.public_id,
        question=question.text,
        references=shown_references(question_ids=[question.pk]).get(question.pk, []) if shown else None,
        passages=(
            [TrainingPassage(*each) for each in read_passages([question.pk]).get(question.pk, [])]
            if read_passages
            else None
        ),
        answers=[
            TrainingItem(item.candidate.public_id, item.candidate.text)
            for item in left
            if item.candidate.question_id == question.pk
        ],
    )


@dataclass(frozen=True)
class Trainee:
    """An annotator’s results in the training.

    `right`, `total`: correct answers and all answers of the latest attempt.
    """

    member_id: str
    name: str
    pseudonym: str
    attempts: int
    right: int
    total: int
    state: TraineeState


def list_trainees(*, project: Project) -> list[Trainee]:
    """Return the annotators with where each stands in the training, in the order they joined."""
    raters = (
        Membership.objects.filter(project=project, role=Membership.Role.ANNOTATOR, user__is_imported=False)
        .exclude(state=Membership.State.LEFT)
        .select_related("user")
        .order_by("joined_at", "pk")
    )
    passes = {item.rater_id: item for item in TrainingPass.objects.filter(rater__project=project)}
    attempts: dict[int, list[TrainingAttempt]] = {}
    for attempt in TrainingAttempt.objects.filter(rater__project=project).order_by("number"):
        attempts.setdefault(attempt.rater_id, []).append(attempt)
    return [_trainee(rater, attempts.get(rater.pk, []), passes.get(rater.pk)) for rater in raters]


def _trainee(rater: Membership, attempts: list[TrainingAttempt], passed: TrainingPass | None) -> Trainee:
    outcomes = (
        list(TrainingAnswer.objects.filter(attempt=attempts[-1]).values_list("is_right", flat=True))
        if attempts
        else []
    )
    state: TraineeState = "due" if not attempts or attempts[-1].finished_at is None else "failed"
    if passed is not None:
        state = "passed" if passed.let_through_by_id is None else "let_through"
    facts = (len(attempts), sum(outcomes), len(outcomes), state)
    return Trainee(rater.public_id, rater.user.name, rater.pseudonym, *facts)
