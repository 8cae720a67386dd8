"""HTTP for members and invitations."""

from contextlib import nullcontext
from datetime import timedelta
from typing import Any

from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.guessing import counted_try, remember_device
from annotation.accounts.models import LONGEST_ADDRESS, OutgoingMail
from annotation.accounts.services import NameTaken, begin_session
from annotation.projects import selectors
from annotation.projects.api.access import EVERYBODY, LeadView, ProjectView
from annotation.projects.models import Invitation, Membership
from annotation.projects.services import members
from common.web.replies import View, operation


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
        """Whether this member has seen what annotators must not see."""
        return membership.unblinded_at is not None


class MemberChangeSerializer(serializers.Serializer[Any]):
    """The fields of a member that can be changed."""

    role = serializers.ChoiceField(choices=Membership.Role.choices, required=False)
    state = serializers.ChoiceField(choices=Membership.State.choices, required=False)
    group = serializers.CharField(max_length=60, required=False, allow_blank=True)


class MembersView(LeadView):
    """The members, for leads."""

    write_scope = "manage"

    @operation("list_members", gives=MemberSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the members."""
        return Response(MemberSerializer(selectors.list_members(project=self.project), many=True).data)


class MemberView(LeadView):
    """One member, for leads."""

    write_scope = "manage"

    @operation("change_member", takes=MemberChangeSerializer, gives=MemberSerializer)
    def patch(self, request: Request, slug: str, member_id: str) -> Response:
        """Change the member’s role, state, or group of systems."""
        members.change_member(project=self.project, public_id=member_id, **self.read(MemberChangeSerializer))
        member = selectors.list_members(project=self.project).get(public_id=member_id)
        return Response(MemberSerializer(member).data)


class LeaveView(ProjectView):
    """Leaving, for every member."""

    allowed_roles = EVERYBODY
    write_roles = EVERYBODY
    works_archived = True
    write_scope = "manage"

    @operation("leave_project", status=204)
    def post(self, request: Request, slug: str) -> Response:
        """Leave the project; the caller’s votes stay."""
        members.leave_project(membership=self.member)
        return Response(status=204)


class InvitationSerializer(serializers.Serializer[Any]):
    """An invitation as leads see it; the link is shown only when the invitation is created."""

    public_id = serializers.CharField()
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    label = serializers.CharField()  # type: ignore[assignment]
    group = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    accepted_at = serializers.DateTimeField(allow_null=True)
    unusable_reason = serializers.SerializerMethodField()
    url_path = serializers.CharField(required=False, allow_null=True, default=None)
    email_state = serializers.ChoiceField(
        choices=OutgoingMail.State.choices,
        required=False,
        allow_null=True,
        default=None,
        help_text="The state of the email that contains the link; kept for a week; null if there is none.",
    )

    def get_unusable_reason(self, invitation: Invitation) -> members.UnusableReason:
        """Return why the link no longer works, or an empty string if it still works."""
        # Not asked of one that was just made.
        return members.unusable_reason(invitation, is_open=getattr(invitation, "is_open", True))


class InvitationCreateSerializer(serializers.Serializer[Any]):
    """An invitation to create."""

    role = serializers.ChoiceField(choices=Membership.Role.choices)
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=150, required=False, allow_blank=True, default=""
    )
    group = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    expires_in_days = serializers.IntegerField(min_value=1, max_value=90, default=14)
    email = serializers.CharField(
        max_length=LONGEST_ADDRESS,
        required=False,
        allow_blank=True,
        default="",
        help_text="Email address to send the link to. The reply also contains the link.",
    )


class InvitationChangeSerializer(serializers.Serializer[Any]):
    """The fields of an invitation that can be changed."""

    label = serializers.CharField(max_length=150)  # type: ignore[assignment]


class InvitationsView(LeadView):
    """The invitations, for leads."""

    write_scope = "manage"

    @operation("list_invitations", gives=InvitationSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the invitations."""
        invitations = selectors.list_invitations(project=self.project)
        return Response(InvitationSerializer(invitations, many=True).data)

    @operation(
        "create_invitation",
        takes=InvitationCreateSerializer,
        gives=InvitationSerializer,
        status=201,
        is_whole=True,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a link for one person."""
        form = self.read(InvitationCreateSerializer)
        made = members.invite(
            project=self.project,
            by=self.user,
            role=form["role"],
            label=form["label"],
            group=form["group"],
            expires_in=timedelta(days=form["expires_in_days"]),
            email=form["email"],
        )
        body = InvitationSerializer(made.invitation).data
        return Response({**body, "url_path": f"/join/{made.token}"}, status=201)


class InvitationView(LeadView):
    """One invitation, for leads."""

    write_scope = "manage"

    @operation("rename_invitation", takes=InvitationChangeSerializer, gives=InvitationSerializer)
    def patch(self, request: Request, slug: str, invitation_id: str) -> Response:
        """Rename the link, if it still works; only leads see its name."""
        form = self.read(InvitationChangeSerializer)
        members.rename_invitation(project=self.project, public_id=invitation_id, label=form["label"])
        invitation = selectors.list_invitations(project=self.project).get(public_id=invitation_id)
        return Response(InvitationSerializer(invitation).data)

    @operation("revoke_invitation", status=204)
    def delete(self, request: Request, slug: str, invitation_id: str) -> Response:
        """Revoke the link."""
        members.revoke_invitation(project=self.project, public_id=invitation_id)
        return Response(status=204)


class InvitationByTokenSerializer(serializers.Serializer[Any]):
    """An invitation as shown to anyone with its link."""

    project_name = serializers.CharField(source="project.name")
    project_slug = serializers.CharField(source="project.slug")
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    expires_at = serializers.DateTimeField()


class InvitationByTokenView(View):
    """An invitation, for whoever holds its link."""

    access = "public"
    takes_tokens = False

    @operation("get_invitation", gives=InvitationByTokenSerializer)
    def get(self, request: Request, token: str) -> Response:
        """Describe the invitation behind a link; links that no longer work reveal nothing."""
        return Response(InvitationByTokenSerializer(selectors.get_invitation(token=token)).data)


class InvitationAcceptSerializer(serializers.Serializer[Any]):
    """The new account; leave all fields empty if the caller is signed in."""

    username = serializers.CharField(max_length=150, required=False, allow_blank=True, default="")
    name = serializers.CharField(max_length=150, required=False, allow_blank=True, default="")
    password = serializers.CharField(
        max_length=200, required=False, allow_blank=True, default="", trim_whitespace=False
    )


class JoinedSerializer(serializers.Serializer[Any]):
    """The project that the person joined, and the person’s role in it."""

    project_slug = serializers.CharField(source="project.slug")
    role = serializers.ChoiceField(choices=Membership.Role.choices)


@method_decorator(csrf_protect, name="dispatch")
class InvitationAcceptView(View):
    """Joining by link; it signs in, so it must not be done on somebody's behalf by another site."""

    access = "public"
    takes_tokens = False

    @operation(
        "accept_invitation",
        takes=InvitationAcceptSerializer,
        gives=JoinedSerializer,
        errors=(409,),
        takes_key=False,
    )
    def post(self, request: Request, token: str) -> Response:
        """Join the project; if nobody is signed in, this creates an account and signs in."""
        # Before anything of the request is read: a link that lets nobody in answers all with the same.
        selectors.get_invitation(token=token)
        form = self.read(InvitationAcceptSerializer)
        user = request.user if request.user.is_authenticated else None
        # Whoever holds the link learns which user names are taken, but not of many.
        counted = counted_try(request=request._request, account=f"link {token}", wrong=(NameTaken,))
        with nullcontext() if user else counted:
            member = members.accept_invitation(token=token, user=user, **form)
        if user is None:
            begin_session(request=request._request, user=member.user)
        response = Response(JoinedSerializer(member).data)
        remember_device(response, request=request._request, user=member.user)
        return response
