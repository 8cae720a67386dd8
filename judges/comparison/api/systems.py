"""HTTP for systems beside each other."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import ProjectView
from judges.comparison.api.filters import READERS, FilterSerializer, read_filter
from judges.comparison.selectors import NamedBoard, read_systems


class SystemCoverageSerializer(serializers.Serializer[Any]):
    """How many of the questions a system answered, and of these how many right."""

    system = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    answered = serializers.IntegerField()
    right = serializers.IntegerField()


class SystemOverlapSerializer(serializers.Serializer[Any]):
    """Two systems on the questions both answered; null where there is none.

    agreement: share of equal normalized answers. oracle: share on which at least one is right.
    """

    first = serializers.CharField()
    second = serializers.CharField()
    questions = serializers.IntegerField()
    agreement = serializers.FloatField(allow_null=True)
    oracle = serializers.FloatField(allow_null=True)


class SystemsBoardSerializer(serializers.Serializer[Any]):
    """right_by: questions answered right by so many systems, of those that every system answered."""

    questions = serializers.IntegerField()
    answered_by_all = serializers.IntegerField()
    pending = serializers.IntegerField()
    systems = SystemCoverageSerializer(many=True)
    pairs = SystemOverlapSerializer(many=True)
    right_by = serializers.ListField(child=serializers.IntegerField())
    oracle = serializers.FloatField(allow_null=True)


def _body(found: NamedBoard) -> dict[str, Any]:
    board, systems = found.board, found.systems
    return {
        "questions": board.questions,
        "answered_by_all": board.answered_by_all,
        "pending": found.pending,
        "systems": [
            {"system": system.name, "label": system.label, **coverage._asdict()}
            for system, coverage in zip(systems, board.coverage, strict=True)
        ],
        "pairs": [
            {**pair._asdict(), "first": systems[pair.first].name, "second": systems[pair.second].name}
            for pair in board.pairs
        ],
        "right_by": board.right_by,
        "oracle": board.oracle,
    }


class SystemsBoardView(ProjectView):
    """Systems beside each other."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_systems_board", parameters=[FilterSerializer], responses=SystemsBoardSerializer
    )
    def get(self, request: Request, slug: str) -> Response:
        """Say where systems agree and what they could do together, by people's word."""
        found = read_systems(project=self.project, wanted=read_filter(request))
        return Response(SystemsBoardSerializer(_body(found)).data)
