"""HTTP for what leaves that needs people’s and programs’ facts."""

from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import AdjudicatorAndViewerView, kept_reply
from common.web.replies import operation, reply
from judges.release.rules.methods import Methods
from judges.release.rules.tables import PaperTables
from judges.release.selectors import read_methods, read_tables


class MethodsView(AdjudicatorAndViewerView):
    """The study in sentences, for a paper."""

    @operation("get_methods", gives=Methods)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Return the methods paragraph."""
        return reply(read_methods(project=self.project))


class PaperTablesView(AdjudicatorAndViewerView):
    """The tables of systems and of judges, for a paper."""

    @operation("get_paper_tables", gives=PaperTables)
    @kept_reply
    def get(self, request: Request, slug: str) -> Response:
        """Return the two paper tables (systems and judges) as text, CSV, and LaTeX."""
        return reply(read_tables(project=self.project))
