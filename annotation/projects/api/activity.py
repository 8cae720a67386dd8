"""HTTP for the activity log of a project, for leads."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects import selectors
from annotation.projects.api.access import LeadView
from common.web.replies import Paged, operation, place_of, reply, rows_a_page

ENTRIES_A_PAGE = 50


class ActivityQuerySerializer(serializers.Serializer[Any]):
    """Which page of the log."""

    page = serializers.IntegerField(required=False, default=1, min_value=1)
    rows = rows_a_page(ENTRIES_A_PAGE)


@dataclass(frozen=True)
class ActivityPage(Paged):
    """A page of the log, newest first."""

    entries: list[selectors.ActivityEntry]


class ActivityView(LeadView):
    """The activity log."""

    @operation("list_activity", query=[ActivityQuerySerializer], gives=ActivityPage)
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of what leads and adjudicators did, newest first."""
        query = self.read_query(ActivityQuerySerializer)
        page = Paginator(selectors.list_activity(self.project), query["rows"]).get_page(query["page"])
        entries = [selectors.describe_activity(each) for each in page.object_list]
        return reply(ActivityPage(**place_of(page), entries=entries))
