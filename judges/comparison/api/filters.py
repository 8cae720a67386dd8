"""The questions that a page of comparison is about, as every such page reads them from its address."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import AdjudicatorView
from common.web.replies import NumberField, operation, reply
from judges.comparison.rules.study import Filter, Part, Scope
from judges.comparison.selectors.study import FilterChoices, read_choices


class IntervalsForm(serializers.Serializer[Any]):
    """Whether to say how sure each figure is, too, which takes longer."""

    intervals = serializers.BooleanField(required=False, default=False)


class FilterSerializer(serializers.Serializer[Any]):
    """Which questions and systems count.

    largest_bytes leaves out heavier systems and unknown sizes; least_share those with a smaller share of
    right answers, and unknown sizes.
    """

    scope = serializers.ChoiceField(
        choices=[scope.value for scope in Scope], required=False, default=Scope.SAMPLE.value
    )
    part = serializers.ChoiceField(
        choices=[part.value for part in Part], required=False, default=Part.ALL.value
    )
    dataset = serializers.CharField(required=False, default="", allow_blank=True, max_length=100)
    tag = serializers.CharField(required=False, default="", allow_blank=True, max_length=100)
    largest_bytes = serializers.IntegerField(required=False, default=None, allow_null=True, min_value=1)
    least_share = NumberField(required=False, default=None, allow_null=True, min_value=0, max_value=1)


def read_filter(request: Request) -> Filter:
    """Return what the address asks for; raises a validation error that names the parameter."""
    query = FilterSerializer(data=request.query_params)
    query.is_valid(raise_exception=True)
    chosen = query.validated_data
    return Filter(**{**chosen, "scope": Scope(chosen["scope"]), "part": Part(chosen["part"])})


class FilterChoicesView(AdjudicatorView):
    """What the pages of comparison can be filtered by."""

    @operation("get_filter_choices", gives=FilterChoices)
    def get(self, request: Request, slug: str) -> Response:
        """List data sets, tags, and what is known of questions and systems."""
        return reply(read_choices(project=self.project))
