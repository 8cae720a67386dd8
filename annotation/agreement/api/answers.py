"""HTTP for agreement among raters."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.agreement import MissingVotes
from annotation.agreement.api.figures import (
    DIMENSIONS,
    RULES,
    VIEWS,
    AgreementSerializer,
    SlicesSerializer,
)
from annotation.agreement.rules import (
    OF_ANSWERS,
    Dimension,
    LabelView,
    slice_json,
    to_json,
)
from annotation.agreement.selectors import Way, find_checks, read_report, read_slices, sign_agreement
from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView
from common.web.replies import operation

READERS = frozenset({LEAD, ADJUDICATOR})


class AgreementQuerySerializer(serializers.Serializer[Any]):
    """What is compared, and how.

    check: the key of a check about the question; empty for the answers. intervals: false leaves them out,
    which takes a fraction of the time.
    """

    missing_votes = serializers.ChoiceField(
        choices=RULES, required=False, default=MissingVotes.OWN_CATEGORY.value
    )
    labels = serializers.ChoiceField(choices=VIEWS, required=False, default=LabelView.AS_LABELLED.value)
    check = serializers.CharField(required=False, default="", allow_blank=True)
    intervals = serializers.BooleanField(required=False, default=True)


class SlicesQuerySerializer(AgreementQuerySerializer):
    """By what the study is cut."""

    by = serializers.ChoiceField(choices=DIMENSIONS)


def _way_of(query: serializers.Serializer[Any]) -> Way:
    query.is_valid(raise_exception=True)
    wanted = query.validated_data
    return Way(
        rule=MissingVotes(wanted["missing_votes"]),
        view=LabelView(wanted["labels"]),
        check=wanted["check"],
        with_intervals=wanted["intervals"],
    )


class AgreementView(ProjectView):
    """How far the first-round raters agree."""

    allowed_roles = READERS

    @operation("get_agreement", query=[AgreementQuerySerializer], gives=AgreementSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Compute agreement under one rule for missing votes."""
        way = _way_of(AgreementQuerySerializer(data=request.query_params))
        report = read_report(project=self.project, way=way)
        body = {
            **to_json(report),
            "missing_votes": way.rule,
            "signature": sign_agreement(project=self.project, way=way),
            "check_key": way.check,
            "checks": find_checks(self.project),
        }
        return Response(AgreementSerializer(body).data)


class AgreementSlicesView(ProjectView):
    """How far the first-round raters agree in each part of the study."""

    allowed_roles = READERS

    @operation("list_agreement_slices", query=[SlicesQuerySerializer], gives=SlicesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Compute agreement part by part; a way of cutting without meaning for a check has no parts."""
        query = SlicesQuerySerializer(data=request.query_params)
        way = _way_of(query)
        by = Dimension(query.validated_data["by"])
        dimensions = [each for each in Dimension if not (way.check and each in OF_ANSWERS)]
        slices = read_slices(project=self.project, way=way, by=by) if by in dimensions else []
        body = {
            "by": by,
            "signature": sign_agreement(project=self.project, way=way, by=by),
            "dimensions": dimensions,
            "slices": [slice_json(part) for part in slices],
        }
        return Response(SlicesSerializer(body).data)
