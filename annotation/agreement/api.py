"""HTTP for agreement among raters."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.agreement import MissingVotes
from annotation.agreement.rules import measure_agreement, to_json
from annotation.agreement.selectors import read_first_round
from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView

RULES = [rule.value for rule in MissingVotes]


class AgreementQuerySerializer(serializers.Serializer[Any]):
    """What stands for a vote that was not given."""

    missing_votes = serializers.ChoiceField(
        choices=RULES, required=False, default=MissingVotes.OWN_CATEGORY.value
    )


class PairAgreementSerializer(serializers.Serializer[Any]):
    """Two raters, under their pseudonyms."""

    a = serializers.CharField()
    b = serializers.CharField()
    items = serializers.IntegerField()
    observed = serializers.FloatField(allow_null=True)
    cohen = serializers.FloatField(allow_null=True)
    words = serializers.CharField(allow_blank=True)


class AgreementSerializer(serializers.Serializer[Any]):
    """Every figure of one rule; null where undefined, with the reason in `words`."""

    missing_votes = serializers.ChoiceField(choices=RULES)
    rule_text = serializers.CharField()
    raters = serializers.IntegerField()
    items = serializers.IntegerField()
    disagreements = serializers.IntegerField()
    observed_agreement = serializers.FloatField(allow_null=True)
    cohen_kappa = serializers.FloatField(allow_null=True)
    fleiss_kappa = serializers.FloatField(allow_null=True)
    krippendorff_alpha = serializers.FloatField(allow_null=True)
    gwet_ac1 = serializers.FloatField(allow_null=True)
    interval = serializers.DictField(
        child=serializers.ListField(child=serializers.FloatField(), allow_null=True)
    )
    words = serializers.DictField(child=serializers.CharField())
    band = serializers.CharField(allow_blank=True)
    distribution = serializers.DictField(child=serializers.IntegerField())
    pairs = PairAgreementSerializer(many=True)


class AgreementView(ProjectView):
    """How far the first-round raters agree."""

    allowed_roles = frozenset({LEAD, ADJUDICATOR})

    @extend_schema(
        operation_id="get_agreement", parameters=[AgreementQuerySerializer], responses=AgreementSerializer
    )
    def get(self, request: Request, slug: str) -> Response:
        """Compute agreement under one rule for missing votes."""
        query = AgreementQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        rule = MissingVotes(query.validated_data["missing_votes"])
        report = measure_agreement(read_first_round(project=self.project), rule=rule)
        return Response(AgreementSerializer(to_json(report)).data)
