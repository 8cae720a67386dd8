"""Pause raters, and take back the sheets in their hands."""

from datetime import datetime

from django.db import transaction

from annotation.accounts.models import User
from annotation.assignments.models import Assignment, Sheet, WorkEvent
from annotation.assignments.services.leases import ON_A_SHEET, end_leases
from annotation.assignments.services.locks import lock_due_questions
from annotation.projects.models import Membership, Project
from annotation.projects.services import MemberNotFound, change_member
from common.clock import now
from common.errors import Conflict

Kind = WorkEvent.Kind
State = Membership.State


class NotAtWork(Conflict):
    """Only who takes part can be paused, and only who is paused can go on."""

    code = "not_at_work"


@transaction.atomic
def pause_rater(
    *, project: Project, member_id: str, by: User, takes_back: bool, at: datetime | None = None
) -> None:
    """Hand a rater nothing more; `takes_back`: and take back at once what lies in their hands.

    Otherwise they may hand it in until their time for it runs out. Raises `MemberNotFound`, `NotAtWork`.
    """
    at = at or now()
    rater = _change_state(project, member_id, before=State.ACTIVE, after=State.PAUSED)
    _record(rater, Kind.PAUSED, by=by, at=at)
    if takes_back:
        _take_back(rater, by=by, at=at)


@transaction.atomic
def resume_rater(*, project: Project, member_id: str, by: User, at: datetime | None = None) -> None:
    """Hand a paused rater work again; raises `MemberNotFound`, `NotAtWork`."""
    rater = _change_state(project, member_id, before=State.PAUSED, after=State.ACTIVE)
    _record(rater, Kind.RESUMED, by=by, at=at or now())


@transaction.atomic
def take_back_sheets(*, project: Project, member_id: str, by: User, at: datetime | None = None) -> None:
    """Take back every sheet in a rater's hands, as if their time for it had run out.

    What they still hand in counts where nobody has taken the slot meanwhile, and is kept as surplus
    elsewhere. Raises `MemberNotFound`.
    """
    _take_back(_find(project, member_id), by=by, at=at or now())


def _find(project: Project, member_id: str) -> Membership:
    rater = project.members.filter(public_id=member_id, role=Membership.Role.ANNOTATOR).first()
    if rater is None:
        raise MemberNotFound("This project has no such annotator.")
    return rater


def _change_state(project: Project, member_id: str, *, before: str, after: str) -> Membership:
    rater = _find(project, member_id)
    # The condition is asked under the lock of the project's row: two leads may press at once.
    Project.objects.select_for_update().get(pk=project.pk)
    rater.refresh_from_db(fields=["state"])
    if rater.state != before:
        words = {State.ACTIVE: "takes part", State.PAUSED: "is paused", State.LEFT: "has left"}
        raise NotAtWork(f"{rater.user.name} {words[State(rater.state)]}. Load the page again.")
    return change_member(project=project, public_id=member_id, state=after)


def _take_back(rater: Membership, *, by: User, at: datetime) -> None:
    held = Sheet.objects.filter(rater=rater, state=Sheet.State.OPEN)
    locked = lock_due_questions(question_ids=set(held.values_list("question", flat=True)), waits=True)
    # Read again under the locks: some may have been handed in since.
    sheets = list(held.filter(question__in=locked).values_list("pk", flat=True))
    answers = Assignment.objects.filter(sheet__in=sheets, state__in=ON_A_SHEET).count()
    if sheets:
        end_leases(sheets, at=at)
        _record(rater, Kind.TAKEN_BACK, by=by, at=at, sheets=len(sheets), answers=answers)


def _record(
    rater: Membership, kind: str, *, by: User, at: datetime, sheets: int = 0, answers: int = 0
) -> None:
    WorkEvent.objects.create(
        project_id=rater.project_id, kind=kind, rater=rater, by=by, at=at, sheets=sheets, answers=answers
    )
