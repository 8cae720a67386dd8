"""The form in JSON of any two on the same rows: systems by one way of judging, or judges beside people."""

from typing import Any

from rest_framework import serializers

from analysis.figures import number_or_none
from common.figures import words_or_none
from judges.comparison.api.filters import interval_field, interval_or_none
from judges.comparison.rules.boards import ComparedPair, ComparedPairs


class ComparedPairSerializer(serializers.Serializer[Any]):
    """Two on the rows both have; null where undefined, with the reason in `words`.

    rows: questions of systems, answers of judges. p_value: of verdicts McNemar's, of judges by whole
    questions, of what has weights or is a mean Student's; corrected by Holm. first_only, second_only: rows
    that one alone has right. mcnemar_p: exact over rows, not corrected.
    """

    first = serializers.CharField()
    second = serializers.CharField()
    rows = serializers.IntegerField()
    difference = serializers.FloatField(allow_null=True)
    interval = interval_field()
    p_value = serializers.FloatField(allow_null=True)
    is_distinguishable = serializers.BooleanField()
    first_only = serializers.IntegerField(allow_null=True)
    second_only = serializers.IntegerField(allow_null=True)
    mcnemar_p = serializers.FloatField(allow_null=True)
    words = serializers.CharField(allow_blank=True)


class ComparedPairsSerializer(serializers.Serializer[Any]):
    """Every two, and what produced the numbers."""

    signature = serializers.CharField()
    pairs = ComparedPairSerializer(many=True)


def compared_body(found: ComparedPairs) -> dict[str, Any]:
    """Return what `ComparedPairsSerializer` writes."""
    return {"signature": found.signature, "pairs": list(map(_pair_body, found.pairs))}


def _pair_body(pair: ComparedPair) -> dict[str, Any]:
    found = pair.difference
    return {
        "first": pair.first,
        "second": pair.second,
        "rows": found.rows,
        "difference": number_or_none(found.difference),
        "interval": interval_or_none(found.interval),
        "p_value": number_or_none(pair.p_value),
        "is_distinguishable": pair.is_distinguishable,
        "first_only": pair.mcnemar and pair.mcnemar.first_only,
        "second_only": pair.mcnemar and pair.mcnemar.second_only,
        "mcnemar_p": number_or_none(pair.mcnemar.p_value) if pair.mcnemar else None,
        "words": words_or_none(found.difference) or words_or_none(found.interval) or "",
    }
