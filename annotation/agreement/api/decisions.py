"""HTTP for what was decided."""

from itertools import chain
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.agreement.api.figures import interval_field
from annotation.agreement.rules import intervals_json, words_of
from annotation.agreement.selectors import bound_decisions, count_decisions, sign_decisions
from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView
from common.web.replies import operation


class LabelDecidedSerializer(serializers.Serializer[Any]):
    """One label: how many decisions say so, and of these how many by each source."""

    label = serializers.CharField()  # type: ignore[assignment]
    name = serializers.CharField()
    count = serializers.IntegerField()
    sources = serializers.DictField(child=serializers.IntegerField())


class DecisionCountsSerializer(serializers.Serializer[Any]):
    """Every label, and what produced the numbers."""

    signature = serializers.CharField()
    labels = LabelDecidedSerializer(many=True)


class DecisionCountsView(ProjectView):
    """How many answers were decided to be what."""

    allowed_roles = frozenset({LEAD, ADJUDICATOR})

    @operation("list_decision_counts", gives=DecisionCountsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Count the decisions in force by label and source."""
        body = {
            "signature": sign_decisions(self.project),
            "labels": count_decisions(project=self.project),
        }
        return Response(DecisionCountsSerializer(body).data)


class DecisionIntervalsSerializer(serializers.Serializer[Any]):
    """95 % intervals over questions of shares of all decisions, by label and by source.

    words: why there is none, under "labels." or "sources." and the name.
    """

    labels = serializers.DictField(child=interval_field())
    sources = serializers.DictField(child=interval_field())
    words = serializers.DictField(child=serializers.CharField())


class DecisionIntervalsView(ProjectView):
    """How sure the shares of what was decided are."""

    allowed_roles = frozenset({LEAD, ADJUDICATOR})

    @operation("get_decision_intervals", gives=DecisionIntervalsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Resample the questions that decisions are of."""
        found = bound_decisions(project=self.project)._asdict()
        words = [words_of(bounds, prefix=f"{by}.").items() for by, bounds in found.items()]
        body = {
            **{by: intervals_json(bounds) for by, bounds in found.items()},
            "words": dict(chain.from_iterable(words)),
        }
        return Response(DecisionIntervalsSerializer(body).data)
