"""HTTP for the leaderboard and for judges against people."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.undefined import number_or_none, words_or_none
from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView
from judges.comparison.rules import Column, Kind, Leaderboard, Scope, SystemRow, Unit
from judges.comparison.selectors import judge_json, read_judge_rows, read_leaderboard

READERS = frozenset({LEAD, ADJUDICATOR})
KINDS = [kind.value for kind in Kind]


class LeaderboardQuerySerializer(serializers.Serializer[Any]):
    """Which questions scores are over."""

    scope = serializers.ChoiceField(
        choices=[scope.value for scope in Scope], required=False, default=Scope.SAMPLE.value
    )


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
    """One system."""

    system = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    description = serializers.DictField()
    n = serializers.IntegerField()
    scores = serializers.DictField(child=LeaderboardScoreSerializer(allow_null=True))
    decided_share = serializers.FloatField()
    range = serializers.ListField(child=serializers.FloatField(), allow_null=True)


class LeaderboardSerializer(serializers.Serializer[Any]):
    """Systems by ways of judging."""

    scope = serializers.ChoiceField(choices=[scope.value for scope in Scope])
    n_questions = serializers.IntegerField()
    columns = LeaderboardColumnSerializer(many=True)
    rows = LeaderboardRowSerializer(many=True)
    all_decided = serializers.BooleanField()


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
        "scores": {key: score and score._asdict() for key, score in row.scores.items()},
        "decided_share": row.decided_share,
        "range": row.range,
    }


def leaderboard_body(board: Leaderboard) -> dict[str, Any]:
    """Return a leaderboard in the shape `LeaderboardSerializer` writes."""
    return {
        "scope": board.scope.value,
        "n_questions": board.n_questions,
        "columns": [_column_body(column, board) for column in board.columns],
        "rows": [_row_body(row) for row in board.rows],
        "all_decided": board.all_decided,
    }


class LeaderboardView(ProjectView):
    """Systems by ways of judging."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_leaderboard",
        parameters=[LeaderboardQuerySerializer],
        responses=LeaderboardSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Score every system over the judged sample or over all questions."""
        query = LeaderboardQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        board = read_leaderboard(project=self.project, scope=Scope(query.validated_data["scope"]))
        return Response(LeaderboardSerializer(leaderboard_body(board)).data)


class JudgeBoardRowSerializer(serializers.Serializer[Any]):
    """One judge against people; null where undefined, with the reason in `words`.

    kind "human": a rater against the other raters; it has no run.
    """

    key = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    run = serializers.CharField(allow_blank=True)
    gold = serializers.ChoiceField(choices=["original", "amended"], allow_null=True)
    signature = serializers.CharField()
    tp = serializers.IntegerField()
    fn = serializers.IntegerField()
    fp = serializers.IntegerField()
    tn = serializers.IntegerField()
    unscored = serializers.IntegerField()
    accuracy_all = serializers.FloatField(allow_null=True)
    accuracy_scored = serializers.FloatField(allow_null=True)
    coverage = serializers.FloatField(allow_null=True)
    precision = serializers.FloatField(allow_null=True)
    recall = serializers.FloatField(allow_null=True)
    f1 = serializers.FloatField(allow_null=True)
    macro_f1 = serializers.FloatField(allow_null=True)
    cohen_kappa = serializers.FloatField(allow_null=True)
    kendall_tau_b = serializers.FloatField(allow_null=True)
    accepted_share = serializers.FloatField(allow_null=True)
    correct_share = serializers.FloatField(allow_null=True)
    words = serializers.DictField(child=serializers.CharField())


class JudgeBoardView(ProjectView):
    """Judges against people."""

    allowed_roles = READERS

    @extend_schema(operation_id="get_judge_board", responses=JudgeBoardRowSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Compare every run with people's decisions, answer by answer and system by system."""
        rows = [judge_json(row) for row in read_judge_rows(project=self.project)]
        return Response(JudgeBoardRowSerializer(rows, many=True).data)
