"""Say how raters' work is looked at, and draw answers whose label is known by their decisions."""

import random
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import MOST_AT_ONCE, WRONG_NUMBER, others_of, quoted
from annotation.assignments.services.slots import lock_due_questions
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.known_answers.models import KnownAnswer, QualityPlan, TrainingPass
from annotation.known_answers.rules import problem_of_plan
from annotation.known_answers.selectors import known_answers
from annotation.known_answers.services import Known, mark_together
from annotation.projects.models import Membership, Project
from annotation.quality.selectors import drawable, knowable
from common.clock import now
from common.errors import Invalid


class UnusableQualityPlan(Invalid):
    """The shares are too large, or the training has too few answers."""


class NothingToDraw(Invalid):
    """No decided answer is left that could become a known one."""


class PlanWish(NamedTuple):
    """What the lead wants; shares are 0–1."""

    known_share: float
    repeat_share: float
    repeat_distance: int
    repeat_hours: int
    second_share: float
    is_training: bool
    pass_share: float
    least_answers: int


@transaction.atomic
def save_quality_plan(
    *, project: Project, by: User, wish: PlanWish, at: datetime | None = None
) -> QualityPlan:
    """Look at raters' work this way from the next sheet on; raises `UnusableQualityPlan`.

    Where training is switched on, whoever has judged already goes on without it.
    """
    at = at or now()
    Project.objects.locked(project.pk)
    training = known_answers(project=project).filter(use=KnownAnswer.Use.TRAINING)
    problem = problem_of_plan(
        known_share=wish.known_share,
        repeat_share=wish.repeat_share,
        is_training=wish.is_training,
        least_answers=wish.least_answers,
        training_answers=training.count(),
    )
    if problem is not None:
        raise UnusableQualityPlan(problem.words, details={"fields": {problem.field: [problem.words]}})
    was_training = QualityPlan.objects.filter(project=project, is_training=True).exists()
    plan, _ = QualityPlan.objects.update_or_create(
        project=project, defaults={**wish._asdict(), "saved_at": at}
    )
    if plan.is_training and not was_training:
        _let_experienced_through(project, by=by, at=at)
    return plan


def _let_experienced_through(project: Project, *, by: User, at: datetime) -> None:
    judged = Judgment.objects.votes().filter(rater__project=project).values("rater")
    raters = Membership.objects.filter(
        pk__in=judged, role=Membership.Role.ANNOTATOR, training_pass=None
    ).order_by("pk")
    TrainingPass.objects.bulk_create(
        TrainingPass(rater=rater, passed_at=at, let_through_by=by) for rater in raters
    )


def draw_known_answers(
    *,
    project: Project,
    by: User,
    use: str,
    number: int,
    seed: int,
    only_unanimous: bool = True,
    at: datetime | None = None,
) -> list[KnownAnswer]:
    """Make decided answers known ones, by lot: the same seed draws the same from the same answers.

    For training evenly by label; hidden ones are as labels are in the work, so that none stands out.

    Raises `NothingToDraw`.
    """
    decisions = list(drawable(project=project, only_unanimous=only_unanimous))
    if not decisions:
        kind = "on which all annotators agreed" if only_unanimous else "that people decided"
        raise NothingToDraw(f"No answers {kind} are left to sample.")
    lot = random.Random(seed)
    number = min(number, len(decisions))
    is_training = use == KnownAnswer.Use.TRAINING
    drawn = _drawn_evenly(decisions, number, lot) if is_training else lot.sample(decisions, number)
    with transaction.atomic():
        # What was decided otherwise meanwhile is not marked.
        chosen = Candidate.objects.filter(pk__in=[decision.candidate_id for decision in drawn])
        return _mark(project, _locked(project, chosen), by=by, use=use, at=at)


class NotKnown(Invalid):
    """Too many answers are chosen, or some have no label that can be known, which the details name."""


@transaction.atomic
def mark_known_answers(
    *, project: Project, answers: Sequence[str], by: User, use: str, at: datetime | None = None
) -> int:
    """Make all of these answers known ones, by the labels that people decided, or none.

    Return how many were none before; what was said of the others stays. answers: public ids, at most
    `MOST_AT_ONCE`. Raises `NotKnown`.
    """
    if not 1 <= len(set(answers)) <= MOST_AT_ONCE:
        raise NotKnown(WRONG_NUMBER, details={"fields": {"answers": [WRONG_NUMBER]}})
    decisions = _locked(project, Candidate.objects.filter(project=project, public_id__in=answers))
    lacking = set(answers) - {decision.candidate.public_id for decision in decisions}
    if lacking:
        raise _not_known(project, lacking)
    return len(_mark(project, decisions, by=by, use=use, at=at))


def _not_known(project: Project, lacking: Collection[str]) -> NotKnown:
    first = Candidate.objects.filter(project=project, public_id__in=lacking).order_by("pk").first()
    others = f" Nor can {others_of(len(lacking))}." if len(lacking) > 1 else ""
    return NotKnown(
        f"No answers were marked: {quoted(first.text) if first else 'one of them'} cannot be a known answer."
        f"{others} A known answer needs a decision by people alone, a label that the protocol still has, and "
        "a question that counts in the scores.",
        details={"answers": sorted(lacking)},
    )


def _drawn_evenly(decisions: Sequence[Decision], number: int, lot: random.Random) -> list[Decision]:
    """Draw as many of each label as there are, so that nobody passes a training with one key."""
    by_label: dict[str, list[Decision]] = defaultdict(list)
    for decision in lot.sample(decisions, len(decisions)):
        by_label[decision.label].append(decision)
    turns = zip_longest(*(by_label[label] for label in sorted(by_label)))
    evenly = [decision for turn in turns for decision in turn if decision is not None]
    return lot.sample(evenly[:number], number)


def _locked(project: Project, chosen: QuerySet[Candidate]) -> list[Decision]:
    """Lock the questions of these answers, and return the decisions by which their labels can be known."""
    lock_due_questions(question_ids=set(chosen.values_list("question_id", flat=True)), waits=True)
    # Read under the locks.
    return list(knowable(project=project).filter(candidate__in=chosen))


def _mark(
    project: Project, decisions: Sequence[Decision], *, by: User, use: str, at: datetime | None
) -> list[KnownAnswer]:
    # Trainees read the explanation, so it is a reason that raters may read.
    known = {
        decision.candidate_id: Known(decision.label, decision.reason if decision.is_reason_shown else "")
        for decision in decisions
    }
    return mark_together(project=project, known=known, by=by, use=use, at=at)
