"""HTTP for what came out of tagging."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.figures import Undefined
from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView
from common.web.replies import operation
from judges.tagging import selectors
from judges.tagging.rules import TagShare


class TagShareSerializer(serializers.Serializer[Any]):
    """One tag: on how many of the tagged items people said it, with the interval of the share."""

    key = serializers.CharField()
    name = serializers.CharField()
    items = serializers.IntegerField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class RoundResultsSerializer(serializers.Serializer[Any]):
    """What came out of a round; an item may have several tags."""

    tagged = serializers.IntegerField()
    unattributable = serializers.IntegerField()
    tags = TagShareSerializer(many=True)


class RoundResultsView(ProjectView):
    """What came out of one round."""

    allowed_roles = frozenset({LEAD, ADJUDICATOR})

    @operation("get_tagging_results", gives=RoundResultsSerializer, errors=(404,))
    def get(self, request: Request, slug: str, tagging_round: str) -> Response:
        """Count the tags people said."""
        found = selectors.get_round(project=self.project, public_id=tagging_round)
        results = selectors.read_results(found)
        body = {
            "tagged": results.tagged,
            "unattributable": results.unattributable,
            "tags": [_share_body(share) for share in results.shares],
        }
        return Response(RoundResultsSerializer(body).data)


def _share_body(share: TagShare) -> dict[str, Any]:
    low, high = (None, None) if isinstance(share.interval, Undefined) else share.interval
    return {"key": share.tag.key, "name": share.tag.name, "items": share.items, "low": low, "high": high}
