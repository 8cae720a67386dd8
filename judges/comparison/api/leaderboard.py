"""HTTP for systems: scored, ranked, and moved by amendment."""

from dataclasses import dataclass

from django.core.paginator import Paginator
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import AdjudicatorView
from common.web.replies import Paged, operation, place_of, reply
from judges.comparison.api.filters import FilterSerializer, IntervalsForm, read_filter
from judges.comparison.rules.boards import ComparedPairs
from judges.comparison.rules.leaderboard import Leaderboard, SystemMove
from judges.comparison.selectors.leaderboard import (
    BeyondExactMatch,
    ByDataset,
    TurnedAnswer,
    describe_turns,
    read_amendments,
    read_beyond,
    read_by_dataset,
    read_leaderboard,
    read_pairs,
)
from judges.comparison.selectors.study import sign_comparison

TURNED_A_PAGE = 25


class BoundedForm(FilterSerializer, IntervalsForm):
    """Which questions and systems count; intervals: how sure each figure is, too, which takes longer."""


class LeaderboardForm(BoundedForm):
    """compared: the column over which each score's gain is said."""

    compared = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class PairsForm(FilterSerializer):
    """By which way of judging systems are compared."""

    column = serializers.CharField(max_length=200)


class AmendmentsForm(BoundedForm):
    """Whose answers are listed: a system by its name, or all."""

    system = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    page = serializers.IntegerField(required=False, default=1, min_value=1)


class LeaderboardView(AdjudicatorView):
    """Systems by ways of judging."""

    @operation("get_leaderboard", query=[LeaderboardForm], gives=Leaderboard, errors=(404,))
    def get(self, request: Request, slug: str) -> Response:
        """Score every system over the questions chosen."""
        asked = self.read_query(LeaderboardForm)
        board = read_leaderboard(
            project=self.project,
            wanted=read_filter(request),
            intervals=asked["intervals"],
            compared=asked["compared"],
        )
        return reply(board)


class PairsView(AdjudicatorView):
    """Systems two by two."""

    @operation("list_system_pairs", query=[PairsForm], gives=ComparedPairs, errors=(404,))
    def get(self, request: Request, slug: str) -> Response:
        """Compare every pair of systems by one way of judging."""
        column = self.read_query(PairsForm)["column"]
        found = read_pairs(project=self.project, wanted=read_filter(request), column=column)
        return reply(found)


class ByDatasetView(AdjudicatorView):
    """Systems by ways of judging, data set by data set."""

    @operation("get_leaderboard_by_dataset", query=[FilterSerializer], gives=ByDataset)
    def get(self, request: Request, slug: str) -> Response:
        """Score every system on each data set of the questions chosen."""
        return reply(read_by_dataset(project=self.project, wanted=read_filter(request)))


class BeyondExactMatchView(AdjudicatorView):
    """What people accept of the answers that exact match rejects."""

    @operation("get_beyond_exact_match", query=[FilterSerializer], gives=BeyondExactMatch)
    def get(self, request: Request, slug: str) -> Response:
        """Count by system, over all predictions and over different answers, with intervals over questions."""
        return reply(read_beyond(project=self.project, wanted=read_filter(request)))


@dataclass(frozen=True)
class Amendments(Paged):
    """What amendment did, with a page of the answers that turned; pending: answers not decided yet.

    systems: none for those who may not see which system gave an answer.
    """

    signature: str
    systems: list[SystemMove]
    pending: int
    right_count: int
    wrong_count: int
    turned: list[TurnedAnswer]


class AmendmentsView(AdjudicatorView):
    """What the amendment of gold lists changed."""

    @operation("get_amendments", query=[AmendmentsForm], gives=Amendments)
    def get(self, request: Request, slug: str) -> Response:
        """Say what amendment did to each system, and by which answers; past the end is the last page."""
        asked, wanted = self.read_query(AmendmentsForm), read_filter(request)
        if asked["system"] or wanted.chooses_systems:
            self.require_sees_systems()
        found = read_amendments(project=self.project, wanted=wanted, intervals=asked["intervals"])
        turns = found.of_system(asked["system"])
        page = Paginator(turns, TURNED_A_PAGE).get_page(asked["page"])
        turned = describe_turns(
            items=found.items, turns=list(page.object_list), sees_systems=self.sees_systems
        )
        gold = "original to amended"
        amendments = Amendments(
            **place_of(page),
            signature=sign_comparison(
                self.project, "amendments", wanted=wanted, match="exact_match", gold=gold
            ),
            # Beside the few answers that turned, the counts by system would say whose each is.
            systems=found.moves if self.sees_systems else [],
            pending=found.pending,
            right_count=sum(turn.is_right for turn in turns),
            wrong_count=sum(not turn.is_right for turn in turns),
            turned=turned,
        )
        return reply(amendments)
