"""The questions that a page of comparison is about, as every such page reads them from its address."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from analysis.intervals import Interval
from analysis.undefined import Undefined
from annotation.projects.api import ADJUDICATOR, LEAD
from judges.comparison.rules import Filter, Part, Scope

READERS = frozenset({LEAD, ADJUDICATOR})


class FilterSerializer(serializers.Serializer[Any]):
    """Which questions and systems count; `largest_bytes` leaves out heavier systems and unknown sizes."""

    scope = serializers.ChoiceField(
        choices=[scope.value for scope in Scope], required=False, default=Scope.SAMPLE.value
    )
    part = serializers.ChoiceField(
        choices=[part.value for part in Part], required=False, default=Part.ALL.value
    )
    dataset = serializers.CharField(required=False, default="", allow_blank=True, max_length=100)
    tag = serializers.CharField(required=False, default="", allow_blank=True, max_length=100)
    largest_bytes = serializers.IntegerField(required=False, default=None, allow_null=True, min_value=1)


def read_filter(request: Request) -> Filter:
    """Return what the address asks for; raises a validation error that names the parameter."""
    query = FilterSerializer(data=request.query_params)
    query.is_valid(raise_exception=True)
    chosen = query.validated_data
    return Filter(
        scope=Scope(chosen["scope"]),
        part=Part(chosen["part"]),
        dataset=chosen["dataset"],
        tag=chosen["tag"],
        largest_bytes=chosen["largest_bytes"],
    )


def interval_or_none(interval: Interval | Undefined) -> list[float] | None:
    """Return both ends, or None where there is no interval."""
    return None if isinstance(interval, Undefined) else list(interval)
