"""HTTP for judges beside each other, and prompts side by side."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.figures import Value
from annotation.projects.api import ProjectView
from judges.comparison.api.compared_pairs import ComparedPairsSerializer, compared_body
from judges.comparison.api.filters import READERS, bounds_json, figures_field, interval_field
from judges.comparison.rules.judge_board.beside_people import Beside, counts_json, figures_json
from judges.comparison.rules.judge_board.pairs import JudgePair
from judges.comparison.selectors.judge_board.pairs import read_judge_differences, read_judge_pairs
from judges.comparison.selectors.judge_board.strategies import (
    Strategies,
    Strategy,
    StrategyIntervals,
    read_strategies,
    read_strategy_intervals,
)


class NamedJudgeSerializer(serializers.Serializer[Any]):
    """A run, or `people`."""

    id = serializers.CharField()
    name = serializers.CharField()


class JudgePairSerializer(serializers.Serializer[Any]):
    """Two on the answers both judged; null where undefined, with the reason in `words`."""

    first = serializers.CharField()
    second = serializers.CharField()
    answers = serializers.IntegerField()
    first_only = serializers.IntegerField()
    second_only = serializers.IntegerField()
    agreement = serializers.FloatField(allow_null=True)
    agreement_interval = interval_field()
    cohen_kappa = serializers.FloatField(allow_null=True)
    kappa_interval = interval_field()
    words = serializers.DictField(child=serializers.CharField())


class JudgePairsSerializer(serializers.Serializer[Any]):
    """Judges in the order of the board, people first; first_only: accepted by the first alone."""

    signature = serializers.CharField()
    judges = NamedJudgeSerializer(many=True)
    pairs = JudgePairSerializer(many=True)


def _pair_body(pair: JudgePair) -> dict[str, Any]:
    figures = {
        "agreement": pair.beside.figures["accuracy_scored"],
        "agreement_interval": pair.agreement,
        "cohen_kappa": pair.beside.figures["cohen_kappa"],
        "kappa_interval": pair.kappa,
    }
    return {
        "first": pair.first,
        "second": pair.second,
        "answers": pair.beside.confusion.scored,
        "first_only": pair.beside.confusion.false_negative,
        "second_only": pair.beside.confusion.false_positive,
        **figures_json(figures),
    }


class JudgePairsView(ProjectView):
    """Judges two by two."""

    allowed_roles = READERS

    @extend_schema(operation_id="get_judge_pairs", responses=JudgePairsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Compare people and every run with each other."""
        found = read_judge_pairs(project=self.project)
        body = {
            "signature": found.signature,
            "judges": [{"id": key, "name": name} for key, name in found.names.items()],
            "pairs": [_pair_body(pair) for pair in found.pairs],
        }
        return Response(JudgePairsSerializer(body).data)


class ComparedJudgesSerializer(ComparedPairsSerializer):
    """Every two judges by their accuracy beside people; judges: runs in the order of the board."""

    judges = NamedJudgeSerializer(many=True)


class JudgeDifferencesView(ProjectView):
    """Judges two by two, each beside people."""

    allowed_roles = READERS

    @extend_schema(operation_id="get_judge_differences", responses=ComparedJudgesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Test every two judges on the answers that people decided and both scored."""
        names, found = read_judge_differences(project=self.project)
        body = compared_body(found) | {"judges": [{"id": key, "name": name} for key, name in names.items()]}
        return Response(ComparedJudgesSerializer(body).data)


class StrategySystemSerializer(serializers.Serializer[Any]):
    """One system's decided answers under one prompt."""

    system = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    tp = serializers.IntegerField()
    fn = serializers.IntegerField()
    fp = serializers.IntegerField()
    tn = serializers.IntegerField()
    unscored = serializers.IntegerField()
    accuracy = serializers.FloatField(allow_null=True)
    f1 = serializers.FloatField(allow_null=True)
    words = serializers.DictField(child=serializers.CharField())


class StrategySerializer(serializers.Serializer[Any]):
    """One run of the LLM judge; systems: all answers first (an empty name), then each system's.

    difference: accuracy minus that of the model's first run, on `shared` answers that both scored.
    """

    run = serializers.CharField()
    name = serializers.CharField()
    signature = serializers.CharField()
    model = serializers.CharField(allow_blank=True)
    prompt = serializers.CharField(allow_blank=True)
    systems = StrategySystemSerializer(many=True)
    shared = serializers.IntegerField()
    difference = serializers.FloatField(allow_null=True)
    interval = interval_field()
    words = serializers.DictField(child=serializers.CharField())


def _strategy_body(row: Strategy, found: Strategies) -> dict[str, Any]:
    parts = {"": row.beside, **row.systems}
    return {
        "run": row.run,
        "name": row.name,
        "signature": row.signature,
        "model": row.model,
        "prompt": row.prompt,
        "systems": [
            {
                "system": name,
                "label": found.systems.get(name, ""),
                **counts_json(part.confusion, _two(part)),
            }
            for name, part in parts.items()
        ],
        "shared": row.difference.rows,
        **figures_json({"difference": row.difference.difference, "interval": row.difference.interval}),
    }


def _two(part: Beside) -> dict[str, Value]:
    found = part.figures
    return {"accuracy": found["accuracy_all"], "f1": found["f1"]}


class StrategiesView(ProjectView):
    """Prompts side by side."""

    allowed_roles = READERS

    @extend_schema(operation_id="list_judge_strategies", responses=StrategySerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Compare the runs of the LLM judge by model and prompt, over all and by system."""
        found = read_strategies(project=self.project)
        rows = [_strategy_body(row, found) for row in found.rows]
        return Response(StrategySerializer(rows, many=True).data)


class StrategySystemIntervalsSerializer(serializers.Serializer[Any]):
    """95 % intervals over questions of one system's figures, by the names the judge board has for them."""

    system = serializers.CharField()
    figures = figures_field()
    words = serializers.DictField(child=serializers.CharField())


class StrategyIntervalsSerializer(serializers.Serializer[Any]):
    """How sure one run's figures are; systems: all answers first (an empty name), then each system's."""

    run = serializers.CharField()
    systems = StrategySystemIntervalsSerializer(many=True)


def _strategy_intervals_body(row: StrategyIntervals) -> dict[str, Any]:
    parts = {"": row.whole, **row.systems}
    return {
        "run": row.run,
        "systems": [{"system": name, **bounds_json(figures)} for name, figures in parts.items()],
    }


class StrategyIntervalsView(ProjectView):
    """How sure the figures of prompts side by side are."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="list_judge_strategy_intervals", responses=StrategyIntervalsSerializer(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Resample the questions of all runs and systems together."""
        rows = read_strategy_intervals(project=self.project)
        return Response(StrategyIntervalsSerializer(map(_strategy_intervals_body, rows), many=True).data)
