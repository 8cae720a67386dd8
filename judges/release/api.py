"""HTTP for what leaves that needs people’s and programs’ facts."""

from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import AdjudicatorView
from common.web.replies import operation, reply
from judges.release.rules.methods import Methods
from judges.release.selectors import read_methods


class MethodsView(AdjudicatorView):
    """The study in sentences, for a paper."""

    @operation("get_methods", gives=Methods)
    def get(self, request: Request, slug: str) -> Response:
        """Say how the study was judged and what came out."""
        return reply(read_methods(project=self.project))
