"""HTTP for members."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects import selectors, services
from annotation.projects.api.access import EVERYBODY, LEAD, ProjectView
from annotation.projects.models import Membership
from common.web.replies import operation


class MemberSerializer(serializers.Serializer[Any]):
    """A member as leads see them."""

    public_id = serializers.CharField()
    name = serializers.CharField(source="user.name")
    username = serializers.CharField(source="user.username")
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    state = serializers.ChoiceField(choices=Membership.State.choices)
    pseudonym = serializers.CharField()
    group = serializers.CharField(allow_blank=True)
    is_imported = serializers.BooleanField(source="user.is_imported")
    judged_count = serializers.IntegerField(default=0)
    joined_at = serializers.DateTimeField()
    unblinded = serializers.SerializerMethodField()

    def get_unblinded(self, membership: Membership) -> bool:
        """Whether this member has seen what raters must not see."""
        return membership.unblinded_at is not None


class MemberChangeSerializer(serializers.Serializer[Any]):
    """What of a member can be changed."""

    role = serializers.ChoiceField(choices=Membership.Role.choices, required=False)
    state = serializers.ChoiceField(choices=Membership.State.choices, required=False)
    group = serializers.CharField(max_length=60, required=False, allow_blank=True)


class MembersView(ProjectView):
    """The members, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation("list_members", gives=MemberSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the members."""
        return Response(MemberSerializer(selectors.list_members(project=self.project), many=True).data)


class MemberView(ProjectView):
    """One member, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation("change_member", takes=MemberChangeSerializer, gives=MemberSerializer, errors=(404, 409))
    def patch(self, request: Request, slug: str, member_id: str) -> Response:
        """Change role, state or group of systems."""
        form = self.read(MemberChangeSerializer)
        services.change_member(project=self.project, public_id=member_id, **form)
        member = selectors.list_members(project=self.project).get(public_id=member_id)
        return Response(MemberSerializer(member).data)


class LeaveView(ProjectView):
    """Leaving, for every member."""

    allowed_roles = EVERYBODY
    works_archived = True

    @operation("leave_project", status=204, errors=(409,))
    def post(self, request: Request, slug: str) -> Response:
        """Take no more part; one's votes stay."""
        services.leave_project(membership=self.member)
        return Response(status=204)
