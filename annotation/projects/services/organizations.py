"""Make organizations, set their limits, and change who is in them."""

import unicodedata
from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from annotation.accounts.models import User
from annotation.projects.models import Organization, OrganizationMember, Project
from annotation.projects.selectors import get_organization
from annotation.projects.services.limits import Resource, growing
from common.clock import now
from common.errors import Conflict, Forbidden, Invalid, NotFound

OWNER = OrganizationMember.Role.OWNER
# Control characters, halves of others, and line breaks; spaces and joiners of any script are text.
NO_TEXT = {"Cc", "Cs", "Zl", "Zp"}


class OrganizationSlugTaken(Conflict):
    """Another organization has this short name."""


class UnusableOrganizationSlug(Invalid):
    """A short name consists of letters, digits, hyphens and underscores."""


class UnusableOrganizationName(Invalid):
    """A name has between 1 and 200 characters."""


class OrganizationHasProjects(Conflict):
    """An organization is deleted once no project is in it."""


class UnknownUsername(Invalid):
    """Nobody who can sign in has this username."""

    def __init__(self, username: str) -> None:
        reason = f"The account “{username}” does not exist. Ask the person for their exact username."
        super().__init__(reason, details={"fields": {"username": [reason]}})


class OrganizationMemberNotFound(NotFound):
    """The organization has no such member."""


class AlreadyInOrganization(Conflict):
    """The account is a member; its role is changed where members are listed."""


class NotInOrganization(Forbidden):
    """Only who is in an organization takes a project out of it."""


class ProjectImports(Conflict):
    """An import counts against the organization in which it began."""


class LastOwner(Conflict):
    """An organization keeps at least one owner."""


@transaction.atomic
def create_organization(
    *, slug: str, owner: User, name: str = "", limits: Mapping[str, int | None] | None = None
) -> Organization:
    """Make an organization with its first owner; limits: by the names of its fields.

    Raises `UnusableOrganizationSlug`, `UnusableOrganizationName` and `OrganizationSlugTaken`.
    """
    _require_slug(slug)
    made = Organization(slug=slug, name=_usable_name(name or slug), created_at=now(), **(limits or {}))
    try:
        with transaction.atomic():
            made.save(force_insert=True)
    except IntegrityError:
        raise OrganizationSlugTaken(
            f"The short name “{slug}” belongs to another organization. Choose another."
        ) from None
    make_owner(organization=made, user=owner)
    return made


def _require_slug(slug: str) -> None:
    try:
        Organization._meta.get_field("slug").clean(slug, None)
    except ValidationError:
        raise UnusableOrganizationSlug(
            f"“{slug[:60]}” cannot be a short name. Use up to 60 letters, digits, hyphens, and underscores."
        ) from None


def _usable_name(name: str) -> str:
    """Return the name without spaces around it. Raises `UnusableOrganizationName`."""
    try:
        usable: str = Organization._meta.get_field("name").clean(name.strip(), None)
    except ValidationError:
        raise UnusableOrganizationName("A name must have 1 to 200 characters.") from None
    if any(unicodedata.category(letter) in NO_TEXT for letter in usable):
        raise UnusableOrganizationName("A name cannot contain line breaks or control characters.")
    return usable


@transaction.atomic
def delete_organization(*, organization: Organization) -> None:
    """Delete it with its members' places and what it spent. Raises `OrganizationHasProjects`."""
    locked = Organization.objects.locked(organization.pk)
    slugs = list(locked.projects.filter(deleted_at=None).order_by("slug").values_list("slug", flat=True))
    if not slugs and locked.projects.exists():
        raise OrganizationHasProjects("One of its projects is still being deleted. Try again in a minute.")
    if slugs:
        raise OrganizationHasProjects(
            f"{len(slugs):,} {'project is' if len(slugs) == 1 else 'projects are'} in “{locked.name}”: "
            f"{', '.join(slugs[:5])}{', …' if len(slugs) > 5 else ''}. Move or delete them first."
        )
    locked.delete()


@transaction.atomic
def change_organization(
    *, organization: Organization, name: str = "", limits: Mapping[str, int | None] | None = None
) -> Organization:
    """Change its name or limits. What exceeds a new limit stays; it only grows no further.

    Raises `UnusableOrganizationName`.
    """
    locked = Organization.objects.locked(organization.pk)
    for field, value in {**({"name": _usable_name(name)} if name else {}), **(limits or {})}.items():
        setattr(locked, field, value)
    locked.save()
    return locked


@transaction.atomic
def make_owner(*, organization: Organization, user: User) -> None:
    """Make an account an owner, whether it is a member or not; limits do not hold for the administrator."""
    Organization.objects.locked(organization.pk)
    OrganizationMember.objects.update_or_create(
        organization=organization,
        user=user,
        defaults={"role": OWNER},
        create_defaults={"role": OWNER, "joined_at": now()},
    )


@transaction.atomic
def add_organization_member(*, organization: Organization, username: str, role: str) -> OrganizationMember:
    """Add an account by its username.

    Raises `UnknownUsername`, `AlreadyInOrganization`, `OrganizationLimitReached`.
    """
    user = User.objects.filter(username=username, is_active=True, is_imported=False).first()
    if user is None:
        raise UnknownUsername(username)
    with growing(organization.pk, Resource.PEOPLE):
        member, is_new = OrganizationMember.objects.get_or_create(
            organization=organization, user=user, defaults={"role": role, "joined_at": now()}
        )
    if not is_new:
        raise AlreadyInOrganization(f"“{username}” is already in “{organization.name}.”")
    return member


@transaction.atomic
def change_organization_member(
    *, organization: Organization, public_id: str, role: str
) -> OrganizationMember:
    """Change a member's role. Raises `OrganizationMemberNotFound`, `LastOwner`."""
    Organization.objects.locked(organization.pk)
    member = _find_member(organization, public_id)
    member.role = role
    member.save(update_fields=["role"])
    _require_owner(organization)
    return member


@transaction.atomic
def remove_organization_member(*, organization: Organization, public_id: str, by: User) -> None:
    """Take somebody out; their places in projects stay. Raises as `change_organization_member` does.

    Whoever is left alone may go: others can make somebody an owner who never agreed to it. Of two owners who
    remove each other at once, one stays. The administrator can name an owner at any time.
    """
    Organization.objects.locked(organization.pk)
    member = _find_member(organization, public_id)
    member.delete()
    if member.user_id != by.pk or organization.members.exists():
        _require_owner(organization)


@transaction.atomic
def leave_all_organizations(*, user: User) -> None:
    """Take somebody out of every organization. Raises `LastOwner`."""
    members: QuerySet[OrganizationMember] = user.organizations.select_related("organization")
    for member in members.order_by("organization"):
        remove_organization_member(organization=member.organization, public_id=member.public_id, by=user)


@transaction.atomic
def move_project(*, project: Project, by: User, slug: str) -> None:
    """Put a project into an organization that the person is in, or into none where the slug is empty.

    Raises `OrganizationNotFound`, `NotInOrganization`, `ProjectImports` and `OrganizationLimitReached`.
    """
    locked = Project.objects.locked(project.pk)
    target = get_organization(user=by, slug=slug).organization if slug else None
    if locked.organization == target:
        return
    if locked.organization is not None and not locked.organization.members.filter(user=by).exists():
        raise NotInOrganization(
            f"Only people in “{locked.organization.name}” can move its projects. Ask one of them to make you "
            "a member."
        )
    # Whoever confirms an import holds the project's row, too.
    if Project.objects.filter(pk=project.pk, imports__state="applying").exists():
        raise ProjectImports("An import into this project is running. Move the project when it is done.")
    with growing(target.pk if target else None, *Resource):
        Project.objects.filter(pk=project.pk).update(organization=target)
    project.organization = target


def _find_member(organization: Organization, public_id: str) -> OrganizationMember:
    member = organization.members.select_related("user").filter(public_id=public_id).first()
    if member is None:
        raise OrganizationMemberNotFound("This organization has no such member.")
    return member


def _require_owner(organization: Organization) -> None:
    if not organization.members.filter(role=OWNER).exists():
        raise LastOwner(
            f"The organization “{organization.name}” needs at least one owner. Make somebody else an owner "
            "first."
        )
