"""HTTP for pilots, for leads."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.assignments import services
from annotation.assignments.models import Pilot
from annotation.assignments.selectors import list_pilots, untouched_questions
from annotation.projects.api import LEAD, ProjectView
from annotation.projects.models import Project
from common.web.http import ErrorSerializer


class PilotRaterSerializer(serializers.Serializer[Any]):
    """How many answers of a pilot a rater has judged or passed over, and how many are left."""

    member_id = serializers.CharField(source="member.public_id")
    name = serializers.CharField(source="member.user.name")
    judged = serializers.IntegerField()
    left = serializers.IntegerField()


class PilotSerializer(serializers.Serializer[Any]):
    """A pilot; `outcome` is empty while it goes on, `seed` null where its questions are the first ones."""

    id = serializers.CharField(source="pilot.public_id")
    questions = serializers.IntegerField()
    seed = serializers.IntegerField(source="pilot.seed", allow_null=True)
    begun_by = serializers.CharField(source="pilot.begun_by.name")
    begun_at = serializers.DateTimeField(source="pilot.begun_at")
    ended_by = serializers.CharField(source="pilot.ended_by.name", default="", allow_blank=True)
    ended_at = serializers.DateTimeField(source="pilot.ended_at", allow_null=True)
    outcome = serializers.ChoiceField(source="pilot.outcome", choices=Pilot.Outcome.choices, allow_blank=True)
    raters = PilotRaterSerializer(many=True)


class PilotsSerializer(serializers.Serializer[Any]):
    """The pilots, the newest first, and how many questions could serve in a further one."""

    untouched_questions = serializers.IntegerField()
    pilots = PilotSerializer(many=True)


class PilotBeginSerializer(serializers.Serializer[Any]):
    """How many questions everybody judges: the first ones, or drawn by a seed."""

    questions = serializers.IntegerField(min_value=1, max_value=1_000)
    seed = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, required=False, allow_null=True, default=None
    )


class PilotEndSerializer(serializers.Serializer[Any]):
    """What becomes of the pilot's questions."""

    outcome = serializers.ChoiceField(choices=Pilot.Outcome.choices)


class PilotsView(ProjectView):
    """Questions that everybody judges before the work, uncounted."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="list_pilots", responses=PilotsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """List the pilots with how far each rater is."""
        return Response(_pilots(self.project))

    @extend_schema(
        operation_id="begin_pilot",
        request=PilotBeginSerializer,
        responses={201: PilotsSerializer, 400: ErrorSerializer, 409: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Let every rater judge the same questions before anything else is handed out."""
        form = PilotBeginSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.begin_pilot(project=self.project, by=self.member.user, **form.validated_data)
        return Response(_pilots(self.project), status=201)


class PilotEndView(ProjectView):
    """Ending the pilot that goes on."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="end_pilot",
        request=PilotEndSerializer,
        responses={200: PilotsSerializer, 400: ErrorSerializer, 409: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """End the pilot; its questions are judged as work, or left out of the study."""
        form = PilotEndSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.end_pilot(project=self.project, by=self.member.user, **form.validated_data)
        return Response(_pilots(self.project))


def _pilots(project: Project) -> dict[str, Any]:
    body = {
        "untouched_questions": untouched_questions(project=project).count(),
        "pilots": list_pilots(project=project),
    }
    return dict(PilotsSerializer(body).data)
