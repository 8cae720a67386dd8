"""Limits of organizations: nothing grows past one, whoever else is at it at the same time.

Whoever lets an organization grow holds its row until the transaction ends, so that of two at once the second
counts what the first wrote. A limit that is lower than what there is refuses growth, and takes nothing away.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import ClassVar

from annotation.projects import selectors
from annotation.projects.models import Organization
from annotation.projects.ports import answers_by_project
from common.errors import Conflict


class Resource(StrEnum):
    """What of an organization has a limit."""

    PROJECTS = "projects"
    ANSWERS = "answers"
    PEOPLE = "people"


class OrganizationLimitReached(Conflict):
    """An organization would have more than its limit allows."""

    resource: ClassVar[Resource]
    # What is counted, one and several; what makes room.
    words: ClassVar[tuple[str, str]]
    advice: ClassVar[str]

    def __init__(self, organization: Organization, *, limit: int, used: int, asked: int) -> None:
        one, several = self.words
        super().__init__(
            f"“{organization.name}” has a limit of {limit:,} {one if limit == 1 else several}. It already "
            f"has {used:,}, and this would add {asked:,}. {self.advice}, or ask the administrator of this "
            "server to raise the limit.",
            details={
                "organization": organization.name,
                "resource": self.resource.value,
                "limit": limit,
                "used": used,
                "asked": asked,
            },
        )


class ProjectLimitReached(OrganizationLimitReached):
    """An organization would have too many open projects."""

    resource = Resource.PROJECTS
    words = ("open project", "open projects")
    advice = "Archive one of its projects"


class AnswerLimitReached(OrganizationLimitReached):
    """An organization's projects would have too many answers."""

    resource = Resource.ANSWERS
    words = ("answer", "answers")
    advice = "Undo an import or delete a project"


class PeopleLimitReached(OrganizationLimitReached):
    """Too many people would be in an organization or take part in its projects."""

    resource = Resource.PEOPLE
    words = ("person", "people")
    advice = "Remove somebody who no longer takes part"


REFUSALS = {each.resource: each for each in (ProjectLimitReached, AnswerLimitReached, PeopleLimitReached)}


@contextmanager
def growing(organization_id: int | None, *resources: Resource) -> Iterator[None]:
    """Hold an organization while something is written, and see that it stays within its limits.

    In a transaction, after the project's row is locked. Raises `OrganizationLimitReached` where there is more
    of a resource than before, and more than its limit.
    """
    if organization_id is None:
        yield
        return
    organization = Organization.objects.locked(organization_id)
    limited = [each for each in resources if limit_of(organization, each) is not None]
    before = {each: count(organization, each) for each in limited}
    yield
    for resource in limited:
        _require_room(organization, resource, grown=count(organization, resource) - before[resource])


def require_room(*, organization_id: int | None, resource: Resource, grown: int) -> None:
    """Hold an organization after so much was written in the same transaction.

    Raises `OrganizationLimitReached`.
    """
    if organization_id is not None:
        _require_room(Organization.objects.locked(organization_id), resource, grown=grown)


def refuse_in_vain(*, organization_id: int | None, resource: Resource, asked: int) -> None:
    """Raise `OrganizationLimitReached` where so much more would not fit now; nothing is held or promised."""
    if organization_id is None:
        return
    organization = Organization.objects.get(pk=organization_id)
    limit = limit_of(organization, resource)
    if limit is not None and asked > 0 and (used := count(organization, resource)) + asked > limit:
        raise REFUSALS[resource](organization, limit=limit, used=used, asked=asked)


def _require_room(organization: Organization, resource: Resource, *, grown: int) -> None:
    limit = limit_of(organization, resource)
    if limit is None or grown <= 0:
        return
    if (total := count(organization, resource)) > limit:
        raise REFUSALS[resource](organization, limit=limit, used=total - grown, asked=grown)


def limit_of(organization: Organization, resource: Resource) -> int | None:
    """Return how much of a resource an organization may have; None: as much as it likes."""
    limits = {
        Resource.PROJECTS: organization.most_projects,
        Resource.ANSWERS: organization.most_answers,
        Resource.PEOPLE: organization.most_people,
    }
    return limits[resource]


def count(organization: Organization, resource: Resource) -> int:
    """Return how much of a resource an organization has."""
    if resource is Resource.PROJECTS:
        return selectors.open_projects(organization).count()
    if resource is Resource.PEOPLE:
        return selectors.count_people(organization)
    return sum(answers_by_project(organization=organization).values())
