"""HTTP for systems beside each other."""

from typing import Any

from django.core.paginator import Paginator
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.items.models import Question
from annotation.projects.api import ProjectView
from annotation.projects.models import Project
from common.web.http import PageSerializer, page_body
from judges.comparison.api.filters import (
    READERS,
    FilterSerializer,
    bounds_json,
    figures_field,
    interval_field,
    interval_or_none,
    read_filter,
)
from judges.comparison.rules.study import Filter
from judges.comparison.selectors.leaderboard import (
    NamedBoard,
    NamedBounds,
    find_questions_right_by,
    read_system_intervals,
    read_systems,
)
from judges.comparison.selectors.study import sign_comparison


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
    """right_by: questions answered right by so many systems, of those that every system answered.

    by_programs: answers of systems that programs settled, by rules of pre-judging.
    """

    signature = serializers.CharField()
    questions = serializers.IntegerField()
    answered_by_all = serializers.IntegerField()
    pending = serializers.IntegerField()
    by_programs = serializers.IntegerField()
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
        "by_programs": found.by_programs,
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


def _sign(project: Project, wanted: Filter) -> str:
    # Points and intervals stand in one table, so they have one line.
    return sign_comparison(project, "systems", wanted=wanted, match="exact_match", gold="amended")


class SystemsBoardView(ProjectView):
    """Systems beside each other."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_systems_board", parameters=[FilterSerializer], responses=SystemsBoardSerializer
    )
    def get(self, request: Request, slug: str) -> Response:
        """Say where systems agree and what they could do together, by people's word."""
        wanted = read_filter(request)
        found = read_systems(project=self.project, wanted=wanted)
        body = {**_body(found), "signature": _sign(self.project, wanted)}
        return Response(SystemsBoardSerializer(body).data)


class SystemIntervalsSerializer(serializers.Serializer[Any]):
    """Of one system: `coverage`, the share answered, and `right`, the share of these that it has right."""

    system = serializers.CharField()
    figures = figures_field()
    words = serializers.DictField(child=serializers.CharField())


class OverlapIntervalsSerializer(serializers.Serializer[Any]):
    """Of two systems: `agreement` and `oracle`."""

    first = serializers.CharField()
    second = serializers.CharField()
    figures = figures_field()
    words = serializers.DictField(child=serializers.CharField())


class SystemsIntervalsSerializer(serializers.Serializer[Any]):
    """95 % intervals over questions of the systems board's shares; right_by: of questions all answered."""

    signature = serializers.CharField()
    systems = SystemIntervalsSerializer(many=True)
    pairs = OverlapIntervalsSerializer(many=True)
    right_by = serializers.ListField(child=interval_field())
    oracle = interval_field()


def _intervals_body(found: NamedBounds) -> dict[str, Any]:
    bounds, systems = found.bounds, found.systems
    return {
        "systems": [
            {"system": system.name, **bounds_json(own._asdict())}
            for system, own in zip(systems, bounds.coverage, strict=True)
        ],
        "pairs": [
            {
                "first": systems[pair.first].name,
                "second": systems[pair.second].name,
                **bounds_json({"agreement": pair.agreement, "oracle": pair.oracle}),
            }
            for pair in bounds.pairs
        ],
        "right_by": list(map(interval_or_none, bounds.right_by)),
        "oracle": interval_or_none(bounds.oracle),
    }


class SystemsIntervalsView(ProjectView):
    """How sure the shares of systems beside each other are."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_systems_board_intervals",
        parameters=[FilterSerializer],
        responses=SystemsIntervalsSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Resample the questions chosen."""
        wanted = read_filter(request)
        found = read_system_intervals(project=self.project, wanted=wanted)
        body = {**_intervals_body(found), "signature": _sign(self.project, wanted)}
        return Response(SystemsIntervalsSerializer(body).data)


QUESTIONS_A_PAGE = 50


class RightByQuerySerializer(FilterSerializer):
    """Which questions are listed: those that so many systems have right."""

    right_by = serializers.IntegerField(min_value=0)
    page = serializers.IntegerField(required=False, default=1, min_value=1)


class RightByQuestionSerializer(serializers.Serializer[Any]):
    """A question with its gold answers as imported, in the order of the file."""

    id = serializers.CharField(source="public_id")
    question = serializers.CharField(source="text")
    gold = serializers.SerializerMethodField()

    def get_gold(self, question: Question) -> list[str]:
        """Return their texts, as the selector read them."""
        return [gold.text for gold in question.gold_answers.all()]


class RightByPageSerializer(PageSerializer):
    """A page of questions."""

    questions = RightByQuestionSerializer(many=True)


class RightByQuestionsView(ProjectView):
    """Easy and hard questions."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="list_questions_right_by",
        parameters=[RightByQuerySerializer],
        responses=RightByPageSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the questions that so many systems have right; a page past the end is the last one."""
        query = RightByQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        wanted = read_filter(request)
        if wanted.chooses_systems:
            self.require_sees_systems()
        found = find_questions_right_by(
            project=self.project, wanted=wanted, systems=query.validated_data["right_by"]
        )
        page = Paginator(found, QUESTIONS_A_PAGE).get_page(query.validated_data["page"])
        body = {
            **page_body(page),
            "questions": page.object_list,
        }
        return Response(RightByPageSerializer(body).data)
