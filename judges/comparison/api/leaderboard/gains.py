"""HTTP for how sure the way from one score of a system to another is."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.figures import number_or_none
from annotation.projects.api import ProjectView
from common.figures import words_or_none
from judges.comparison.api.filters import (
    READERS,
    ColumnSerializer,
    FilterSerializer,
    interval_field,
    interval_or_none,
    read_column,
    read_filter,
)
from judges.comparison.selectors.leaderboard import SystemGain, read_amendment_gains, read_gains


class SystemGainSerializer(serializers.Serializer[Any]):
    """A system's score in `column` minus the one asked about, and as a share of that; intervals of 95 %.

    Both scores are over the questions that both ways of judging have.

    Null where undefined, with the reason in `words`.
    """

    column = serializers.CharField()
    system = serializers.CharField()
    difference = serializers.FloatField()
    interval = interval_field()
    relative = serializers.FloatField(allow_null=True)
    relative_interval = interval_field()
    words = serializers.CharField(allow_blank=True)


def _gain_body(found: SystemGain) -> dict[str, Any]:
    gain = found.gain
    return {
        "column": found.column,
        "system": found.system,
        "difference": number_or_none(gain.difference),
        "interval": interval_or_none(gain.interval),
        "relative": number_or_none(gain.relative),
        "relative_interval": interval_or_none(gain.relative_interval),
        "words": words_or_none(gain.interval) or words_or_none(gain.relative_interval) or "",
    }


class GainsView(ProjectView):
    """What systems gain from one way of judging to the others."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="list_gains",
        parameters=[ColumnSerializer],
        responses=SystemGainSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Resample the questions chosen; gains are counted from the column."""
        column = read_column(request)
        found = read_gains(project=self.project, wanted=read_filter(request), column=column)
        return Response(SystemGainSerializer(map(_gain_body, found), many=True).data)


class AmendmentGainsView(ProjectView):
    """What systems gain by the amendment of gold lists."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="list_amendment_gains",
        parameters=[FilterSerializer],
        responses=SystemGainSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Resample the questions chosen."""
        found = read_amendment_gains(project=self.project, wanted=read_filter(request))
        return Response(SystemGainSerializer(map(_gain_body, found), many=True).data)
