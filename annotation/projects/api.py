"""HTTP for projects, protocols, members and invitations."""

from datetime import timedelta
from typing import Any, ClassVar, cast

from django.contrib.auth import login
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.accounts.models import User
from annotation.projects import selectors, services
from annotation.projects.models import Invitation, Membership, Project
from annotation.projects.presets import all_presets
from common.errors import Forbidden
from common.http import ErrorSerializer
from common.markdown import render_markdown

LEAD = Membership.Role.LEAD
ADJUDICATOR = Membership.Role.ADJUDICATOR
ANNOTATOR = Membership.Role.ANNOTATOR
EVERYBODY = frozenset({LEAD, ADJUDICATOR, ANNOTATOR})


class WrongRole(Forbidden):
    """A member, but not in a role that may do this."""

    code = "wrong_role"


class ProjectView(APIView):
    """A view below a project: finds the project and the member, and lets in only `allowed_roles`.

    Strangers get "not found", members in another role "forbidden". `write_roles` narrows everything
    but GET where it is given.
    """

    access = "signed_in"
    allowed_roles: ClassVar[frozenset[Membership.Role]]
    write_roles: ClassVar[frozenset[Membership.Role] | None] = None
    member: Membership
    project: Project

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the role before anything of the request is read."""
        super().initial(request, *args, **kwargs)
        self.member = selectors.get_membership(user=cast(User, request.user), slug=kwargs["slug"])
        self.project = self.member.project
        reading = request.method in {"GET", "HEAD", "OPTIONS"}
        roles = self.allowed_roles if reading or self.write_roles is None else self.write_roles
        if self.member.role not in roles:
            raise WrongRole("Your role in this project does not allow this.")


class PresetSerializer(serializers.Serializer[Any]):
    """A ready-made protocol."""

    key = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    spec = serializers.DictField(source="protocol.to_spec")


class PresetsView(APIView):
    """The ready-made protocols."""

    access = "signed_in"

    @extend_schema(operation_id="list_presets", responses=PresetSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the ready-made protocols."""
        return Response(PresetSerializer(all_presets(), many=True).data)


class ProjectListItemSerializer(serializers.Serializer[Any]):
    """A project in the list of one's projects."""

    slug = serializers.CharField(source="project.slug")
    name = serializers.CharField(source="project.name")
    description = serializers.CharField(source="project.description")
    state = serializers.ChoiceField(choices=Project.State.choices, source="project.state")
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class ProjectCreateSerializer(serializers.Serializer[Any]):
    """What a new project needs."""

    name = serializers.CharField(max_length=200)
    slug = serializers.SlugField(max_length=60, required=False, allow_blank=True, default="")
    preset = serializers.CharField(max_length=60)
    pooling = serializers.ChoiceField(choices=Project.Pooling.choices, default=Project.Pooling.NORMALIZED)
    description = serializers.CharField(required=False, allow_blank=True, default="")


class ProjectsView(APIView):
    """One's projects; a new one."""

    access = "signed_in"

    @extend_schema(operation_id="list_projects", responses=ProjectListItemSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the projects in which one is a member."""
        memberships = selectors.list_memberships(user=cast(User, request.user))
        return Response(ProjectListItemSerializer(memberships, many=True).data)

    @extend_schema(
        operation_id="create_project",
        request=ProjectCreateSerializer,
        responses={201: ProjectListItemSerializer, 400: ErrorSerializer, 409: ErrorSerializer},
    )
    def post(self, request: Request) -> Response:
        """Make a project and become its lead."""
        form = ProjectCreateSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        user = cast(User, request.user)
        project = services.create_project(lead=user, **form.validated_data)
        membership = selectors.get_membership(user=user, slug=project.slug)
        return Response(ProjectListItemSerializer(membership).data, status=201)


class LabelSerializer(serializers.Serializer[Any]):
    """A choice a rater has."""

    key = serializers.CharField()
    name = serializers.CharField()
    credit = serializers.CharField()


class ProjectDetailSerializer(serializers.Serializer[Any]):
    """A project as every member may see it."""

    slug = serializers.CharField(source="project.slug")
    name = serializers.CharField(source="project.name")
    description = serializers.CharField(source="project.description")
    state = serializers.ChoiceField(choices=Project.State.choices, source="project.state")
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    unblinded = serializers.SerializerMethodField()
    labels = LabelSerializer(many=True, source="project.protocol.rules.labels")
    gold_shown = serializers.BooleanField(source="project.protocol.rules.gold_shown")
    guidelines_html = serializers.SerializerMethodField()

    def get_unblinded(self, membership: Membership) -> bool:
        """Whether this member has seen what raters must not see."""
        return membership.unblinded_at is not None

    def get_guidelines_html(self, membership: Membership) -> str:
        """Return the guidelines as safe HTML."""
        protocol = membership.project.protocol
        return render_markdown(protocol.rules.guidelines) if protocol else ""


class ProjectChangeSerializer(serializers.Serializer[Any]):
    """What of a project can be changed at any time."""

    name = serializers.CharField(max_length=200, required=False)
    description = serializers.CharField(required=False, allow_blank=True)


class ProjectDetailView(ProjectView):
    """One project."""

    allowed_roles = EVERYBODY
    write_roles = frozenset({LEAD})

    @extend_schema(operation_id="get_project", responses=ProjectDetailSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the project with its labels and guidelines."""
        return Response(ProjectDetailSerializer(self.member).data)

    @extend_schema(
        operation_id="change_project", request=ProjectChangeSerializer, responses=ProjectDetailSerializer
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change name or description."""
        form = ProjectChangeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.rename_project(project=self.project, **form.validated_data)
        return Response(ProjectDetailSerializer(self.member).data)


class ProtocolSerializer(serializers.Serializer[Any]):
    """The whole protocol with its version."""

    number = serializers.IntegerField(read_only=True)
    content_hash = serializers.CharField(read_only=True)
    frozen_at = serializers.DateTimeField(read_only=True, allow_null=True)
    spec = serializers.DictField()


class ProtocolView(ProjectView):
    """The protocol, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="get_protocol", responses=ProtocolSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the protocol in force."""
        return Response(ProtocolSerializer(self.project.protocol).data)

    @extend_schema(
        operation_id="set_protocol",
        request=ProtocolSerializer,
        responses={200: ProtocolSerializer, 400: ErrorSerializer},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Put another protocol in force."""
        form = ProtocolSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        version = services.set_protocol(project=self.project, spec=form.validated_data["spec"])
        return Response(ProtocolSerializer(version).data)


class MemberSerializer(serializers.Serializer[Any]):
    """A member as leads see them."""

    public_id = serializers.CharField()
    name = serializers.CharField(source="user.name")
    username = serializers.CharField(source="user.username")
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    state = serializers.ChoiceField(choices=Membership.State.choices)
    pseudonym = serializers.CharField()
    is_imported = serializers.BooleanField(source="user.is_imported")
    judged_count = serializers.IntegerField(default=0)
    joined_at = serializers.DateTimeField()


class MemberChangeSerializer(serializers.Serializer[Any]):
    """What of a member can be changed."""

    role = serializers.ChoiceField(choices=Membership.Role.choices, required=False)
    state = serializers.ChoiceField(choices=Membership.State.choices, required=False)


class MembersView(ProjectView):
    """The members, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="list_members", responses=MemberSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the members."""
        return Response(MemberSerializer(selectors.list_members(project=self.project), many=True).data)


class MemberView(ProjectView):
    """One member, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="change_member",
        request=MemberChangeSerializer,
        responses={200: MemberSerializer, 404: ErrorSerializer, 409: ErrorSerializer},
    )
    def patch(self, request: Request, slug: str, member_id: str) -> Response:
        """Change role or state."""
        form = MemberChangeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.change_member(project=self.project, public_id=member_id, **form.validated_data)
        member = selectors.list_members(project=self.project).get(public_id=member_id)
        return Response(MemberSerializer(member).data)


class InvitationSerializer(serializers.Serializer[Any]):
    """An invitation as leads see it; the link is told only when it is made."""

    public_id = serializers.CharField()
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    label = serializers.CharField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    accepted_at = serializers.DateTimeField(allow_null=True)
    unusable_reason = serializers.SerializerMethodField()
    url_path = serializers.CharField(required=False, allow_null=True, default=None)

    def get_unusable_reason(self, invitation: Invitation) -> str:
        """Return why the link no longer works, or nothing."""
        return services.unusable_reason(invitation)


class InvitationCreateSerializer(serializers.Serializer[Any]):
    """What a new invitation needs."""

    role = serializers.ChoiceField(choices=Membership.Role.choices)
    label = serializers.CharField(max_length=150, required=False, allow_blank=True, default="")
    expires_in_days = serializers.IntegerField(min_value=1, max_value=90, default=14)


class InvitationsView(ProjectView):
    """The invitations, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="list_invitations", responses=InvitationSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the invitations."""
        invitations = selectors.list_invitations(project=self.project)
        return Response(InvitationSerializer(invitations, many=True).data)

    @extend_schema(
        operation_id="create_invitation",
        request=InvitationCreateSerializer,
        responses={201: InvitationSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a link for one person."""
        form = InvitationCreateSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = services.invite(
            project=self.project,
            by=cast(User, request.user),
            role=form.validated_data["role"],
            label=form.validated_data["label"],
            expires_in=timedelta(days=form.validated_data["expires_in_days"]),
        )
        body = InvitationSerializer(made.invitation).data
        return Response({**body, "url_path": f"/join/{made.token}"}, status=201)


class InvitationView(ProjectView):
    """One invitation, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="revoke_invitation", responses={204: None})
    def delete(self, request: Request, slug: str, invitation_id: str) -> Response:
        """Make the link useless."""
        services.revoke_invitation(project=self.project, public_id=invitation_id)
        return Response(status=204)


class InvitationByTokenSerializer(serializers.Serializer[Any]):
    """What somebody who holds the link may know before joining."""

    project_name = serializers.CharField(source="project.name")
    project_slug = serializers.CharField(source="project.slug")
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    expires_at = serializers.DateTimeField()
    unusable_reason = serializers.SerializerMethodField()

    def get_unusable_reason(self, invitation: Invitation) -> str:
        """Return why the link no longer works, or nothing."""
        return services.unusable_reason(invitation)


class InvitationByTokenView(APIView):
    """An invitation, for whoever holds its link."""

    access = "public"

    @extend_schema(
        operation_id="get_invitation",
        responses={200: InvitationByTokenSerializer, 404: ErrorSerializer},
    )
    def get(self, request: Request, token: str) -> Response:
        """Say what the link leads to."""
        return Response(InvitationByTokenSerializer(selectors.get_invitation(token=token)).data)


class InvitationAcceptSerializer(serializers.Serializer[Any]):
    """The new account; empty for somebody who is signed in."""

    username = serializers.CharField(max_length=150, required=False, allow_blank=True, default="")
    name = serializers.CharField(max_length=150, required=False, allow_blank=True, default="")
    password = serializers.CharField(
        max_length=200, required=False, allow_blank=True, default="", trim_whitespace=False
    )


class JoinedSerializer(serializers.Serializer[Any]):
    """Where somebody who joined goes next."""

    project_slug = serializers.CharField(source="project.slug")
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class InvitationAcceptView(APIView):
    """Joining by link."""

    access = "public"

    @extend_schema(
        operation_id="accept_invitation",
        request=InvitationAcceptSerializer,
        responses={200: JoinedSerializer, 400: ErrorSerializer, 404: ErrorSerializer, 409: ErrorSerializer},
    )
    def post(self, request: Request, token: str) -> Response:
        """Join, making an account where nobody is signed in, and be signed in."""
        form = InvitationAcceptSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        user = cast(User, request.user) if request.user.is_authenticated else None
        member = services.accept_invitation(token=token, user=user, **form.validated_data)
        if user is None:
            login(request._request, member.user, backend="django.contrib.auth.backends.ModelBackend")
        return Response(JoinedSerializer(member).data)
