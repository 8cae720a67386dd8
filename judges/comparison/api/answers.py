"""HTTP for one answer's whole history."""

from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import AdjudicatorAndViewerView
from common.web.replies import operation, reply, reply_of
from judges.comparison.selectors.answers import AnswerHistory, Correction, read_history

reply_of(Correction, "QuestionCorrection")


class AnswerHistoryView(AdjudicatorAndViewerView):
    """One answer."""

    @operation("get_answer", gives=AnswerHistory)
    def get(self, request: Request, slug: str, candidate: str) -> Response:
        """Return the answer’s predictions, votes with revisions, decisions, gold changes, and verdicts."""
        return reply(read_history(project=self.project, public_id=candidate, with_systems=self.sees_systems))
