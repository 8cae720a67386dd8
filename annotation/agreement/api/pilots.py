"""HTTP for agreement in the pilots."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.agreement.api.figures import AgreementFiguresSerializer
from annotation.agreement.rules import measure_pilot, to_json
from annotation.agreement.selectors import find_differences, read_pilot, sign_pilot
from annotation.assignments.models import Pilot
from annotation.projects.api import LEAD, ProjectView
from common.web.replies import operation


class PilotVoteSerializer(serializers.Serializer[Any]):
    """What one rater said, under their pseudonym."""

    rater = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class PilotDifferenceSerializer(serializers.Serializer[Any]):
    """An answer to which a pilot's raters gave different labels."""

    id = serializers.CharField()
    text = serializers.CharField()
    question = serializers.CharField()
    votes = PilotVoteSerializer(many=True)


class PilotAgreementSerializer(serializers.Serializer[Any]):
    """How far a pilot's raters agree; `outcome` is empty while it goes on."""

    id = serializers.CharField()
    begun_at = serializers.DateTimeField()
    outcome = serializers.ChoiceField(choices=Pilot.Outcome.choices, allow_blank=True)
    questions = serializers.IntegerField()
    report = AgreementFiguresSerializer()
    differences = PilotDifferenceSerializer(many=True)


class PilotAgreementView(ProjectView):
    """How far raters agree in the pilots."""

    allowed_roles = frozenset({LEAD})

    @operation("list_pilot_agreement", gives=PilotAgreementSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Compute agreement for each pilot, the newest first."""
        pilots = Pilot.objects.filter(project=self.project).select_related("project__protocol")
        found = [_of_pilot(pilot) for pilot in pilots.order_by("-begun_at", "-pk")]
        return Response(PilotAgreementSerializer(found, many=True).data)


def _of_pilot(pilot: Pilot) -> dict[str, Any]:
    return {
        "id": pilot.public_id,
        "begun_at": pilot.begun_at,
        "outcome": pilot.outcome,
        "questions": pilot.questions.count(),
        "report": {**to_json(measure_pilot(read_pilot(pilot=pilot))), "signature": sign_pilot(pilot)},
        "differences": [
            {
                "id": difference.candidate.public_id,
                "text": difference.candidate.text,
                "question": difference.candidate.question.text,
                "votes": [{"rater": rater, "label": label} for rater, label in difference.votes],
            }
            for difference in find_differences(pilot=pilot)
        ],
    }
