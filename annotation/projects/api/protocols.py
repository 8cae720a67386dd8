"""HTTP for a project's protocol, its versions, and its guidelines as they will look."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects import selectors, services
from annotation.projects.api.access import ANNOTATOR, LEAD, ProjectView
from annotation.projects.rules import LONGEST_GUIDELINES, Difference, Protocol
from common.web.markdown import render_markdown
from common.web.replies import operation, reply_of


class ProtocolSerializer(serializers.Serializer[Any]):
    """The whole protocol with its version."""

    number = serializers.IntegerField()
    content_hash = serializers.CharField()
    frozen_at = serializers.DateTimeField(allow_null=True)
    spec = reply_of(Protocol, "ProtocolSpec")(source="rules")


class ProtocolSaveSerializer(serializers.Serializer[Any]):
    """A protocol to put in force; `seen_hash`: of the version that was adapted, where known."""

    spec = serializers.DictField()
    seen_hash = serializers.CharField(required=False, allow_blank=True, default="", max_length=64)


class ProtocolView(ProjectView):
    """The protocol, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation("get_protocol", gives=ProtocolSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the protocol in force."""
        return Response(ProtocolSerializer(self.project.protocol).data)

    @operation("set_protocol", takes=ProtocolSaveSerializer, gives=ProtocolSerializer, errors=(400, 409))
    def put(self, request: Request, slug: str) -> Response:
        """Put another protocol in force; work done is brought in line with it."""
        form = self.read(ProtocolSaveSerializer)
        version = services.set_protocol(project=self.project, **form)
        return Response(ProtocolSerializer(version).data)


class GuidelineLineSerializer(serializers.Serializer[Any]):
    """A line of guidelines that came, went or stands beside one that did."""

    kind = serializers.ChoiceField(choices=["added", "removed", "same", "gap"])
    text = serializers.CharField(allow_blank=True)


class ProtocolStepSerializer(serializers.Serializer[Any]):
    """A version in the history, with what it changed of the one before."""

    number = serializers.IntegerField(source="version.number")
    content_hash = serializers.CharField(source="version.content_hash")
    created_at = serializers.DateTimeField(source="version.created_at")
    frozen_at = serializers.DateTimeField(source="version.frozen_at", allow_null=True)
    differences = reply_of(Difference, "ProtocolDifference")(many=True)
    guideline_lines = GuidelineLineSerializer(many=True)


class ProtocolVersionsView(ProjectView):
    """The history of the protocol, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation("list_protocol_versions", gives=ProtocolStepSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the versions, the newest first, each with what it changed."""
        steps = selectors.list_protocol_steps(project=self.project)
        return Response(ProtocolStepSerializer(steps, many=True).data)


class GuidelinesSerializer(serializers.Serializer[Any]):
    """The guidelines as safe HTML, whether the reader knows them, and what changed where not."""

    html = serializers.SerializerMethodField()
    hash = serializers.CharField()
    standing = serializers.ChoiceField(choices=["new", "changed", "read"])
    lines = GuidelineLineSerializer(many=True)

    def get_html(self, guidelines: selectors.Guidelines) -> str:
        """Return the guidelines as safe HTML."""
        return render_markdown(guidelines.text)


class GuidelinesReadSerializer(serializers.Serializer[Any]):
    """Which guidelines were read."""

    seen_hash = serializers.CharField(max_length=64)


class GuidelinesView(ProjectView):
    """The guidelines, for those who judge by them."""

    allowed_roles = frozenset({ANNOTATOR})

    @operation("get_guidelines", gives=GuidelinesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the guidelines with what changed since one last read them."""
        return Response(GuidelinesSerializer(selectors.guidelines_for(member=self.member)).data)

    @operation("read_guidelines", takes=GuidelinesReadSerializer, status=204, errors=(409,))
    def post(self, request: Request, slug: str) -> Response:
        """Say that one has read them."""
        form = self.read(GuidelinesReadSerializer)
        services.read_guidelines(member=self.member, seen_hash=form["seen_hash"])
        return Response(status=204)


class ReaderSerializer(serializers.Serializer[Any]):
    """A rater and the version of the guidelines they last read."""

    public_id = serializers.CharField(source="member.public_id")
    name = serializers.CharField(source="member.user.name")
    pseudonym = serializers.CharField(source="member.pseudonym")
    number = serializers.IntegerField(allow_null=True)
    read_at = serializers.DateTimeField(allow_null=True)
    is_up_to_date = serializers.BooleanField()


class ReadersView(ProjectView):
    """Who has read the guidelines, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation("list_readers", gives=ReaderSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the raters with the version of the guidelines each last read."""
        return Response(ReaderSerializer(selectors.list_readers(project=self.project), many=True).data)


class GuidelinesDraftSerializer(serializers.Serializer[Any]):
    """Guidelines as written."""

    text = serializers.CharField(allow_blank=True, max_length=LONGEST_GUIDELINES, trim_whitespace=False)


class GuidelinesPreviewSerializer(serializers.Serializer[Any]):
    """Guidelines as raters will see them, as safe HTML."""

    html = serializers.CharField(allow_blank=True)


class GuidelinesPreviewView(ProjectView):
    """Guidelines before they are kept, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation(
        "preview_guidelines",
        takes=GuidelinesDraftSerializer,
        gives=GuidelinesPreviewSerializer,
        errors=(400,),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Show guidelines as raters will see them; nothing is kept."""
        form = self.read(GuidelinesDraftSerializer)
        return Response({"html": render_markdown(form["text"])})
