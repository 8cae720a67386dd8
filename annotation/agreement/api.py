"""HTTP for agreement: over all, in parts of the study, in its pilots, and what was decided in the end."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.raters.agreement import MissingVotes
from annotation.agreement.rules.slices import Dimension
from annotation.agreement.rules.votes import LabelView
from annotation.agreement.selectors.reports import (
    Agreement,
    Decisions,
    PilotAgreement,
    Slices,
    Way,
    read_agreement,
    read_cut,
    read_decisions,
    read_pilots,
)
from annotation.projects.api.access import AdjudicatorAndViewerView, LeadView
from common.web.replies import operation, reply

RULES = [(rule.value, rule.name) for rule in MissingVotes]
VIEWS = [(view.value, view.name) for view in LabelView]
DIMENSIONS = [(dimension.value, dimension.name) for dimension in Dimension]


class AgreementQuerySerializer(serializers.Serializer[Any]):
    """What is compared, and how.

    check: the key of a check about the question; empty for the answers. intervals: false leaves them out,
    which takes a fraction of the time.
    """

    missing_votes = serializers.ChoiceField(
        choices=RULES, required=False, default=MissingVotes.OWN_CATEGORY.value
    )
    labels = serializers.ChoiceField(choices=VIEWS, required=False, default=LabelView.AS_LABELLED.value)
    check = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    intervals = serializers.BooleanField(required=False, default=True)


class SlicesQuerySerializer(AgreementQuerySerializer):
    """By what the study is cut."""

    by = serializers.ChoiceField(choices=DIMENSIONS)


def _way_of(wanted: dict[str, Any]) -> Way:
    return Way(
        rule=MissingVotes(wanted["missing_votes"]),
        view=LabelView(wanted["labels"]),
        check=wanted["check"],
        with_intervals=wanted["intervals"],
    )


class AgreementView(AdjudicatorAndViewerView):
    """How far the first-round annotators agree."""

    @operation("get_agreement", query=[AgreementQuerySerializer], gives=Agreement)
    def get(self, request: Request, slug: str) -> Response:
        """Compute agreement under one rule for missing votes."""
        way = _way_of(self.read_query(AgreementQuerySerializer))
        return reply(read_agreement(project=self.project, way=way))


class AgreementSlicesView(AdjudicatorAndViewerView):
    """How far the first-round annotators agree in each part of the study."""

    @operation("list_agreement_slices", query=[SlicesQuerySerializer], gives=Slices)
    def get(self, request: Request, slug: str) -> Response:
        """Break agreement down by one dimension; `slices` is empty if the dimension does not apply to the
        check."""
        wanted = self.read_query(SlicesQuerySerializer)
        return reply(read_cut(project=self.project, way=_way_of(wanted), by=Dimension(wanted["by"])))


class PilotAgreementView(LeadView):
    """How far annotators agree in the pilots."""

    @operation("list_pilot_agreement", gives=list[PilotAgreement])
    def get(self, request: Request, slug: str) -> Response:
        """Compute agreement for each pilot, newest first."""
        return reply(read_pilots(project=self.project))


class DecisionsView(AdjudicatorAndViewerView):
    """How many answers were decided to be what."""

    @operation("list_decision_counts", gives=Decisions)
    def get(self, request: Request, slug: str) -> Response:
        """Count current decisions by label and source, with 95% intervals clustered by question."""
        return reply(read_decisions(project=self.project))
