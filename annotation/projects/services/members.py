"""Members of a project, and invitations to it."""

import secrets
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from django.db import transaction

from annotation.accounts.models import User
from annotation.accounts.services import prepare_user, save_new_user
from annotation.projects.models import Invitation, Membership, Project
from annotation.projects.rules import pseudonym_for
from annotation.projects.selectors import InvitationUnusable, get_invitation, hash_token, open_invitations
from common.clock import now
from common.errors import Conflict, NotFound
from common.identifiers import new_public_id


class MemberNotFound(NotFound):
    """The project has no such member."""


class LastLead(Conflict):
    """A project keeps at least one lead."""


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
    Project.objects.locked(project.pk)
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
            f"The project “{project.name}” needs at least one active lead. Make somebody else a lead first."
        )


@transaction.atomic
def leave_project(*, membership: Membership) -> None:
    """Take no more part; votes stay under the pseudonym. Raises `LastLead`."""
    project = Project.objects.locked(membership.project_id)
    Membership.objects.filter(pk=membership.pk).update(state=Membership.State.LEFT)
    _require_lead(project)


@transaction.atomic
def leave_all_projects(*, user: User) -> None:
    """Leave every project, and forget the names that invitations gave the person. Raises `LastLead`."""
    memberships = Membership.objects.filter(user=user).exclude(state=Membership.State.LEFT)
    for membership in memberships.order_by("pk"):
        leave_project(membership=membership)
    Invitation.objects.filter(accepted_by=user).update(label="")


UnusableReason = Literal["", "revoked", "used", "expired", "ended"]


class InvitationNotFound(NotFound):
    """The project has no such invitation."""


class AlreadyMember(Conflict):
    """Whoever takes part already does not join: a link changes nobody's role."""


class NewInvitation(NamedTuple):
    """An invitation and the token of its link, which is shown only now."""

    invitation: Invitation
    token: str


def invite(
    *,
    project: Project,
    by: User,
    role: str,
    label: str = "",
    group: str = "",
    expires_in: timedelta = timedelta(days=14),
) -> NewInvitation:
    """Make an invitation for one person; the token is returned once and only its hash is kept."""
    token = secrets.token_urlsafe(24)
    at = now()
    invitation = Invitation.objects.create(
        project=project,
        role=role,
        label=label,
        group=group,
        token_hash=hash_token(token),
        created_by=by,
        created_at=at,
        expires_at=at + expires_in,
    )
    return NewInvitation(invitation=invitation, token=token)


def revoke_invitation(*, project: Project, public_id: str) -> None:
    """Make a link useless; one that was used or revoked already stays as it is.

    Raises `InvitationNotFound`.
    """
    invitations = project.invitations.filter(public_id=public_id)
    if not invitations.exists():
        raise InvitationNotFound("This project has no such invitation.")
    invitations.filter(accepted_at=None, revoked_at=None).update(revoked_at=now())


def accept_invitation(
    *, token: str, user: User | None, username: str = "", name: str = "", password: str = ""
) -> Membership:
    """Join the project in the link's role, as the signed-in `user` or with a new account.

    Raises `InvitationUnusable`, `AlreadyMember` and `UnusableAccount`.
    """
    invitation = get_invitation(token=token)
    # Hashing a password takes long: it is done before anything is locked.
    joining = user or prepare_user(username=username, name=name or username, password=password)
    with transaction.atomic():
        # The project's row is the lock, as where members are changed and lose the right to invite.
        project = Project.objects.locked(invitation.project_id)
        if user is None:
            save_new_user(joining)
        # One conditional UPDATE decides who was first; a second click finds no row.
        claimed = open_invitations().filter(pk=invitation.pk)
        if not claimed.update(accepted_at=now(), accepted_by=joining):
            raise InvitationUnusable
        _require_newcomer(project, joining)
        return add_member(project=project, user=joining, role=invitation.role, group=invitation.group)


def _require_newcomer(project: Project, user: User) -> None:
    if project.members.filter(user=user).exclude(state=Membership.State.LEFT).exists():
        raise AlreadyMember(
            f"You are already a member of “{project.name}”. A lead can change your role on its People page."
        )


def unusable_reason(invitation: Invitation, *, is_open: bool) -> UnusableReason:
    """Return for leads why a link no longer works, or nothing; "ended": its maker may not invite."""
    if is_open:
        return ""
    if invitation.revoked_at is not None:
        return "revoked"
    if invitation.accepted_at is not None:
        return "used"
    return "expired" if invitation.expires_at <= now() else "ended"
