"""HTTP for the project overview."""

from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import AdjudicatorView, LeadView
from common.web.replies import operation, reply
from judges.comparison.selectors.overview import Overview, Setup, read_overview, read_setup


class OverviewView(AdjudicatorView):
    """Where a project stands."""

    @operation("get_overview", gives=Overview)
    def get(self, request: Request, slug: str) -> Response:
        """Return stages, people at work, what waits, and the two numbers that matter."""
        return reply(read_overview(project=self.project))


class SetupView(LeadView):
    """What a project needs before people can judge it, for leads."""

    @operation("get_setup", gives=Setup)
    def get(self, request: Request, slug: str) -> Response:
        """Return what of it is there: questions, answers, the sample, people, programs."""
        return reply(read_setup(project=self.project))
