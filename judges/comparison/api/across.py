"""HTTP for several projects in one table."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.api import UserView
from annotation.accounts.models import User
from annotation.projects.api.access import AdjudicatorAndViewerView, WrongRole
from annotation.projects.models import Project
from annotation.projects.selectors import get_membership
from annotation.projects.services.members import note_opening
from common.web.replies import operation, reply
from judges.comparison.rules.across import MOST_PROJECTS
from judges.comparison.selectors.across import Comparison, read_across


class ComparisonQuerySerializer(serializers.Serializer[Any]):
    """Which projects are compared: their short names, a comma between them."""

    projects = serializers.CharField(max_length=MOST_PROJECTS * 61)

    def validate_projects(self, text: str) -> list[str]:
        """Return each name once, in the order given."""
        slugs = list(dict.fromkeys(slug.strip() for slug in text.split(",") if slug.strip()))
        if not 1 <= len(slugs) <= MOST_PROJECTS:
            raise serializers.ValidationError(f"Choose 1 to {MOST_PROJECTS} projects.")
        return slugs


class ComparisonView(UserView):
    """Several projects in one table, for whoever may see the scores of each."""

    access = "signed_in"

    @operation("compare_projects", query=[ComparisonQuerySerializer], gives=Comparison, errors=(404,))
    def get(self, request: Request) -> Response:
        """Compare the scores of several projects; projects that the caller may not open count as not
        found."""
        slugs = self.read_query(ComparisonQuerySerializer)["projects"]
        return reply(read_across(projects=[_readable(self.user, slug) for slug in slugs]))


def _readable(user: User, slug: str) -> Project:
    member = get_membership(user=user, slug=slug)
    if member.role not in AdjudicatorAndViewerView.allowed_roles:
        raise WrongRole("Your role in this project does not allow this.")
    note_opening(member=member)
    return member.project
