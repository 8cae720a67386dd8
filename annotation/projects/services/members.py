"""Members of a project, and invitations to it."""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from django.db import transaction

from annotation.accounts.mailboxes.addresses import clean_address
from annotation.accounts.models import OutgoingMail, User
from annotation.accounts.outbox.writing import count_written, page_language, require_mail, write_mail
from annotation.accounts.services import prepare_user, save_new_user
from annotation.accounts.tokens.ports import Joined
from annotation.projects.models import Invitation, Membership, Project
from annotation.projects.rules import pseudonym_for
from annotation.projects.selectors import InvitationUnusable, get_invitation, hash_token, open_invitations
from annotation.projects.services.limits import PeopleLimitReached, Resource, growing
from common.clock import now
from common.errors import Conflict, NotFound, TooMany
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

    Raises `MemberNotFound`, `LastLead`, and `OrganizationLimitReached` for who left and comes back.
    """
    # The project's row is the lock: two leads who demote each other at once must take turns.
    project = Project.objects.locked(project.pk)
    membership = project.members.filter(public_id=public_id).first()
    if membership is None:
        raise MemberNotFound("This project has no such member.")
    membership.role = role or membership.role
    membership.state = state or membership.state
    membership.group = membership.group if group is None else group
    with growing(project.organization_id if state else None, Resource.PEOPLE):
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


class InvitationEnded(Conflict):
    """The link lets nobody in any more, so its name stays as what it was."""


class ProjectFull(Conflict):
    """The organization has as many people as it may; its name and numbers are not for outsiders."""

    def __init__(self) -> None:
        super().__init__("This project cannot take more people. Tell the person who invited you.")


class AlreadyMember(Conflict):
    """Whoever takes part already does not join: a link changes nobody's role."""


# Sent by email in a day: from one project, by one lead, and to one address from one project or by one lead.
MAILS_OF_PROJECT, MAILS_OF_LEAD, MAILS_TO_ADDRESS = 50, 100, 3


class TooManyInvitationMails(TooMany):
    """A project or a lead has sent as many invitations by email as a day allows."""

    def __init__(self) -> None:
        super().__init__(
            "Too many invitations were sent by email in the last 24 hours. Create the link without an "
            "email address and send it yourself, or try again tomorrow."
        )


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
    email: str = "",
) -> NewInvitation:
    """Make an invitation for one person; the token is returned once and only its hash is kept.

    email: where the link is sent. Raises `MailOff`, `AddressUnusable` and `TooManyInvitationMails`, and makes
    no invitation then.
    """
    if not email:
        return _create_invitation(
            project=project, by=by, role=role, label=label, group=group, expires_in=expires_in
        )
    require_mail()
    address = clean_address(email)
    with transaction.atomic():
        # Two at once take turns, so that the limits hold: of the project, then of the lead.
        Project.objects.locked(project.pk)
        User.objects.select_for_update(no_key=True).get(pk=by.pk)
        at = now()
        _require_few_mails(project, by, address, since=at - timedelta(days=1))
        made = _create_invitation(
            project=project, by=by, role=role, label=label, group=group, expires_in=expires_in
        )
        write_mail(
            kind=OutgoingMail.Kind.INVITATION,
            user=by,
            project_id=project.pk,
            about=made.invitation.public_id,
            recipient=address,
            language=page_language(by),
            worth=expires_in,
            link=f"/join/{made.token}",
            facts={"role": role, "until": made.invitation.expires_at.isoformat()},
            at=at,
        )
    return made


def _require_few_mails(project: Project, by: User, address: str, *, since: datetime) -> None:
    kind = OutgoingMail.Kind.INVITATION
    written = OutgoingMail.objects.filter(kind=kind, created_at__gt=since)
    to_address = written.filter(recipient__iexact=address)
    if (
        written.filter(project=project).count() >= MAILS_OF_PROJECT
        or to_address.filter(project=project).count() >= MAILS_TO_ADDRESS
        or to_address.filter(user=by).count() >= MAILS_TO_ADDRESS
        or count_written(user=by, kind=kind, since=since) >= MAILS_OF_LEAD
    ):
        raise TooManyInvitationMails


def _create_invitation(
    *, project: Project, by: User, role: str, label: str, group: str, expires_in: timedelta
) -> NewInvitation:
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


def rename_invitation(*, project: Project, public_id: str, label: str) -> None:
    """Give a link that still works another name; whoever has it learns nothing of that.

    Raises `InvitationNotFound`, `InvitationEnded`.
    """
    invitations = Invitation.objects.filter(project=project, public_id=public_id)
    # One conditional UPDATE, as where it is accepted: who joined meanwhile keeps the name they were given.
    if open_invitations().filter(pk__in=invitations).update(label=label):
        return
    if not invitations.exists():
        raise InvitationNotFound("This project has no such invitation.")
    raise InvitationEnded("This link no longer works, so you cannot rename it. Create another link.")


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

    Raises `InvitationUnusable`, `AlreadyMember`, `UnusableAccount` and `ProjectFull`.
    """
    invitation = get_invitation(token=token)
    if user is not None:
        return _join(invitation, lambda: user)
    # Hashing a password takes long: it is done before anything is locked.
    prepared = prepare_user(username=username, name=name or username, password=password)
    return _join(invitation, lambda: save_new_user(prepared))


def join_by_invitation(*, token: str, make_account: Callable[[], User]) -> Joined | None:
    """Join with an account that is made for it, as the port says.

    A lead's invitation is the permission: whether anybody else may get an account is not asked.
    """
    try:
        membership = _join(get_invitation(token=token), make_account)
    except InvitationUnusable:
        return None
    return Joined(membership.user, membership.project.slug)


def _join(invitation: Invitation, find_user: Callable[[], User]) -> Membership:
    with transaction.atomic():
        # The project's row is the lock, as where members are changed and lose the right to invite.
        project = Project.objects.locked(invitation.project_id)
        joining = find_user()
        # One conditional UPDATE decides who was first; a second click finds no row.
        claimed = open_invitations().filter(pk=invitation.pk)
        if not claimed.update(accepted_at=now(), accepted_by=joining):
            raise InvitationUnusable
        _require_newcomer(project, joining)
        try:
            with growing(project.organization_id, Resource.PEOPLE):
                return add_member(project=project, user=joining, role=invitation.role, group=invitation.group)
        except PeopleLimitReached:
            raise ProjectFull from None


def _require_newcomer(project: Project, user: User) -> None:
    if project.members.filter(user=user).exclude(state=Membership.State.LEFT).exists():
        raise AlreadyMember(
            f"You are already a member of “{project.name}.” A lead can change your role on its People page."
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
