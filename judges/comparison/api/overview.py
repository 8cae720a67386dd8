"""HTTP for the project overview."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView
from common.web.replies import reply_of
from judges.comparison.selectors.overview import AgreementGist, read_overview


class StageSerializer(serializers.Serializer[Any]):
    """How many answers stand where."""

    key = serializers.CharField()
    name = serializers.CharField()
    count = serializers.IntegerField()


class RaterProgressSerializer(serializers.Serializer[Any]):
    """One annotator's share of the work."""

    pseudonym = serializers.CharField()
    name = serializers.CharField()
    judged = serializers.IntegerField()
    per_hour = serializers.FloatField(allow_null=True)
    last_seen = serializers.DateTimeField(allow_null=True)


class NeedSerializer(serializers.Serializer[Any]):
    """Something only the lead can settle; `href` is a page below the project's address."""

    key = serializers.CharField()
    text = serializers.CharField()
    count = serializers.IntegerField()
    href = serializers.CharField()


class MovementSerializer(serializers.Serializer[Any]):
    """By how much amendment moved the system it moved most, with so many of the questions judged so far.

    Its interval is among the leaderboard's gains, by the system's name. has_long_answers: exact match hardly
    accepts any of its answers, for their length (median_words).
    """

    largest_gain = serializers.FloatField()
    system = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    judged_questions = serializers.IntegerField()
    n_questions = serializers.IntegerField()
    median_words = serializers.FloatField()
    has_long_answers = serializers.BooleanField()


class OverviewSerializer(serializers.Serializer[Any]):
    """Where a project stands; asked_questions: how many of the questions have an answer that people judge."""

    stages = StageSerializer(many=True)
    questions = serializers.IntegerField()
    asked_questions = serializers.IntegerField()
    left_out = serializers.IntegerField()
    answers = serializers.IntegerField()
    raters = RaterProgressSerializer(many=True)
    forecast_seconds = serializers.FloatField(allow_null=True)
    needs = NeedSerializer(many=True)
    agreement = reply_of(AgreementGist)(allow_null=True)
    movement = MovementSerializer(allow_null=True)
    worker_running = serializers.BooleanField()


class OverviewView(ProjectView):
    """Where a project stands."""

    allowed_roles = frozenset({LEAD, ADJUDICATOR})

    @extend_schema(operation_id="get_overview", responses=OverviewSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return stages, people at work, what waits, and the two numbers that matter."""
        return Response(OverviewSerializer(read_overview(project=self.project)).data)
