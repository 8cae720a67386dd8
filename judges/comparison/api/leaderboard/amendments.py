"""HTTP for what the amendment of gold lists changed."""

from typing import Any

from django.core.paginator import Paginator
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import ProjectView
from common.web.http import PageSerializer, page_body
from judges.comparison.api.filters import READERS, FilterSerializer, read_filter
from judges.comparison.rules.leaderboard import SystemMove
from judges.comparison.rules.study import Items
from judges.comparison.selectors.leaderboard import TurnedAnswer, describe_turns, read_amendments
from judges.comparison.selectors.study import sign_comparison

TURNS_A_PAGE = 25


class AmendmentsQuerySerializer(FilterSerializer):
    """Which questions count, and whose answers are listed: a system by its name, or all."""

    system = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    page = serializers.IntegerField(required=False, default=1, min_value=1)


class SystemMoveSerializer(serializers.Serializer[Any]):
    """A system's n answers: how many match the gold of the files, and the lists as people amended them."""

    system = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    n = serializers.IntegerField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()
    turned_right = serializers.IntegerField()
    turned_wrong = serializers.IntegerField()


class TurnedAnswerSerializer(serializers.Serializer[Any]):
    """An answer that turned; systems: the labels of those that gave it, null for those who may
    not see them; changes: ids of the gold ledger's.
    """

    question = serializers.CharField()
    question_text = serializers.CharField()
    answer = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    is_right = serializers.BooleanField()
    systems = serializers.ListField(child=serializers.CharField(), allow_null=True)
    changes = serializers.ListField(child=serializers.CharField())


class AmendmentsSerializer(PageSerializer):
    """What amendment did, with a page of the answers that turned; pending: answers not decided yet.

    systems: none for those who may not see which system gave an answer.
    """

    signature = serializers.CharField()
    systems = SystemMoveSerializer(many=True)
    pending = serializers.IntegerField()
    right_count = serializers.IntegerField()
    wrong_count = serializers.IntegerField()
    turned = TurnedAnswerSerializer(many=True)


def _move_body(move: SystemMove, items: Items) -> dict[str, Any]:
    system = items.systems[move.system]
    return {**move._asdict(), "system": system.name, "label": system.label}


class AmendmentsView(ProjectView):
    """What the amendment of gold lists changed."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_amendments", parameters=[AmendmentsQuerySerializer], responses=AmendmentsSerializer
    )
    def get(self, request: Request, slug: str) -> Response:
        """Say what amendment did to each system, and by which answers; past the end is the last page."""
        query = AmendmentsQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        wanted = read_filter(request)
        if query.validated_data["system"] or wanted.chooses_systems:
            self.require_sees_systems()
        found = read_amendments(project=self.project, wanted=wanted)
        turns = found.of_system(query.validated_data["system"])
        page = Paginator(turns, TURNS_A_PAGE).get_page(query.validated_data["page"])
        turned = describe_turns(items=found.items, turns=list(page.object_list))
        gold = "original to amended"
        body = {
            "signature": sign_comparison(
                self.project, "amendments", wanted=wanted, match="exact_match", gold=gold
            ),
            # Beside the few answers that turned, the counts by system would say whose each is.
            "systems": [_move_body(move, found.items) for move in found.moves if self.sees_systems],
            "pending": found.pending,
            "right_count": sum(turn.is_right for turn in turns),
            "wrong_count": sum(not turn.is_right for turn in turns),
            **page_body(page),
            "turned": [{**answer._asdict(), "systems": self._labels(answer)} for answer in turned],
        }
        return Response(AmendmentsSerializer(body).data)

    def _labels(self, answer: TurnedAnswer) -> list[str] | None:
        return [system.label for system in answer.systems] if self.sees_systems else None
