"""HTTP for systems beside each other."""

from dataclasses import dataclass

from django.core.paginator import Paginator
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import AdjudicatorView
from common.web.replies import Paged, operation, place_of, reply
from judges.comparison.api.filters import FilterSerializer, read_filter
from judges.comparison.api.leaderboard import BoundedForm
from judges.comparison.rules.systems import SystemsBoard
from judges.comparison.selectors.systems import find_questions_right_by, read_systems

QUESTIONS_A_PAGE = 50


class RightByForm(FilterSerializer):
    """Which questions are listed: those that so many systems have right."""

    right_by = serializers.IntegerField(min_value=0)
    page = serializers.IntegerField(required=False, default=1, min_value=1)


class SystemsBoardView(AdjudicatorView):
    """Systems beside each other."""

    @operation("get_systems_board", query=[BoundedForm], gives=SystemsBoard)
    def get(self, request: Request, slug: str) -> Response:
        """Say where systems agree and what they could do together, by people's word."""
        intervals = self.read_query(BoundedForm)["intervals"]
        return reply(read_systems(project=self.project, wanted=read_filter(request), intervals=intervals))


@dataclass(frozen=True)
class RightByQuestion:
    """A question with its gold answers as imported, in the order of the file."""

    id: str
    question: str
    gold: list[str]


@dataclass(frozen=True)
class RightByPage(Paged):
    """A page of questions."""

    questions: list[RightByQuestion]


class RightByQuestionsView(AdjudicatorView):
    """Easy and hard questions."""

    @operation("list_questions_right_by", query=[RightByForm], gives=RightByPage)
    def get(self, request: Request, slug: str) -> Response:
        """List the questions that so many systems have right; a page past the end is the last one."""
        asked, wanted = self.read_query(RightByForm), read_filter(request)
        if wanted.chooses_systems:
            self.require_sees_systems()
        found = find_questions_right_by(project=self.project, wanted=wanted, systems=asked["right_by"])
        page = Paginator(found, QUESTIONS_A_PAGE).get_page(asked["page"])
        questions = [
            RightByQuestion(each.public_id, each.text, [gold.text for gold in each.gold_answers.all()])
            for each in page.object_list
        ]
        return reply(RightByPage(**place_of(page), questions=questions))
