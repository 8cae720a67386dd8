"""HTTP for the leaderboard: points first, how sure they are apart from them."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.figures import Undefined, number_or_none
from analysis.ranking import SameOrder
from annotation.projects.api import ProjectView
from common.figures import WHY, words_or_none
from common.web.replies import operation, reply
from judges.comparison.api.filters import (
    READERS,
    ColumnSerializer,
    FilterSerializer,
    interval_or_none,
    read_column,
    read_filter,
)
from judges.comparison.rules.boards import ComparedPairs
from judges.comparison.rules.leaderboard import SCORE_INTERVAL, Leaderboard, SystemRow
from judges.comparison.rules.study import Column, Kind, Scope, Unit
from judges.comparison.selectors.leaderboard import (
    ColumnUncertainty,
    read_leaderboard,
    read_pairs,
    read_uncertainty,
)
from judges.comparison.selectors.study import sign_comparison

KINDS = [kind.value for kind in Kind]


class LeaderboardColumnSerializer(serializers.Serializer[Any]):
    """One way of judging, and how far its ranking agrees with people's."""

    key = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    gold = serializers.ChoiceField(choices=["original", "amended"], allow_null=True)
    signature = serializers.CharField()
    unit = serializers.ChoiceField(choices=[unit.value for unit in Unit])
    kendall_tau_b = serializers.FloatField(allow_null=True)
    kendall_words = serializers.CharField(allow_blank=True)


class LeaderboardScoreSerializer(serializers.Serializer[Any]):
    """A cell of the leaderboard."""

    value = serializers.FloatField()
    correct = serializers.IntegerField(allow_null=True)
    n = serializers.IntegerField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True)


class LeaderboardRowSerializer(serializers.Serializer[Any]):
    """One system; has_long_answers: exact match hardly accepts any, for their length (median_words)."""

    system = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    description = serializers.DictField()
    n = serializers.IntegerField()
    median_words = serializers.FloatField()
    has_long_answers = serializers.BooleanField()
    scores = serializers.DictField(child=LeaderboardScoreSerializer(allow_null=True))
    decided_share = serializers.FloatField()
    range = serializers.ListField(child=serializers.FloatField(), allow_null=True)


class LeaderboardSerializer(serializers.Serializer[Any]):
    """Systems by ways of judging; judged_questions: of how many of the questions people decided an answer.

    programs_share: of systems' answers, what rules of pre-judging decided.
    """

    signature = serializers.CharField()
    scope = serializers.ChoiceField(choices=[scope.value for scope in Scope])
    n_questions = serializers.IntegerField()
    judged_questions = serializers.IntegerField()
    columns = LeaderboardColumnSerializer(many=True)
    rows = LeaderboardRowSerializer(many=True)
    all_decided = serializers.BooleanField()
    programs_share = serializers.FloatField()


def _column_body(column: Column, board: Leaderboard) -> dict[str, Any]:
    kendall = board.kendall[column.key]
    return {
        **column._asdict(),
        "kendall_tau_b": number_or_none(kendall),
        "kendall_words": words_or_none(kendall) or "",
    }


def _row_body(row: SystemRow) -> dict[str, Any]:
    return {
        "system": row.system.name,
        "label": row.system.label,
        "description": row.system.description,
        "n": row.n,
        "median_words": row.median_words,
        "has_long_answers": row.has_long_answers,
        "scores": {key: score and score._asdict() for key, score in row.scores.items()},
        "decided_share": row.decided_share,
        "range": row.range,
    }


def _body(board: Leaderboard) -> dict[str, Any]:
    return {
        "scope": board.scope.value,
        "n_questions": board.n_questions,
        "judged_questions": board.judged_questions,
        "columns": [_column_body(column, board) for column in board.columns],
        "rows": [_row_body(row) for row in board.rows],
        "all_decided": board.all_decided,
        "programs_share": board.programs_share,
    }


class LeaderboardView(ProjectView):
    """Systems by ways of judging."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_leaderboard", parameters=[FilterSerializer], responses=LeaderboardSerializer
    )
    def get(self, request: Request, slug: str) -> Response:
        """Score every system over the questions chosen."""
        wanted = read_filter(request)
        board = read_leaderboard(project=self.project, wanted=wanted)
        judges = [column.signature for column in board.columns]
        signature = sign_comparison(
            self.project, "leaderboard", wanted=wanted, judges=judges, scores=SCORE_INTERVAL
        )
        return Response(LeaderboardSerializer({**_body(board), "signature": signature}).data)


class RankRangeSerializer(serializers.Serializer[Any]):
    """Between which ranks a system lies; with 95 % all systems of a column do."""

    best = serializers.IntegerField()
    worst = serializers.IntegerField()


class SameOrderSerializer(serializers.Serializer[Any]):
    """Of the pairs of systems that people tell apart, those in the same order; low, high: of the share."""

    pairs = serializers.IntegerField()
    same = serializers.IntegerField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class ColumnUncertaintySerializer(serializers.Serializer[Any]):
    """One way of judging: ranks by system; null, with the reason in `words`, where there is no interval."""

    key = serializers.CharField()
    ranks = serializers.DictField(child=RankRangeSerializer(allow_null=True))
    same_order = SameOrderSerializer(allow_null=True)
    words = serializers.CharField(allow_blank=True)


def _order_body(order: SameOrder | Undefined) -> dict[str, Any]:
    if isinstance(order, Undefined):
        return {"same_order": None, "words": WHY[order.why]}
    low, high = interval_or_none(order.interval) or (None, None)
    found = {"pairs": order.pairs, "same": order.same, "low": low, "high": high}
    return {"same_order": found, "words": words_or_none(order.interval) or ""}


def _uncertainty_body(row: ColumnUncertainty) -> dict[str, Any]:
    return {
        "key": row.key,
        "ranks": {
            name: None if isinstance(found, Undefined) else found._asdict()
            for name, found in row.ranks.items()
        },
        **_order_body(row.same_order),
    }


class UncertaintyView(ProjectView):
    """How sure ranks are."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_leaderboard_uncertainty",
        parameters=[FilterSerializer],
        responses=ColumnUncertaintySerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Say how sure the ranks over the questions chosen are."""
        rows = read_uncertainty(project=self.project, wanted=read_filter(request))
        return Response(ColumnUncertaintySerializer(map(_uncertainty_body, rows), many=True).data)


class PairsView(ProjectView):
    """Systems two by two."""

    allowed_roles = READERS

    @operation("list_system_pairs", query=[ColumnSerializer], gives=ComparedPairs)
    def get(self, request: Request, slug: str) -> Response:
        """Compare every pair of systems by one way of judging."""
        column = read_column(request)
        found = read_pairs(project=self.project, wanted=read_filter(request), column=column)
        return reply(found)
