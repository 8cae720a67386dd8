"""Write invitations: links of which only the hash is kept."""

import secrets
from datetime import timedelta
from typing import Literal, NamedTuple

from django.db import transaction

from annotation.accounts.models import User
from annotation.accounts.services import create_user
from annotation.projects.models import Invitation, Membership, Project
from annotation.projects.selectors import InvitationNotFound, get_invitation, hash_token
from annotation.projects.services.members import add_member
from common.clock import now
from common.errors import Conflict

UnusableReason = Literal["", "revoked", "used", "expired"]

REASON_WORDS: dict[UnusableReason, str] = {
    "": "This invitation was just used.",
    "revoked": "The lead has withdrawn this invitation.",
    "used": "This invitation was used already. Sign in, or ask the lead for a new one.",
    "expired": "This invitation has expired. Ask the lead for a new one.",
}


class InvitationUnusable(Conflict):
    """The invitation was used, revoked or has expired."""

    code = "invitation_unusable"


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


@transaction.atomic
def accept_invitation(
    *, token: str, user: User | None, username: str = "", name: str = "", password: str = ""
) -> Membership:
    """Join the project, as the signed-in `user` or with a new account.

    Raises `InvitationNotFound`, `InvitationUnusable` and `UnusableAccount`.
    """
    invitation = get_invitation(token=token)
    joining = user or create_user(username=username, name=name or username, password=password)
    # One conditional UPDATE decides who was first; a second click finds no row.
    claimed = Invitation.objects.filter(
        pk=invitation.pk, accepted_at=None, revoked_at=None, expires_at__gt=now()
    ).update(accepted_at=now(), accepted_by=joining)
    if not claimed:
        raise InvitationUnusable(REASON_WORDS[unusable_reason(invitation)])
    return add_member(project=invitation.project, user=joining, role=invitation.role, group=invitation.group)


def unusable_reason(invitation: Invitation) -> UnusableReason:
    """Return why a link no longer works, or nothing; pages have words for it in their language."""
    if invitation.revoked_at is not None:
        return "revoked"
    if invitation.accepted_at is not None:
        return "used"
    return "expired" if invitation.expires_at <= now() else ""
