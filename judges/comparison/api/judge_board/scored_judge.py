"""HTTP for what judges' scores are worth: other thresholds, and probabilities beside shares."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import ProjectView
from common.figures import words_or_none
from common.web.http import ErrorSerializer
from judges.comparison.api.filters import (
    READERS,
    bounds_json,
    figures_field,
    interval_field,
    interval_or_none,
)
from judges.comparison.rules.judge_board.beside_people import figures_json
from judges.comparison.rules.judge_board.scored_judge import BoundBin, ScoredJudge
from judges.comparison.selectors.judge_board.judges import (
    read_scored_judge,
    read_threshold_intervals,
    sign_scored_judge,
)


class ThresholdSerializer(serializers.Serializer[Any]):
    """Accepting from a threshold on: right and wrong answers accepted; null: not known, or none."""

    threshold = serializers.FloatField(allow_null=True)
    true_positive = serializers.FloatField()
    false_positive = serializers.FloatField()


class ReliabilityBinSerializer(serializers.Serializer[Any]):
    """Answers whose probability lies above `low` and up to `high`; interval: of correct_share, or `words`."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    rows = serializers.IntegerField()
    mean_probability = serializers.FloatField()
    correct_share = serializers.FloatField()
    interval = interval_field()
    words = serializers.CharField(allow_blank=True)


class ScoredJudgeSerializer(serializers.Serializer[Any]):
    """A judge's scores over so many decided `answers`, which stand for `rows`; people accept `positives`.

    Where programs settled answers all other counts are of what the decided ones stand for, and need not be
    whole.
    points: thresholds to draw, the highest first. chosen: by the verdicts as they are. best: chosen on these
    very answers. other_thresholds: least and largest of those chosen on other questions; gain: the accuracy
    they give there beyond that of the verdicts. calibration_by_chance: the error that a judge whose
    probabilities are right has here on average; calibration_p_value: how often it has this much. Null where
    undefined, with the reason in `words`.
    """

    signature = serializers.CharField()
    answers = serializers.IntegerField()
    rows = serializers.FloatField()
    positives = serializers.FloatField()
    points = ThresholdSerializer(many=True)
    chosen = ThresholdSerializer()
    best = ThresholdSerializer()
    bins = ReliabilityBinSerializer(many=True)
    roc_area = serializers.FloatField(allow_null=True)
    roc_interval = interval_field()
    average_precision = serializers.FloatField(allow_null=True)
    other_thresholds = interval_field()
    gain = serializers.FloatField(allow_null=True)
    gain_interval = interval_field()
    calibration_error = serializers.FloatField(allow_null=True)
    calibration_by_chance = serializers.FloatField(allow_null=True)
    calibration_p_value = serializers.FloatField(allow_null=True)
    words = serializers.DictField(child=serializers.CharField())


def _body(judge: ScoredJudge) -> dict[str, Any]:
    figures = {
        "roc_area": judge.roc_area,
        "roc_interval": judge.roc_interval,
        "average_precision": judge.average_precision,
        "other_thresholds": judge.other_thresholds,
        "gain": judge.gain.difference,
        "gain_interval": judge.gain.interval,
        "calibration_error": judge.calibration.error,
        "calibration_by_chance": judge.calibration.by_chance,
        "calibration_p_value": judge.calibration.p_value,
    }
    return {
        "answers": judge.answers,
        "rows": judge.rows,
        "positives": judge.positives,
        "points": [point._asdict() for point in judge.points],
        "chosen": judge.chosen._asdict(),
        "best": judge.best._asdict(),
        "bins": [_bin_body(each) for each in judge.calibration.bins],
        **figures_json(figures),
    }


def _bin_body(each: BoundBin) -> dict[str, Any]:
    return {
        **each.found._asdict(),
        "interval": interval_or_none(each.interval),
        "words": words_or_none(each.interval) or "",
    }


class ScoredJudgeView(ProjectView):
    """What a judge's scores are worth."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_judge_thresholds", responses={200: ScoredJudgeSerializer, 404: ErrorSerializer}
    )
    def get(self, request: Request, slug: str, run: str) -> Response:
        """Sweep the threshold of a run over the answers that people decided."""
        found = read_scored_judge(project=self.project, run=run)
        signature = sign_scored_judge(project=self.project, run=run)
        return Response(ScoredJudgeSerializer({**_body(found), "signature": signature}).data)


class LineIntervalsSerializer(serializers.Serializer[Any]):
    """95 % intervals over questions of one line's figures, by the names the judge board has for them."""

    figures = figures_field()
    words = serializers.DictField(child=serializers.CharField())


class ThresholdIntervalsSerializer(serializers.Serializer[Any]):
    """How sure a judge's thresholds are; points: in the order of the thresholds themselves."""

    points = LineIntervalsSerializer(many=True)
    chosen = LineIntervalsSerializer()
    best = LineIntervalsSerializer()
    average_precision = interval_field()
    words = serializers.DictField(child=serializers.CharField())


class ThresholdIntervalsView(ProjectView):
    """How sure the figures of other thresholds are."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_judge_threshold_intervals",
        responses={200: ThresholdIntervalsSerializer, 404: ErrorSerializer},
    )
    def get(self, request: Request, slug: str, run: str) -> Response:
        """Resample the questions of the answers that a run gave scores."""
        found = read_threshold_intervals(project=self.project, run=run)
        body = {
            "points": [bounds_json(figures) for figures in found.points],
            "chosen": bounds_json(found.chosen),
            "best": bounds_json(found.best),
            **figures_json({"average_precision": found.average_precision}),
        }
        return Response(ThresholdIntervalsSerializer(body).data)
