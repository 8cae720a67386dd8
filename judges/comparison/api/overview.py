"""HTTP for the project overview."""

from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import AdjudicatorView
from common.web.replies import operation, reply
from judges.comparison.selectors.overview import Overview, read_overview


class OverviewView(AdjudicatorView):
    """Where a project stands."""

    @operation("get_overview", gives=Overview)
    def get(self, request: Request, slug: str) -> Response:
        """Return stages, people at work, what waits, and the two numbers that matter."""
        return reply(read_overview(project=self.project))
