"""HTTP for projects, their protocols and guidelines."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.api import UserView
from annotation.projects import selectors
from annotation.projects.api.access import EVERYBODY, LEAD, AnnotatorView, LeadView, ProjectView
from annotation.projects.models import Membership, Project
from annotation.projects.presets import all_presets
from annotation.projects.rules import LONGEST_GUIDELINES, Choice, Difference, Line, Protocol, TieBreak
from annotation.projects.selectors import ProtocolStep, Reader
from annotation.projects.services import making, protocols
from common.web.markdown import render_markdown
from common.web.replies import View, choice_of, operation, reply, reply_of

# As pages know them.
reply_of(Line, "GuidelineLine")
reply_of(Difference, "ProtocolDifference")


class PresetSerializer(serializers.Serializer[Any]):
    """A preset: a built-in protocol."""

    key = serializers.CharField()
    name = serializers.CharField()
    goal = serializers.CharField()
    summary = serializers.CharField()
    details = serializers.CharField()
    is_recommended = serializers.BooleanField()
    spec = reply_of(Protocol, "ProtocolSpec")(source="protocol")


class PresetsView(View):
    """The ready-made protocols."""

    access = "signed_in"
    serves_project_tokens = True

    @operation("list_presets", gives=PresetSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the presets."""
        return Response(PresetSerializer(all_presets(), many=True).data)


class ProjectListItemSerializer(serializers.Serializer[Any]):
    """A project in the caller’s list.

    For annotators, counts that depend on others’ work are null, and what is left for them is counted as on
    the judging page.
    """

    slug = serializers.CharField(source="project.slug")
    name = serializers.CharField(source="project.name")
    description = serializers.CharField(source="project.description")
    state = serializers.ChoiceField(choices=Project.State.choices, source="project.state")
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    question_count = serializers.IntegerField()
    answer_count = serializers.IntegerField(allow_null=True)
    decided_count = serializers.IntegerField(allow_null=True)
    left_questions = serializers.SerializerMethodField()
    waiting_decisions = serializers.SerializerMethodField()

    def get_left_questions(self, membership: Membership) -> int | None:
        """How many questions are left for an annotator; null for others."""
        return selectors.count_questions_left(member=membership)

    def get_waiting_decisions(self, membership: Membership) -> int | None:
        """How many answers wait for an adjudicator; null for others."""
        return selectors.count_decisions_waiting(member=membership)


class ProjectCreateSerializer(serializers.Serializer[Any]):
    """A project to create."""

    name = serializers.CharField(max_length=200)
    slug = serializers.SlugField(max_length=60, required=False, allow_blank=True, default="")
    preset = serializers.CharField(max_length=60)
    tie_break = choice_of(TieBreak, required=False)
    pooling = serializers.ChoiceField(choices=Project.Pooling.choices, default=Project.Pooling.NORMALIZED)
    cleaning = serializers.ChoiceField(choices=Project.Cleaning.choices, default=Project.Cleaning.NONE)
    description = serializers.CharField(required=False, allow_blank=True, default="")
    organization = serializers.CharField(
        max_length=60,
        required=False,
        allow_blank=True,
        default="",
        help_text="Short name of an organization that the caller is in; its limits apply to the project.",
    )


class ProjectsView(UserView):
    """One's projects; a new one."""

    access = "signed_in"
    serves_project_tokens = True

    @operation("list_projects", gives=ProjectListItemSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the caller’s projects."""
        memberships = selectors.list_memberships(user=self.user)
        if self.bearer is not None and self.bearer.token.project_id is not None:
            memberships = memberships.filter(project=self.bearer.token.project_id)
        return Response(ProjectListItemSerializer(memberships, many=True).data)

    @operation(
        "create_project",
        takes=ProjectCreateSerializer,
        gives=ProjectListItemSerializer,
        status=201,
        errors=(404,),
        is_whole=True,
    )
    def post(self, request: Request) -> Response:
        """Create a project and become its lead."""
        form = self.read(ProjectCreateSerializer)
        making.require_creator(user=self.user)
        wanted = form.pop("organization")
        place = selectors.get_organization(user=self.user, slug=wanted) if wanted else None
        project = making.create_project(
            lead=self.user, organization=place.organization if place else None, tells_taken=False, **form
        )
        membership = selectors.list_memberships(user=self.user).get(project=project)
        return Response(ProjectListItemSerializer(membership).data, status=201)


class ProjectDetailSerializer(serializers.Serializer[Any]):
    """A project as every member may see it."""

    slug = serializers.CharField(source="project.slug")
    name = serializers.CharField(source="project.name")
    description = serializers.CharField(source="project.description")
    state = serializers.ChoiceField(choices=Project.State.choices, source="project.state")
    cleaning = serializers.ChoiceField(choices=Project.Cleaning.choices, source="project.cleaning")
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    unblinded = serializers.SerializerMethodField()
    sees_systems = serializers.SerializerMethodField()
    labels = reply_of(Choice, "LabelChoice")(many=True, source="project.protocol.rules.choices")
    gold_shown = serializers.BooleanField(source="project.protocol.rules.gold_shown")
    guidelines_html = serializers.SerializerMethodField()

    def get_unblinded(self, membership: Membership) -> bool:
        """Whether this member has seen what annotators must not see."""
        return membership.unblinded_at is not None

    def get_sees_systems(self, membership: Membership) -> bool:
        """Whether this member may learn which system gave an answer."""
        return selectors.sees_systems(membership)

    def get_guidelines_html(self, membership: Membership) -> str:
        """Return the guidelines as safe HTML."""
        protocol = membership.project.protocol
        return render_markdown(protocol.rules.guidelines) if protocol else ""


class ProjectChangeSerializer(serializers.Serializer[Any]):
    """The fields of a project that can be changed.

    `cleaning`: can be changed only until the project has answers; the other fields can be changed at any
    time. An archived project can only be reopened.
    """

    name = serializers.CharField(max_length=200, required=False)
    description = serializers.CharField(required=False, allow_blank=True)
    cleaning = serializers.ChoiceField(choices=Project.Cleaning.choices, required=False)
    state = serializers.ChoiceField(choices=Project.State.choices, required=False)


class ProjectDetailView(ProjectView):
    """One project."""

    allowed_roles = EVERYBODY
    write_roles = frozenset({LEAD})
    works_archived = True

    @operation("get_project", gives=ProjectDetailSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the project with its labels and guidelines."""
        return Response(ProjectDetailSerializer(self.member).data)

    @operation("change_project", takes=ProjectChangeSerializer, gives=ProjectDetailSerializer, errors=(409,))
    def patch(self, request: Request, slug: str) -> Response:
        """Change the name, description, or cleanup; archive the project or reopen it."""
        changes = dict(self.read(ProjectChangeSerializer))
        if "state" in changes:
            making.set_state(project=self.project, state=changes.pop("state"))
        making.set_cleaning(project=self.project, cleaning=changes.pop("cleaning", self.project.cleaning))
        making.rename_project(project=self.project, **changes)
        return Response(ProjectDetailSerializer(self.member).data)


class ProjectCopySerializer(serializers.Serializer[Any]):
    """The name and the address of the copy."""

    name = serializers.CharField(max_length=200)
    slug = serializers.SlugField(max_length=60, required=False, allow_blank=True, default="")


class ProjectCopyView(LeadView):
    """A new project after this one's pattern."""

    works_archived = True
    serves_project_tokens = False

    @operation(
        "copy_project",
        takes=ProjectCopySerializer,
        gives=ProjectListItemSerializer,
        status=201,
        is_whole=True,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create an empty project with the same protocol and settings."""
        form = self.read(ProjectCopySerializer)
        making.require_creator(user=self.user)
        copied = making.copy_project(project=self.project, lead=self.user, tells_taken=False, **form)
        membership = selectors.list_memberships(user=self.user).get(project=copied)
        return Response(ProjectListItemSerializer(membership).data, status=201)


class ProtocolSerializer(serializers.Serializer[Any]):
    """The complete protocol and its version."""

    number = serializers.IntegerField()
    content_hash = serializers.CharField()
    frozen_at = serializers.DateTimeField(allow_null=True)
    spec = reply_of(Protocol, "ProtocolSpec")(source="rules")


class ProtocolSaveSerializer(serializers.Serializer[Any]):
    """A protocol to publish.

    `seen_hash`: the hash of the version it is based on, if known.
    """

    spec = serializers.DictField()
    seen_hash = serializers.CharField(required=False, allow_blank=True, default="", max_length=64)


class ProtocolView(LeadView):
    """The protocol, for leads."""

    @operation("get_protocol", gives=ProtocolSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the current protocol."""
        return Response(ProtocolSerializer(self.project.protocol).data)

    @operation("set_protocol", takes=ProtocolSaveSerializer, gives=ProtocolSerializer)
    def put(self, request: Request, slug: str) -> Response:
        """Publish a protocol and apply it to existing work."""
        version = protocols.set_protocol(project=self.project, **self.read(ProtocolSaveSerializer))
        return Response(ProtocolSerializer(version).data)


class ProtocolVersionsView(LeadView):
    """The history of the protocol, for leads."""

    @operation("list_protocol_versions", gives=list[ProtocolStep])
    def get(self, request: Request, slug: str) -> Response:
        """List the versions with their changes, newest first."""
        return reply(selectors.list_protocol_steps(project=self.project))


class GuidelinesSerializer(serializers.Serializer[Any]):
    """The guidelines as safe HTML, whether the caller has read them, and, if not, what changed.

    `standing`: "new" if the caller has read no version, "changed" if the guidelines have changed since the
    caller last read them, otherwise "read".
    """

    html = serializers.SerializerMethodField()
    hash = serializers.CharField()
    standing = serializers.ChoiceField(choices=["new", "changed", "read"])
    lines = reply_of(Line)(many=True)

    def get_html(self, guidelines: selectors.Guidelines) -> str:
        """Return the guidelines as safe HTML."""
        return render_markdown(guidelines.text)


class GuidelinesReadSerializer(serializers.Serializer[Any]):
    """The hash of the guidelines that the caller has read."""

    seen_hash = serializers.CharField(max_length=64)


class GuidelinesView(AnnotatorView):
    """The guidelines, for those who judge by them."""

    @operation("get_guidelines", gives=GuidelinesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the guidelines, with the changes since the caller last read them."""
        return Response(GuidelinesSerializer(selectors.guidelines_for(member=self.member)).data)

    @operation("read_guidelines", takes=GuidelinesReadSerializer, status=204, errors=(409,), takes_key=False)
    def post(self, request: Request, slug: str) -> Response:
        """Record that the caller has read the guidelines."""
        form = self.read(GuidelinesReadSerializer)
        protocols.read_guidelines(member=self.member, seen_hash=form["seen_hash"])
        return Response(status=204)


class ReadersView(LeadView):
    """Who has read the guidelines, for leads."""

    @operation("list_readers", gives=list[Reader])
    def get(self, request: Request, slug: str) -> Response:
        """List the annotators with the version of the guidelines that each last read."""
        return reply(selectors.list_readers(project=self.project))


class GuidelinesDraftSerializer(serializers.Serializer[Any]):
    """The Markdown text of a draft of guidelines."""

    text = serializers.CharField(allow_blank=True, max_length=LONGEST_GUIDELINES, trim_whitespace=False)


class GuidelinesPreviewSerializer(serializers.Serializer[Any]):
    """Guidelines as annotators will see them, as safe HTML."""

    html = serializers.CharField(allow_blank=True)


class GuidelinesPreviewView(LeadView):
    """Guidelines before they are kept, for leads."""

    @operation(
        "preview_guidelines",
        takes=GuidelinesDraftSerializer,
        gives=GuidelinesPreviewSerializer,
        takes_key=False,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Render guidelines as annotators will see them; nothing is saved."""
        return Response({"html": render_markdown(self.read(GuidelinesDraftSerializer)["text"])})
