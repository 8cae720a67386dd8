"""Write projects, protocols, members and invitations."""

import secrets
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from annotation.accounts.models import User
from annotation.accounts.services import create_user
from annotation.projects.models import Invitation, Membership, Project, ProtocolVersion
from annotation.projects.presets import find_preset
from annotation.projects.rules import RESERVED_SLUGS, Protocol, ProtocolError, pseudonym_for
from annotation.projects.selectors import InvitationNotFound, get_invitation, hash_token
from common.clock import now
from common.errors import Conflict, Invalid, NotFound
from common.identifiers import new_public_id

UNBLINDED_ROLES = frozenset({Membership.Role.LEAD, Membership.Role.ADJUDICATOR})


class SlugTaken(Conflict):
    """Another project has this address."""

    code = "slug_taken"


class UnknownPreset(Invalid):
    """There is no preset of this name."""

    code = "unknown_preset"


class UnusableProtocol(Invalid):
    """The protocol contradicts itself or lacks something."""

    code = "unusable_protocol"


class AnswersAreThere(Conflict):
    """The project has answers, which were pooled and perhaps judged as they are."""

    code = "answers_are_there"


class InvitationUnusable(Conflict):
    """The invitation was used, revoked or has expired."""

    code = "invitation_unusable"


class MemberNotFound(NotFound):
    """The project has no such member."""

    code = "member_not_found"


class LastLead(Conflict):
    """A project keeps at least one lead."""

    code = "last_lead"


class NewInvitation(NamedTuple):
    """An invitation and the token of its link, which is shown only now."""

    invitation: Invitation
    token: str


@transaction.atomic
def create_project(
    *,
    lead: User,
    name: str,
    preset: str,
    slug: str = "",
    pooling: str = Project.Pooling.NORMALIZED,
    cleaning: str = Project.Cleaning.NONE,
    description: str = "",
) -> Project:
    """Make a project with a ready-made protocol and `lead` as its lead.

    Raises `UnknownPreset` and `SlugTaken`.
    """
    found = find_preset(preset)
    if found is None:
        raise UnknownPreset(f"There is no protocol named “{preset}”.")
    project = Project(
        slug=slug or slugify(name)[:60] or new_public_id(),
        name=name,
        description=description,
        pooling=pooling,
        cleaning=cleaning,
        created_by=lead,
        created_at=now(),
    )
    _insert_project(project)
    set_protocol(project=project, spec=found.protocol.to_spec())
    add_member(project=project, user=lead, role=Membership.Role.LEAD)
    return project


def _insert_project(project: Project) -> None:
    if project.slug in RESERVED_SLUGS:
        raise SlugTaken(f"The address “{project.slug}” is Assay's own. Choose another.")
    try:
        with transaction.atomic():
            project.save(force_insert=True)
    except IntegrityError:
        raise SlugTaken(f"The address “{project.slug}” is taken. Choose another.") from None


@transaction.atomic
def set_protocol(*, project: Project, spec: dict[str, Any]) -> ProtocolVersion:
    """Make `spec` the project's protocol: in place until work starts, as a new version afterwards.

    Raises `UnusableProtocol`.
    """
    try:
        protocol = Protocol.from_spec(spec)
    except ProtocolError as error:
        raise UnusableProtocol(error.message, details={"fields": {error.field: [error.message]}}) from None
    _require_labels_in_use(project=project, protocol=protocol)
    changed = ProtocolVersion.objects.filter(current_project=project, frozen_at=None).update(
        spec=protocol.to_spec(), content_hash=protocol.content_hash
    )
    if not changed:
        return _add_version(project=project, protocol=protocol)
    project.protocol = ProtocolVersion.objects.get(current_project=project)
    return project.protocol


def _require_labels_in_use(*, project: Project, protocol: Protocol) -> None:
    """Refuse to drop a label under which work was handed out: votes with it must stay readable."""
    for version in project.protocol_versions.exclude(frozen_at=None):
        for label in version.rules.labels:
            if protocol.label(label.key) is None:
                message = f"Work was done with the label “{label.name}”, so it stays."
                raise UnusableProtocol(message, details={"fields": {"labels": [message]}})


def _add_version(*, project: Project, protocol: Protocol) -> ProtocolVersion:
    version = ProtocolVersion.objects.create(
        project=project,
        number=project.protocol_versions.count() + 1,
        spec=protocol.to_spec(),
        content_hash=protocol.content_hash,
        created_at=now(),
    )
    project.protocol = version
    project.save(update_fields=["protocol"])
    return version


def add_member(
    *, project: Project, user: User, role: str, group: str = "", at: datetime | None = None
) -> Membership:
    """Make `user` a member; somebody who is one keeps the role they have, and somebody who left is back."""
    at = at or now()
    taken = list(project.members.values_list("pseudonym", flat=True))
    membership, _ = Membership.objects.get_or_create(
        project=project,
        user=user,
        defaults={
            "role": role,
            "group": group,
            "pseudonym": pseudonym_for(chance=new_public_id(), taken=taken),
            "unblinded_at": at if role in UNBLINDED_ROLES else None,
            "joined_at": at,
        },
    )
    left = Membership.objects.filter(pk=membership.pk, state=Membership.State.LEFT)
    if left.update(state=Membership.State.ACTIVE):
        membership.refresh_from_db()
    return membership


@transaction.atomic
def change_member(
    *,
    project: Project,
    public_id: str,
    role: str | None = None,
    state: str | None = None,
    group: str | None = None,
) -> Membership:
    """Change a member's role, state or group of systems (empty: all); who was unblinded stays so.

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
    if membership.role in UNBLINDED_ROLES and membership.unblinded_at is None:
        membership.unblinded_at = now()
    membership.save(update_fields=["role", "state", "group", "unblinded_at"])
    if not project.members.filter(role=Membership.Role.LEAD, state=Membership.State.ACTIVE).exists():
        raise LastLead("A project needs at least one active lead. Make somebody else lead first.")
    return membership


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
        raise InvitationUnusable(unusable_reason(invitation) or "This invitation was just used.")
    return add_member(project=invitation.project, user=joining, role=invitation.role, group=invitation.group)


def unusable_reason(invitation: Invitation) -> str:
    """Return in words why a link no longer works, or nothing."""
    if invitation.revoked_at is not None:
        return "The lead has withdrawn this invitation."
    if invitation.accepted_at is not None:
        return "This invitation was used already. Sign in, or ask the lead for a new one."
    if invitation.expires_at <= now():
        return "This invitation has expired. Ask the lead for a new one."
    return ""


def set_cleaning(*, project: Project, cleaning: str) -> None:
    """Choose what is taken out of answers that come; raises `AnswersAreThere` once there are any."""
    if cleaning == project.cleaning:
        return
    # An import that is coming in reads its answers by the old choice.
    empty = Project.objects.filter(pk=project.pk, candidates=None).exclude(imports__state="applying")
    if not empty.update(cleaning=cleaning):
        raise AnswersAreThere(
            "This project has answers already. Undo their imports first, or make a new project."
        )
    project.cleaning = cleaning


def rename_project(*, project: Project, name: str | None = None, description: str | None = None) -> None:
    """Change what a project is called or how it is described; its address stays."""
    project.name = name or project.name
    project.description = project.description if description is None else description
    project.save(update_fields=["name", "description"])
