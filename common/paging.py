"""Lists that are read page by page: what every such reply says beside its rows."""

from typing import Any

from django.core.paginator import Page
from rest_framework import serializers


class PageSerializer(serializers.Serializer[Any]):
    """Which page this is, of how many, and how many rows they have together."""

    count = serializers.IntegerField()
    page = serializers.IntegerField()
    page_count = serializers.IntegerField()


def page_body(page: Page[Any]) -> dict[str, int]:
    """Return what `PageSerializer` writes; the rows come beside it."""
    return {"count": page.paginator.count, "page": page.number, "page_count": page.paginator.num_pages}
