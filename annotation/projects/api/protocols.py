"""HTTP for a project's protocol, its versions, and its guidelines as they will look."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects import selectors, services
from annotation.projects.api.access import ANNOTATOR, LEAD, ProjectView
from common.web.http import ErrorSerializer
from common.web.markdown import render_markdown

LONGEST_GUIDELINES = 100_000


class ProtocolSerializer(serializers.Serializer[Any]):
    """The whole protocol with its version; `seen_hash`: of the version that was adapted, where known."""

    number = serializers.IntegerField(read_only=True)
    content_hash = serializers.CharField(read_only=True)
    frozen_at = serializers.DateTimeField(read_only=True, allow_null=True)
    spec = serializers.DictField()
    seen_hash = serializers.CharField(
        write_only=True, required=False, allow_blank=True, default="", max_length=64
    )


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
        responses={200: ProtocolSerializer, 400: ErrorSerializer, 409: ErrorSerializer},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Put another protocol in force; work done is brought in line with it."""
        form = ProtocolSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        version = services.set_protocol(project=self.project, **form.validated_data)
        return Response(ProtocolSerializer(version).data)


class ProtocolDifferenceSerializer(serializers.Serializer[Any]):
    """A field that differs between two versions, in words."""

    field = serializers.CharField()
    name = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


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
    differences = ProtocolDifferenceSerializer(many=True)
    guideline_lines = GuidelineLineSerializer(many=True)


class ProtocolVersionsView(ProjectView):
    """The history of the protocol, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="list_protocol_versions", responses=ProtocolStepSerializer(many=True))
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

    @extend_schema(operation_id="get_guidelines", responses=GuidelinesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the guidelines with what changed since one last read them."""
        return Response(GuidelinesSerializer(selectors.guidelines_for(member=self.member)).data)

    @extend_schema(
        operation_id="read_guidelines",
        request=GuidelinesReadSerializer,
        responses={204: None, 409: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Say that one has read them."""
        form = GuidelinesReadSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.read_guidelines(member=self.member, seen_hash=form.validated_data["seen_hash"])
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

    @extend_schema(operation_id="list_readers", responses=ReaderSerializer(many=True))
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

    @extend_schema(
        operation_id="preview_guidelines",
        request=GuidelinesDraftSerializer,
        responses={200: GuidelinesPreviewSerializer, 400: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Show guidelines as raters will see them; nothing is kept."""
        form = GuidelinesDraftSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        return Response({"html": render_markdown(form.validated_data["text"])})
