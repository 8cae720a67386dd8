"""HTTP for the activity log of a project, for leads."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects import selectors
from annotation.projects.api.access import LeadView
from common.requests.paging import Paged, cursor_field, cut_page, limit_field
from common.web.replies import operation, reply

ENTRIES_A_PAGE = 50


class ActivityQuerySerializer(serializers.Serializer[Any]):
    """Which page of the log."""

    limit = limit_field(ENTRIES_A_PAGE)
    cursor = cursor_field()


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
        page = cut_page(request, selectors.list_activity(self.project), query)
        entries = [selectors.describe_activity(each) for each in page.rows]
        return reply(ActivityPage(**page.place, entries=entries))
