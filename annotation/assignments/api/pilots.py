"""HTTP for pilots, for leads."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.assignments import services
from annotation.assignments.models import Pilot
from annotation.assignments.selectors import list_pilots, untouched_questions
from annotation.projects.api import LEAD, ProjectView
from annotation.projects.models import Project
from common.web.replies import operation


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

    @operation("list_pilots", gives=PilotsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """List the pilots with how far each rater is."""
        return Response(_pilots(self.project))

    @operation(
        "begin_pilot", takes=PilotBeginSerializer, gives=PilotsSerializer, status=201, errors=(400, 409)
    )
    def post(self, request: Request, slug: str) -> Response:
        """Let every rater judge the same questions before anything else is handed out."""
        form = self.read(PilotBeginSerializer)
        services.begin_pilot(project=self.project, by=self.member.user, **form)
        return Response(_pilots(self.project), status=201)


class PilotEndView(ProjectView):
    """Ending the pilot that goes on."""

    allowed_roles = frozenset({LEAD})

    @operation("end_pilot", takes=PilotEndSerializer, gives=PilotsSerializer, errors=(400, 409))
    def post(self, request: Request, slug: str) -> Response:
        """End the pilot; its questions are judged as work, or left out of the study."""
        form = self.read(PilotEndSerializer)
        services.end_pilot(project=self.project, by=self.member.user, **form)
        return Response(_pilots(self.project))


def _pilots(project: Project) -> dict[str, Any]:
    body = {
        "untouched_questions": untouched_questions(project=project).count(),
        "pilots": list_pilots(project=project),
    }
    return dict(PilotsSerializer(body).data)
