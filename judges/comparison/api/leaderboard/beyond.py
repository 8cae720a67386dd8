"""HTTP for what people accept of the answers that exact match rejects."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import ProjectView
from judges.comparison.api.filters import READERS, FilterSerializer, read_filter
from judges.comparison.api.shares import ShareSerializer, share_body
from judges.comparison.rules.leaderboard import SIGNATURE, Beyond
from judges.comparison.selectors.leaderboard import read_beyond
from judges.comparison.selectors.study import sign_comparison


class BeyondSerializer(serializers.Serializer[Any]):
    """Of so many answers that exact match rejects people decided some, and called these right.

    The shares are of the decided ones. possibly: without the definite ones, which either counts too.
    """

    rejected = serializers.IntegerField()
    decided = serializers.IntegerField()
    definite = serializers.IntegerField()
    possible = serializers.IntegerField()
    definitely = ShareSerializer()
    possibly = ShareSerializer()
    either = ShareSerializer()


class SystemBeyondSerializer(BeyondSerializer):
    """One system's answers."""

    system = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class BeyondExactMatchSerializer(serializers.Serializer[Any]):
    """What people accept beyond exact match with the gold of the files.

    has_possible: labels tell definitely from possibly correct. systems, predictions: what systems answered,
    one by one and all together. answers: every different answer once.
    """

    has_possible = serializers.BooleanField()
    signature = serializers.CharField()
    systems = SystemBeyondSerializer(many=True)
    predictions = BeyondSerializer()
    answers = BeyondSerializer()


def _body(beyond: Beyond) -> dict[str, Any]:
    return {
        **beyond._asdict(),
        "definitely": share_body(beyond.definite_share),
        "possibly": share_body(beyond.possible_share),
        "either": share_body(beyond.at_least_possible_share),
    }


class BeyondExactMatchView(ProjectView):
    """What people accept of the answers that exact match rejects."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_beyond_exact_match",
        parameters=[FilterSerializer],
        responses=BeyondExactMatchSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Count by system, over all predictions and over different answers, with intervals over questions."""
        wanted = read_filter(request)
        found = read_beyond(project=self.project, wanted=wanted)
        body = {
            "has_possible": found.has_possible,
            "signature": sign_comparison(self.project, SIGNATURE, wanted=wanted),
            "systems": [
                {**_body(beyond), "system": system.name, "label": system.label}
                for system, beyond in found.systems
            ],
            "predictions": _body(found.predictions),
            "answers": _body(found.answers),
        }
        return Response(BeyondExactMatchSerializer(body).data)
