"""HTTP for answers: the list, and one answer's whole history."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.raters.agreement import MissingVotes
from annotation.agreement.api import DIMENSIONS, RULES, VIEWS
from annotation.agreement.rules.slices import OF_SYSTEMS
from annotation.agreement.rules.votes import LabelView
from annotation.agreement.selectors.reports import Way
from annotation.items.models import System
from annotation.projects.api.access import LEAD, AdjudicatorView, WrongRole
from annotation.projects.models import Project
from common.web.replies import Paged, operation, place_of, reply, reply_of
from judges.comparison.api.boards import WantedBoardForm, wanted_board
from judges.comparison.selectors.answers import (
    STATES,
    AnswerHistory,
    AnswerLine,
    Correction,
    describe_answers,
    find_answers,
    read_found,
    read_history,
)

ANSWERS_A_PAGE = 50
reply_of(Correction, "QuestionCorrection")


class AnswersQuerySerializer(WantedBoardForm):
    """Which answers are asked for; `errors_of` is the id of a run, `part` a part of the study cut `by`.

    missing_votes, labels: how votes are read where the state is that first raters differ. check: the key of a
    check about the question; what differs then are its answers. raters: two pseudonyms as `R-1~R-2`, for
    leads; only where these two differ.
    accepted_by, rejected_by, unscored_by: the id of a run, or `people`, over what the judge board counts.
    With a `column`, those behind a cell of a failure board; without a `row`, behind the column's rate.
    """

    search = serializers.CharField(required=False, default="", allow_blank=True)
    state = serializers.ChoiceField(choices=STATES, required=False, default="", allow_blank=True)
    missing_votes = serializers.ChoiceField(
        choices=RULES, required=False, default=MissingVotes.OWN_CATEGORY.value
    )
    labels = serializers.ChoiceField(choices=VIEWS, required=False, default=LabelView.AS_LABELLED.value)
    check = serializers.CharField(required=False, default="", allow_blank=True)
    raters = serializers.RegexField(r"^[^~]+~[^~]+$", required=False, default="", allow_blank=True)
    errors_of = serializers.CharField(required=False, default="", allow_blank=True)
    accepted_by = serializers.CharField(required=False, default="", allow_blank=True)
    rejected_by = serializers.CharField(required=False, default="", allow_blank=True)
    unscored_by = serializers.CharField(required=False, default="", allow_blank=True)
    by = serializers.ChoiceField(choices=DIMENSIONS, required=False, default="", allow_blank=True)
    part = serializers.CharField(required=False, default="", allow_blank=True)
    question = serializers.CharField(required=False, default="", allow_blank=True)
    row = serializers.CharField(required=False, default="", allow_blank=True)
    column = serializers.CharField(required=False, default="", allow_blank=True)
    page = serializers.IntegerField(required=False, default=1, min_value=1)


@dataclass(frozen=True)
class AnswerPage(Paged):
    """A page of answers; of a check, `questions` says of how many questions they are."""

    questions: int | None
    answers: list[AnswerLine]


FILTERS = (
    "search",
    "state",
    "errors_of",
    "accepted_by",
    "rejected_by",
    "unscored_by",
    "by",
    "part",
    "question",
)


def _wanted_answers(query: dict[str, Any]) -> dict[str, Any]:
    cell = (wanted_board(query), query["row"], query["column"]) if query["column"] else None
    way = Way(
        rule=MissingVotes(query["missing_votes"]), view=LabelView(query["labels"]), check=query["check"]
    )
    raters = query["raters"].split("~") if query["raters"] else ()
    return {**{name: query[name] for name in FILTERS}, "way": way, "raters": raters, "cell": cell}


def _is_by_system(wanted: Mapping[str, Any], *, project: Project) -> bool:
    """Whether the answers asked for are those of certain systems."""
    if wanted["by"] in OF_SYSTEMS:
        return True
    if not wanted["cell"]:
        return False
    board, _, column = wanted["cell"]
    return bool(board.system) or System.objects.filter(project=project, name=column).exists()


class AnswersView(AdjudicatorView):
    """The answers of a project."""

    @operation("list_answers", query=[AnswersQuerySerializer], gives=AnswerPage)
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of answers; a page past the end is the last one."""
        query = self.read_query(AnswersQuerySerializer)
        wanted = _wanted_answers(query)
        if wanted["raters"] and self.member.role != LEAD:
            raise WrongRole("Only leads see on which answers two raters differ.")
        if _is_by_system(wanted, project=self.project):
            self.require_sees_systems()
        found = read_found(find_answers(project=self.project, **wanted))
        page = Paginator(found.ids, ANSWERS_A_PAGE).get_page(query["page"])
        answers = AnswerPage(
            **place_of(page),
            questions=found.questions if wanted["way"].check else None,
            answers=describe_answers(list(page), with_systems=self.sees_systems),
        )
        return reply(answers)


class AnswerHistoryView(AdjudicatorView):
    """One answer."""

    @operation("get_answer", gives=AnswerHistory, errors=(404,))
    def get(self, request: Request, slug: str, candidate: str) -> Response:
        """Return predictions, votes with revisions, decisions, gold changes and verdicts."""
        return reply(read_history(project=self.project, public_id=candidate, with_systems=self.sees_systems))
