"""HTTP for what was decided."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.agreement.selectors import count_decisions
from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView


class LabelDecidedSerializer(serializers.Serializer[Any]):
    """One label: how many decisions say so, and of these how many by each source."""

    label = serializers.CharField()  # type: ignore[assignment]
    name = serializers.CharField()
    count = serializers.IntegerField()
    sources = serializers.DictField(child=serializers.IntegerField())


class DecisionCountsView(ProjectView):
    """How many answers were decided to be what."""

    allowed_roles = frozenset({LEAD, ADJUDICATOR})

    @extend_schema(operation_id="list_decision_counts", responses=LabelDecidedSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Count the decisions in force by label and source."""
        rows = count_decisions(project=self.project)
        return Response(LabelDecidedSerializer(rows, many=True).data)
