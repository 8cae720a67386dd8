"""Begin and end a pilot."""

import random
from datetime import datetime

from django.db import transaction

from annotation.accounts.models import User
from annotation.assignments.models import Pilot, PilotQuestion, Purpose, Sheet, WorkEvent
from annotation.assignments.selectors.pilots import pilot_candidates, piloted_questions, untouched_questions
from annotation.assignments.services.hidden import make_sheet, reopen_sheet
from annotation.assignments.services.slots import end_leases, in_own_order, lock_due_questions
from annotation.items.models import Question
from annotation.items.services.samples import leave_out
from annotation.projects.models import Membership, Project, ProtocolVersion
from annotation.projects.services.upkeep import do_upkeep
from common.clock import now
from common.errors import Conflict, Invalid


class UnusablePilot(Invalid):
    """There are not as many questions that nobody was handed yet."""


class PilotGoesOn(Conflict):
    """A project has one pilot at a time."""


class NoPilot(Conflict):
    """There is no pilot that could be ended."""


@transaction.atomic
def begin_pilot(
    *, project: Project, by: User, questions: int, seed: int | None = None, at: datetime | None = None
) -> Pilot:
    """Let every rater judge the same questions before anything else is handed out.

    The first `questions` as imported, or so many drawn by `seed`, of those that nobody was handed yet;
    sheets in somebody's hands stay there. Raises `PilotGoesOn`, `UnusablePilot`.
    """
    at = at or now()
    # The project's row is the lock: two leads may press at once.
    Project.objects.locked(project.pk)
    if Pilot.objects.open_in(project_id=project.pk) is not None:
        raise PilotGoesOn("A pilot is already in progress. End it before you start another.")
    chosen = _choose(project, questions=questions, seed=seed)
    pilot = Pilot.objects.create(project=project, seed=seed, begun_by=by, begun_at=at)
    PilotQuestion.objects.bulk_create(PilotQuestion(pilot=pilot, question_id=pk) for pk in chosen)
    _record(project, WorkEvent.Kind.PILOT_BEGUN, by=by, at=at)
    return pilot


def _choose(project: Project, *, questions: int, seed: int | None) -> list[int]:
    """Choose and lock a pilot's questions, and no others: work goes on at all that it leaves alone."""
    untouched = untouched_questions(project=project)
    while True:
        usable = list(untouched.values_list("pk", flat=True))
        if questions > len(usable):
            words = (
                "A pilot can use only questions in the sample that no annotator has received "
                f"({len(usable):,} left). Enter a smaller number."
            )
            raise UnusablePilot(words, details={"fields": {"questions": [words]}})
        chosen = usable[:questions] if seed is None else random.Random(seed).sample(usable, questions)
        locked = lock_due_questions(question_ids=chosen, waits=True)
        # Asked again under the locks: a rater may have been handed one meanwhile. Then fewer are left.
        if untouched.filter(pk__in=locked).count() == questions:
            return chosen


def drop_empty_pilot(*, project_id: int) -> None:
    """Take away a pilot that goes on without a question, as when their import was undone.

    Nobody was handed any of it, or the import would have stayed: nothing is lost, and work is handed out.
    """
    Pilot.objects.filter(project=project_id, ended_at=None, questions=None).delete()


def end_pilot(*, project: Project, by: User, outcome: str, at: datetime | None = None) -> Pilot:
    """End the pilot that goes on; its questions are judged "again" as work, or "left_out" of the study.

    What lies in raters' hands ends with it. What they still hand in is kept with the pilot. Raises
    `NoPilot`.
    """
    pilot = _end(project, by=by, outcome=outcome, at=at or now())
    do_upkeep(project_id=project.pk)
    return pilot


@transaction.atomic
def _end(project: Project, *, by: User, outcome: str, at: datetime) -> Pilot:
    Project.objects.locked(project.pk)
    pilot = Pilot.objects.open_in(project_id=project.pk)
    if pilot is None:
        raise NoPilot("No pilot is in progress. Reload the page.")
    questions = list(piloted_questions(pilot=pilot).values_list("pk", flat=True))
    lock_due_questions(question_ids=questions, waits=True)
    held = Sheet.objects.filter(question__in=questions, purpose=Purpose.PILOT, state=Sheet.State.OPEN)
    end_leases(list(held.values_list("pk", flat=True)), at=at)
    pilot.ended_by, pilot.ended_at, pilot.outcome = by, at, outcome
    pilot.save(update_fields=["ended_by", "ended_at", "outcome"])
    _record(project, WorkEvent.Kind.PILOT_ENDED, by=by, at=at)
    if outcome == Pilot.Outcome.LEFT_OUT:
        leave_out(project=project, question_ids=questions)
    return pilot


def hand_out_pilot(
    *, rater: Membership, version: ProtocolVersion, pilot: Pilot, question: Question, at: datetime
) -> list[Sheet]:
    """Return the one sheet with what a question of a pilot holds for the rater, or none.

    The caller holds the question's lock and knows that the rater has no sheet of it in hand.
    """
    candidates = pilot_candidates(rater=rater, pilot=pilot).filter(question=question).order_by("pk")
    chosen = in_own_order(rater, candidates)[: version.rules.sheet_size]
    if not chosen:
        return []
    lapsed = Sheet.objects.filter(
        rater=rater, question=question, purpose=Purpose.PILOT, state=Sheet.State.EXPIRED
    )
    sheet = lapsed.order_by("pk").first()
    if sheet is not None:
        return [reopen_sheet(sheet, version, at=at)]
    return [make_sheet(rater, version, question, Purpose.PILOT, chosen, at=at)]


def _record(project: Project, kind: str, *, by: User, at: datetime) -> None:
    WorkEvent.objects.create(project=project, kind=kind, by=by, at=at)
