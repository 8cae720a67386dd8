"""Shares with their intervals over HTTP."""

from typing import Any

from rest_framework import serializers

from analysis.figures import number_or_none
from analysis.sampling import Share
from common.figures import words_or_none
from judges.comparison.api.filters import interval_or_none


class ShareSerializer(serializers.Serializer[Any]):
    """A share with its 95 % interval over questions; null where undefined, `words` say why."""

    share = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    words = serializers.CharField(allow_blank=True)


def share_body(share: Share) -> dict[str, Any]:
    """Return a share in that form."""
    words = words_or_none(share.value) or words_or_none(share.interval) or ""
    return {
        "share": number_or_none(share.value),
        "interval": interval_or_none(share.interval),
        "words": words,
    }
