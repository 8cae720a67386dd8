"""HTTP for the project overview, and for what a study has found."""

from dataclasses import replace

from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import (
    VIEWER,
    AdjudicatorAndViewerView,
    LeadAndViewerView,
    LeadView,
    kept_reply,
)
from common.web.replies import operation, reply
from judges.comparison.selectors.overview import Overview, Setup, read_overview, read_setup
from judges.comparison.selectors.results.gist import Results, read_results


class OverviewView(AdjudicatorAndViewerView):
    """Where a project stands."""

    @operation("get_overview", gives=Overview)
    def get(self, request: Request, slug: str) -> Response:
        """Return progress, people at work, what needs attention, and the two main results.

        For viewers, people at work and what needs attention are left out.
        """
        overview = read_overview(project=self.project)
        if self.member.role == VIEWER:
            # Who works how fast, and what is to be done, is for those who run the study.
            overview = replace(overview, raters=[], needs=[])
        return reply(overview)


class SetupView(LeadView):
    """What a project needs before people can judge it, for leads."""

    @operation("get_setup", gives=Setup)
    def get(self, request: Request, slug: str) -> Response:
        """Return the project’s setup: questions, answers, the sample, people, and judges."""
        return reply(read_setup(project=self.project))


class ResultsView(LeadAndViewerView):
    """What a study has found by now, for leads and viewers."""

    @operation("get_results", gives=Results)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Return the best system, the best judge and its uses, and how certain both are."""
        return reply(read_results(project=self.project))
