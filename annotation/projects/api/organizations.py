"""HTTP for organizations: which one is in; for owners what is used, and who is in it; whose a project is."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.api import UserView
from annotation.accounts.guessing import counted_try
from annotation.projects import selectors
from annotation.projects.api.access import LeadView
from annotation.projects.models import Organization, OrganizationMember
from annotation.projects.ports import MonthlySpending
from annotation.projects.selectors import (
    OrganizationPerson,
    OrganizationPlace,
    OrganizationProject,
    ProjectOrganization,
)
from annotation.projects.services import organizations
from annotation.projects.services.limits import Resource, count, limit_of
from common.errors import Forbidden
from common.web.replies import operation, reply

Role = OrganizationMember.Role


class NotOwner(Forbidden):
    """In the organization, but not as an owner."""


class OrganizationsView(UserView):
    """The organizations that one is in."""

    access = "signed_in"

    @operation("list_organizations", gives=list[OrganizationPlace])
    def get(self, request: Request) -> Response:
        """List the organizations that the caller is in."""
        return reply(
            [selectors.describe_place(each) for each in selectors.list_organizations(user=self.user)]
        )


class OwnerView(UserView):
    """A view of one organization: strangers get "not found", members who are no owners "forbidden"."""

    access = "signed_in"
    write_scope = "manage"
    organization: Organization

    def require_access(self, request: Request, **kwargs: Any) -> None:
        """Check the place in the organization."""
        place = selectors.get_organization(user=self.user, slug=kwargs["organization"])
        self.organization = place.organization
        if place.role != Role.OWNER and not self.is_open_to(place, **kwargs):
            raise NotOwner("Only owners of this organization can do this.")

    def is_open_to(self, place: OrganizationMember, **_: Any) -> bool:
        """Whether somebody is let in who is no owner."""
        return False


@dataclass(frozen=True)
class ResourceUse:
    """How much of a resource an organization has, and how much it may have.

    `limit`: null if there is no limit.
    """

    resource: Resource
    used: int
    limit: int | None


@dataclass(frozen=True)
class OrganizationReport:
    """An organization as its owners see it."""

    slug: str
    name: str
    uses: list[ResourceUse]
    spending: MonthlySpending
    people: list[OrganizationPerson]
    projects: list[OrganizationProject]


class OrganizationView(OwnerView):
    """One organization, for its owners."""

    @operation("get_organization", gives=OrganizationReport)
    def get(self, request: Request, organization: str) -> Response:
        """Return the organization’s people, the names of its projects, and how much of each limit it uses."""
        found = self.organization
        return reply(
            OrganizationReport(
                slug=found.slug,
                name=found.name,
                uses=[ResourceUse(each, count(found, each), limit_of(found, each)) for each in Resource],
                spending=selectors.monthly_spending(found),
                people=selectors.list_organization_people(found),
                projects=selectors.list_organization_projects(found),
            )
        )


class OrganizationPersonAddSerializer(serializers.Serializer[Any]):
    """The account to add, by its username, and its role."""

    username = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(choices=Role.choices)


class OrganizationPersonChangeSerializer(serializers.Serializer[Any]):
    """The fields of a person in an organization that can be changed."""

    role = serializers.ChoiceField(choices=Role.choices)


class OrganizationPeopleView(OwnerView):
    """Adding people."""

    @operation(
        "add_organization_person",
        takes=OrganizationPersonAddSerializer,
        gives=OrganizationPerson,
        status=201,
    )
    def post(self, request: Request, organization: str) -> Response:
        """Add an account by its username; this does not give it access to any project."""
        form = self.read(OrganizationPersonAddSerializer)
        # An owner learns which usernames there are, but not of many.
        account = f"organization {self.organization.slug}"
        wrong = (organizations.UnknownUsername,)
        with counted_try(request=request._request, account=account, wrong=wrong):
            member = organizations.add_organization_member(organization=self.organization, **form)
        return reply(selectors.describe_person(member), status=201)


class OrganizationPersonView(OwnerView):
    """One person in an organization; everybody may take themselves out."""

    def is_open_to(self, place: OrganizationMember, **kwargs: Any) -> bool:
        """Let somebody leave."""
        return self.request.method == "DELETE" and kwargs["member_id"] == place.public_id

    @operation(
        "change_organization_person",
        takes=OrganizationPersonChangeSerializer,
        gives=OrganizationPerson,
        errors=(409,),
    )
    def patch(self, request: Request, organization: str, member_id: str) -> Response:
        """Change the person’s role."""
        form = self.read(OrganizationPersonChangeSerializer)
        member = organizations.change_organization_member(
            organization=self.organization, public_id=member_id, **form
        )
        return reply(selectors.describe_person(member))

    @operation("remove_organization_person", status=204, errors=(409,))
    def delete(self, request: Request, organization: str, member_id: str) -> Response:
        """Remove the person, who may be the caller, from the organization; roles in projects stay."""
        organizations.remove_organization_member(
            organization=self.organization, public_id=member_id, by=self.user
        )
        return Response(status=204)


class ProjectOrganizationSerializer(serializers.Serializer[Any]):
    """The organization to move the project into; empty to move it out of its organization."""

    organization = serializers.CharField(max_length=60, allow_blank=True)


class ProjectOrganizationView(LeadView):
    """Which organization a project is in."""

    write_scope = "manage"

    @operation("get_project_organization", gives=ProjectOrganization)
    def get(self, request: Request, slug: str) -> Response:
        """Return the project’s organization, and those that the caller may move it into."""
        return reply(selectors.organization_of(project=self.project, user=self.user))

    @operation(
        "move_project",
        takes=ProjectOrganizationSerializer,
        gives=ProjectOrganization,
    )
    def put(self, request: Request, slug: str) -> Response:
        """Move the project into an organization, or out of the one it is in."""
        form = self.read(ProjectOrganizationSerializer)
        organizations.move_project(project=self.project, by=self.user, slug=form["organization"])
        return reply(selectors.organization_of(project=self.project, user=self.user))
