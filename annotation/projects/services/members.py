"""Write who takes part in a project, and in which role."""

from datetime import datetime

from django.db import transaction

from annotation.accounts.models import User
from annotation.projects.models import Invitation, Membership, Project
from annotation.projects.rules import pseudonym_for
from common.clock import now
from common.errors import Conflict, NotFound
from common.identifiers import new_public_id


class MemberNotFound(NotFound):
    """The project has no such member."""

    code = "member_not_found"


class LastLead(Conflict):
    """A project keeps at least one lead."""

    code = "last_lead"


def add_member(
    *, project: Project, user: User, role: str, group: str = "", at: datetime | None = None
) -> Membership:
    """Make `user` a member; somebody who is one keeps the role they have.

    Somebody who left is back in the role given, whatever they were. A role by itself unblinds nobody:
    see `note_opening`.
    """
    at = at or now()
    taken = list(project.members.values_list("pseudonym", flat=True))
    membership, _ = Membership.objects.get_or_create(
        project=project,
        user=user,
        defaults={
            "role": role,
            "group": group,
            "pseudonym": pseudonym_for(chance=new_public_id(), taken=taken),
            "joined_at": at,
        },
    )
    left = Membership.objects.filter(pk=membership.pk, state=Membership.State.LEFT)
    if left.update(state=Membership.State.ACTIVE, role=role, group=group):
        membership.refresh_from_db()
    return membership


def note_opening(*, member: Membership) -> None:
    """Remember that somebody has opened what annotators must not see: they never judge blind here again."""
    if member.unblinded_at is None:
        at = now()
        Membership.objects.filter(pk=member.pk, unblinded_at=None).update(unblinded_at=at)
        member.unblinded_at = at


@transaction.atomic
def change_member(
    *,
    project: Project,
    public_id: str,
    role: str | None = None,
    state: str | None = None,
    group: str | None = None,
) -> Membership:
    """Change a member's role, state or group of systems (empty: all). Nobody is unblinded by it.

    Raises `MemberNotFound`, `LastLead`.
    """
    # The project's row is the lock: two leads who demote each other at once must take turns.
    Project.objects.select_for_update().get(pk=project.pk)
    membership = project.members.filter(public_id=public_id).first()
    if membership is None:
        raise MemberNotFound("This project has no such member.")
    membership.role = role or membership.role
    membership.state = state or membership.state
    membership.group = membership.group if group is None else group
    membership.save(update_fields=["role", "state", "group"])
    _require_lead(project)
    return membership


def _require_lead(project: Project) -> None:
    if not project.members.filter(role=Membership.Role.LEAD, state=Membership.State.ACTIVE).exists():
        raise LastLead(
            f"The project “{project.name}” needs at least one active lead. Make somebody else lead first."
        )


@transaction.atomic
def leave_project(*, membership: Membership) -> None:
    """Take no more part; votes stay under the pseudonym. Raises `LastLead`."""
    project = Project.objects.select_for_update().get(pk=membership.project_id)
    Membership.objects.filter(pk=membership.pk).update(state=Membership.State.LEFT)
    _require_lead(project)


@transaction.atomic
def leave_all_projects(*, user: User) -> None:
    """Leave every project, and forget the names that invitations gave the person. Raises `LastLead`."""
    memberships = Membership.objects.filter(user=user).exclude(state=Membership.State.LEFT)
    for membership in memberships.order_by("pk"):
        leave_project(membership=membership)
    Invitation.objects.filter(accepted_by=user).update(label="")
