"""HTTP for systems by ways of judging, data set by data set."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import ProjectView
from judges.comparison.api.filters import READERS, FilterSerializer, read_filter
from judges.comparison.api.leaderboard.standings import KINDS, LeaderboardScoreSerializer
from judges.comparison.rules.leaderboard import SCORE_INTERVAL
from judges.comparison.selectors.leaderboard import ByDataset, read_by_dataset
from judges.comparison.selectors.study import sign_comparison


class DatasetSerializer(serializers.Serializer[Any]):
    """A data set; "" gathers questions without one; pending: answers that people may yet decide."""

    name = serializers.CharField(allow_blank=True)
    questions = serializers.IntegerField()
    pending = serializers.IntegerField()


class DatasetSystemSerializer(serializers.Serializer[Any]):
    """A system with an answer to any of the questions."""

    system = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class DatasetRowSerializer(serializers.Serializer[Any]):
    """A data set by one way of judging: scores by system, without ranks."""

    dataset = serializers.CharField(allow_blank=True)
    column = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    signature = serializers.CharField()
    scores = serializers.DictField(child=LeaderboardScoreSerializer(allow_null=True))


class ByDatasetSerializer(serializers.Serializer[Any]):
    """Data set by way of judging by system; programs_share: of answers, what rules of pre-judging decided."""

    signature = serializers.CharField()
    datasets = DatasetSerializer(many=True)
    systems = DatasetSystemSerializer(many=True)
    rows = DatasetRowSerializer(many=True)
    programs_share = serializers.FloatField()


def _body(found: ByDataset) -> dict[str, Any]:
    return {
        "programs_share": found.programs_share,
        "datasets": [dataset._asdict() for dataset in found.datasets],
        "systems": [{"system": system.name, "label": system.label} for system in found.systems],
        "rows": [
            {
                "dataset": row.dataset,
                "column": row.column.key,
                "name": row.column.name,
                "kind": row.column.kind.value,
                "signature": row.column.signature,
                "scores": {name: score and score._asdict() for name, score in row.scores.items()},
            }
            for row in found.rows
        ],
    }


class ByDatasetView(ProjectView):
    """Systems by ways of judging, data set by data set."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_leaderboard_by_dataset",
        parameters=[FilterSerializer],
        responses=ByDatasetSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Score every system on each data set of the questions chosen."""
        wanted = read_filter(request)
        found = read_by_dataset(project=self.project, wanted=wanted)
        judges = {row.column.signature for row in found.rows}
        signature = sign_comparison(
            self.project,
            "leaderboard",
            wanted=wanted,
            judges=judges,
            by="dataset",
            scores=SCORE_INTERVAL,
            has_intervals=False,
        )
        return Response(ByDatasetSerializer({**_body(found), "signature": signature}).data)
