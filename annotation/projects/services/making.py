"""Make projects and change what they are called and how their answers come in."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from annotation.accounts.models import User
from annotation.projects.models import Membership, Organization, OrganizationMember, Project
from annotation.projects.presets import find_preset
from annotation.projects.rules import RESERVED_SLUGS, TieBreak
from annotation.projects.services.limits import Resource, growing, require_room
from annotation.projects.services.members import add_member, note_opening
from annotation.projects.services.protocols import set_protocol
from common.clock import now
from common.errors import Conflict, Forbidden, Invalid
from common.identifiers import new_public_id


class SlugTaken(Conflict):
    """Another project has this address."""


class UnusableSlug(Invalid):
    """An address of a project consists of letters, digits, hyphens and underscores."""


class MayNotCreateProjects(Forbidden):
    """The operator has not granted this person to make projects."""


class UnknownPreset(Invalid):
    """There is no preset of this name."""


class AnswersAreThere(Conflict):
    """The project has answers, which were pooled and perhaps judged as they are."""


def require_creator(*, user: User) -> None:
    """Raise `MayNotCreateProjects` unless this person may make projects here."""
    if not user.may_create_projects:
        raise MayNotCreateProjects(
            "You need permission to create projects. Ask the administrator of this server."
        )


@transaction.atomic
def create_project(
    *,
    lead: User,
    name: str,
    preset: str,
    tie_break: TieBreak | None = None,
    slug: str = "",
    pooling: str = Project.Pooling.NORMALIZED,
    cleaning: str = Project.Cleaning.NONE,
    description: str = "",
    organization: Organization | None = None,
    tells_taken: bool = True,
) -> Project:
    """Make a project with a ready-made protocol, by `tie_break` if given, and `lead` as its lead.

    Raises `UnknownPreset`, `SlugTaken` and `OrganizationLimitReached`; without `tells_taken` the address of
    somebody else's project is not said to be taken, and the new one gets an ending by chance.
    """
    found = find_preset(preset)
    if found is None:
        raise UnknownPreset(f"The protocol “{preset}” does not exist.")
    project = Project(
        name=name,
        slug=slug,
        description=description,
        pooling=pooling,
        cleaning=cleaning,
        organization=organization,
    )
    protocol = replace(found.protocol, tie_break=tie_break) if tie_break else found.protocol
    return _begin(project, lead=lead, spec=protocol.to_spec(), tells_taken=tells_taken)


def _begin(project: Project, *, lead: User, spec: dict[str, Any], tells_taken: bool) -> Project:
    project.slug = project.slug or slugify(project.name)[:60] or new_public_id()
    project.created_by = lead
    project.created_at = now()
    insert_project(project, tells_taken=tells_taken)
    set_protocol(project=project, spec=spec)
    require_room(organization_id=project.organization_id, resource=Resource.PROJECTS, grown=1)
    with growing(project.organization_id, Resource.PEOPLE):
        member = add_member(project=project, user=lead, role=Membership.Role.LEAD)
    # Whoever makes a project has its files.
    note_opening(member=member)
    return project


# Enough: an ending is one of almost a million.
MOST_ENDINGS = 20


def require_slug(slug: str) -> None:
    """Raise `UnusableSlug` unless a project may have this address."""
    try:
        Project._meta.get_field("slug").clean(slug, None)
    except ValidationError:
        raise UnusableSlug(
            f"“{slug[:60]}” cannot be an address. Use up to 60 letters, digits, hyphens, and underscores."
        ) from None


def insert_project(project: Project, *, tells_taken: bool) -> None:
    """Store a new project, whose creator is told of taken addresses as `create_project` says."""
    require_slug(project.slug)
    if project.slug in RESERVED_SLUGS:
        raise SlugTaken(f"The address “{project.slug}” is reserved. Choose another.")
    wanted = project.slug
    for _ in range(MOST_ENDINGS):
        if _is_inserted(project):
            return
        members = Membership.objects.filter(project__slug=wanted, user=project.created_by)
        if tells_taken or members.exclude(state=Membership.State.LEFT).exists():
            break
        project.slug = f"{wanted[:55]}-{new_public_id()[:4]}"
    raise SlugTaken(f"The address “{wanted}” is taken. Choose another.")


def _is_inserted(project: Project) -> bool:
    try:
        with transaction.atomic():
            project.save(force_insert=True)
    except IntegrityError:
        # Anything else that the database refuses it would refuse under any address.
        if Project._base_manager.filter(slug=project.slug).exists():
            return False
        raise
    return True


def set_cleaning(*, project: Project, cleaning: str) -> None:
    """Choose what is taken out of answers that come; raises `AnswersAreThere` once there are any."""
    if cleaning == project.cleaning:
        return
    # An import that is coming in reads its answers by the old choice.
    empty = Project.objects.filter(pk=project.pk, candidates=None).exclude(
        imports__state__in=["applying", "undoing"]
    )
    if not empty.update(cleaning=cleaning):
        raise AnswersAreThere(
            "This project already has answers. Undo their imports first, or create a new project."
        )
    project.cleaning = cleaning


def rename_project(*, project: Project, name: str | None = None, description: str | None = None) -> None:
    """Change what a project is called or how it is described; its address stays."""
    project.name = name or project.name
    project.description = project.description if description is None else description
    project.save(update_fields=["name", "description"])


@transaction.atomic
def set_state(*, project: Project, state: str, at: datetime | None = None) -> None:
    """Archive a project, where nothing is written any more, or open it again.

    Raises `OrganizationLimitReached` where it would be one too many.
    """
    is_archived = state == Project.State.ARCHIVED
    organization_id = Project.objects.locked(project.pk).organization_id
    with growing(None if is_archived else organization_id, Resource.PROJECTS, Resource.PEOPLE):
        changed = Project.objects.filter(pk=project.pk).exclude(state=state)
        changed.update(state=state, archived_at=(at or now()) if is_archived else None)
    project.refresh_from_db(fields=["state", "archived_at"])


@transaction.atomic
def copy_project(
    *, project: Project, lead: User, name: str, slug: str = "", tells_taken: bool = True
) -> Project:
    """Make a new project that takes over how this one is judged, and nothing of what is in it.

    It is in the same organization if `lead` is. Raises `SlugTaken` and `OrganizationLimitReached`, as
    `create_project` does.
    """
    in_it = OrganizationMember.objects.filter(user=lead, organization=project.organization_id)
    copied = Project(
        name=name,
        slug=slug,
        description=project.description,
        pooling=project.pooling,
        cleaning=project.cleaning,
        organization_id=project.organization_id if in_it.exists() else None,
    )
    spec = project.protocol_versions.latest("number").spec
    return _begin(copied, lead=lead, spec=spec, tells_taken=tells_taken)
