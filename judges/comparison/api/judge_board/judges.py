"""HTTP for judges against people."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api import ProjectView
from judges.comparison.api.filters import READERS, bounds_json, figures_field
from judges.comparison.rules import Kind
from judges.comparison.rules.judge_board.beside_people import beside_figures, beside_json, figures_json
from judges.comparison.rules.judge_board.parts import JudgedPart, PartBy, reported_figures
from judges.comparison.selectors import (
    JudgeIntervals,
    JudgeRow,
    PartIntervals,
    judge_json,
    read_judge_intervals,
    read_judge_rows,
    read_part_intervals,
    read_parts,
)
from judges.connections.api import MoneyField

KINDS = [kind.value for kind in Kind]


class WeighedCellsSerializer(serializers.Serializer[Any]):
    """What a judge's counts stand for, where programs settled answers and some were drawn for people."""

    tp = serializers.FloatField()
    fn = serializers.FloatField()
    fp = serializers.FloatField()
    tn = serializers.FloatField()
    unscored = serializers.FloatField()


class BesidePeopleSerializer(serializers.Serializer[Any]):
    """A judge's counts beside people and what follows; null where undefined, with the reason in `words`.

    weighed: what the counts stand for, of which the figures are; left out where they stand for themselves.
    """

    name = serializers.CharField()
    tp = serializers.IntegerField()
    fn = serializers.IntegerField()
    fp = serializers.IntegerField()
    tn = serializers.IntegerField()
    unscored = serializers.IntegerField()
    weighed = WeighedCellsSerializer(required=False)
    accuracy_all = serializers.FloatField(allow_null=True)
    accuracy_scored = serializers.FloatField(allow_null=True)
    coverage = serializers.FloatField(allow_null=True)
    precision = serializers.FloatField(allow_null=True)
    recall = serializers.FloatField(allow_null=True)
    f1 = serializers.FloatField(allow_null=True)
    macro_f1 = serializers.FloatField(allow_null=True)
    cohen_kappa = serializers.FloatField(allow_null=True)
    gwet_ac1 = serializers.FloatField(allow_null=True)
    words = serializers.DictField(child=serializers.CharField())


class JudgeBoardRowSerializer(BesidePeopleSerializer):
    """One judge against people.

    kind "human": a rater against the other raters; it has no run. bias: accepted_share - correct_share.
    signature: what produced the row's numbers, which begins with the judge's own.
    error_multiple: its error in units of another human's. Per thousand answers: what the run took.
    left_out: of how many answers that programs settled its figures say nothing, since people have checked
    none like them.
    """

    key = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    run = serializers.CharField(allow_blank=True)
    gold = serializers.ChoiceField(choices=["original", "amended"], allow_null=True)
    signature = serializers.CharField()
    kendall_tau_b = serializers.FloatField(allow_null=True)
    accepted_share = serializers.FloatField(allow_null=True)
    correct_share = serializers.FloatField(allow_null=True)
    bias = serializers.FloatField(allow_null=True)
    error_multiple = serializers.FloatField(allow_null=True)
    cost_per_thousand = MoneyField(allow_null=True)
    seconds_per_thousand = serializers.FloatField(allow_null=True)
    has_scores = serializers.BooleanField()
    left_out = serializers.IntegerField()


def _row_body(row: JudgeRow) -> dict[str, Any]:
    body = judge_json(row)
    effort = figures_json({"cost_per_thousand": row.effort.cost, "seconds_per_thousand": row.effort.seconds})
    words = {"words": body["words"] | effort["words"]}
    return (
        body
        | effort
        | words
        | {"has_scores": row.has_scores, "left_out": row.left_out, "signature": row.signature}
    )


class JudgedAnswersSerializer(serializers.Serializer[Any]):
    """On which answers; common: on those alone that every judge with verdicts has judged."""

    common = serializers.BooleanField(required=False, default=False)


def _is_common(request: Request) -> bool:
    query = JudgedAnswersSerializer(data=request.query_params)
    query.is_valid(raise_exception=True)
    return bool(query.validated_data["common"])


class JudgeBoardView(ProjectView):
    """Judges against people."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="get_judge_board",
        parameters=[JudgedAnswersSerializer],
        responses=JudgeBoardRowSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Compare every run with people's decisions, answer by answer and system by system."""
        rows = read_judge_rows(project=self.project, on_common=_is_common(request))
        return Response(JudgeBoardRowSerializer(map(_row_body, rows), many=True).data)


class JudgeIntervalsSerializer(serializers.Serializer[Any]):
    """One row's 95 % intervals over questions, by the name of the figure; null with the reason in `words`."""

    key = serializers.CharField()
    figures = figures_field()
    words = serializers.DictField(child=serializers.CharField())


def _intervals_body(row: JudgeIntervals) -> dict[str, Any]:
    return {"key": row.key, **bounds_json(row.figures)}


class JudgeIntervalsView(ProjectView):
    """How sure judges against people are."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="list_judge_intervals",
        parameters=[JudgedAnswersSerializer],
        responses=JudgeIntervalsSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Resample the questions of all judges and raters together."""
        rows = read_judge_intervals(project=self.project, on_common=_is_common(request))
        return Response(JudgeIntervalsSerializer(map(_intervals_body, rows), many=True).data)


class PartsQuerySerializer(JudgedAnswersSerializer):
    """What the study is cut by."""

    by = serializers.ChoiceField(choices=[by.value for by in PartBy], default=PartBy.SYSTEM.value)


def _cut_of(query: PartsQuerySerializer) -> dict[str, Any]:
    chosen = query.validated_data
    return {"by": PartBy(chosen["by"]), "on_common": chosen["common"]}


class JudgedPartSerializer(BesidePeopleSerializer):
    """One part of a study; bias: accepted_share - correct_share, both of the rows with a verdict.

    error_multiple: its error in units of another human's on the same part's answers.
    """

    accepted_share = serializers.FloatField(allow_null=True)
    correct_share = serializers.FloatField(allow_null=True)
    bias = serializers.FloatField(allow_null=True)
    tp_share = serializers.FloatField(allow_null=True)
    fn_share = serializers.FloatField(allow_null=True)
    fp_share = serializers.FloatField(allow_null=True)
    tn_share = serializers.FloatField(allow_null=True)
    error_multiple = serializers.FloatField(allow_null=True)


class JudgedPartsSerializer(serializers.Serializer[Any]):
    """A judge in every part of a study, and what produced the numbers.

    weighed: each answer of the audit stands for those it was drawn among. left_out: how many that programs
    settled the figures say nothing of.
    """

    signature = serializers.CharField()
    weighed = serializers.BooleanField()
    left_out = serializers.IntegerField()
    parts = JudgedPartSerializer(many=True)


def _part_body(part: JudgedPart) -> dict[str, Any]:
    figures = beside_figures(part.beside) | reported_figures(part.beside)
    figures |= {"error_multiple": part.error_multiple}
    return {"name": part.name, **beside_json(part.beside, figures)}


class JudgedPartsView(ProjectView):
    """One judge against people, part by part."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="list_judged_parts",
        parameters=[PartsQuerySerializer],
        responses=JudgedPartsSerializer,
    )
    def get(self, request: Request, slug: str, run: str) -> Response:
        """Compare a run with people by system, answer length, question type, data set or tag."""
        query = PartsQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = read_parts(project=self.project, run=run, **_cut_of(query))
        body = {**found._asdict(), "parts": map(_part_body, found.parts)}
        return Response(JudgedPartsSerializer(body).data)


class PartIntervalsSerializer(serializers.Serializer[Any]):
    """One part's 95 % intervals over questions, by the name of the figure, as those of a judge."""

    name = serializers.CharField()
    figures = figures_field()
    words = serializers.DictField(child=serializers.CharField())


def _part_intervals_body(part: PartIntervals) -> dict[str, Any]:
    return {"name": part.name, **bounds_json(part.figures)}


class PartIntervalsView(ProjectView):
    """How sure one judge's figures are, part by part."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="list_judged_part_intervals",
        parameters=[PartsQuerySerializer],
        responses=PartIntervalsSerializer(many=True),
    )
    def get(self, request: Request, slug: str, run: str) -> Response:
        """Resample the questions of all judges and parts together."""
        query = PartsQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        parts = read_part_intervals(project=self.project, run=run, **_cut_of(query))
        return Response(PartIntervalsSerializer(map(_part_intervals_body, parts), many=True).data)
