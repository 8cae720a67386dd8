"""Write invitations: links of which only the hash is kept."""

import secrets
from datetime import timedelta
from typing import Literal, NamedTuple

from django.db import transaction

from annotation.accounts.models import User
from annotation.accounts.services import prepare_user, save_new_user
from annotation.projects.models import Invitation, Membership, Project
from annotation.projects.selectors import InvitationUnusable, get_invitation, hash_token, open_invitations
from annotation.projects.services.members import add_member
from common.clock import now
from common.errors import Conflict, NotFound

UnusableReason = Literal["", "revoked", "used", "expired", "ended"]


class InvitationNotFound(NotFound):
    """The project has no such invitation."""

    code = "invitation_not_found"


class AlreadyMember(Conflict):
    """Whoever takes part already does not join: a link changes nobody's role."""

    code = "already_member"


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
        project = Project.objects.select_for_update().get(pk=invitation.project_id)
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
            f"You take part in “{project.name}” already. A lead can change your role on its page People."
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
