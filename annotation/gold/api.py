"""HTTP for the gold ledger."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.gold.models import GoldChange
from annotation.gold.selectors import ledger as selectors
from annotation.gold.selectors.ledger import (
    GoldConflict,
    GoldCounts,
    GoldDay,
    JudgedGold,
    LedgerChange,
    LedgerSummary,
    describe_change,
)
from annotation.gold.selectors.questions import (
    Asked,
    GoldQuestion,
    Show,
    describe_questions,
    find_questions,
)
from annotation.gold.services import ledger as services
from annotation.projects.api.access import AdjudicatorAndViewerView, LeadView
from common.requests.paging import Paged, cursor_field, cut_page, limit_field
from common.web.replies import choice_of, operation, reply, reply_of

CHANGES_A_PAGE = 50
CONFLICTS_SHOWN = 50
# The table has the name among us.
reply_of(LedgerChange, "GoldChange")


class LedgerQuerySerializer(serializers.Serializer[Any]):
    """Which part of the ledger is asked for."""

    question = serializers.CharField(required=False, default="", allow_blank=True, max_length=20)
    limit = limit_field(CHANGES_A_PAGE)
    cursor = cursor_field()


@dataclass(frozen=True)
class Ledger(Paged):
    """A page of the ledger with its summary."""

    summary: LedgerSummary
    judged_gold: JudgedGold
    conflict_count: int
    conflicts: list[GoldConflict]
    changes: list[LedgerChange]


class LedgerView(AdjudicatorAndViewerView):
    """The gold ledger."""

    @operation("get_gold_ledger", query=[LedgerQuerySerializer], gives=Ledger)
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of the ledger, newest change first."""
        query = self.read_query(LedgerQuerySerializer)
        changes = selectors.list_changes(project=self.project, question=query["question"])
        page = cut_page(request, changes, query)
        conflicts = selectors.list_conflicts(project=self.project)
        ledger = Ledger(
            **page.place,
            summary=selectors.ledger_summary(project=self.project),
            judged_gold=selectors.judged_gold(project=self.project),
            conflict_count=len(conflicts),
            conflicts=list(conflicts[:CONFLICTS_SHOWN]),
            changes=[describe_change(change) for change in page.rows],
        )
        return reply(ledger)


QUESTIONS_A_PAGE = 25


class GoldQuestionsQuerySerializer(serializers.Serializer[Any]):
    """Which questions of the gold list are asked for."""

    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    show = choice_of(Show, required=False, default=Show.ALL)
    dataset = serializers.CharField(required=False, default="", allow_blank=True, max_length=100)
    question = serializers.CharField(required=False, default="", allow_blank=True, max_length=20)
    limit = limit_field(QUESTIONS_A_PAGE)
    cursor = cursor_field()


@dataclass(frozen=True)
class GoldQuestions(Paged):
    """A page of the gold list, question by question, with counts of all changes."""

    counts: GoldCounts
    judged_gold: JudgedGold
    conflict_count: int
    questions: list[GoldQuestion]


class GoldQuestionsView(AdjudicatorAndViewerView):
    """The gold list question by question."""

    @operation("list_gold_questions", query=[GoldQuestionsQuerySerializer], gives=GoldQuestions)
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of matching questions in project order."""
        query = dict(self.read_query(GoldQuestionsQuerySerializer))
        turn = {name: query.pop(name) for name in ("limit", "cursor")}
        found = find_questions(project=self.project, asked=Asked(**query))
        page = cut_page(request, found, turn, key=tuple)
        asked = GoldQuestions(
            **page.place,
            counts=selectors.count_gold(project=self.project),
            judged_gold=selectors.judged_gold(project=self.project),
            conflict_count=len(selectors.list_conflicts(project=self.project)),
            questions=describe_questions(project=self.project, ids=[pk for _, pk in page.rows]),
        )
        return reply(asked)


class GoldDaysView(AdjudicatorAndViewerView):
    """The days on which the list changed."""

    @operation("list_gold_days", gives=list[GoldDay])
    def get(self, request: Request, slug: str) -> Response:
        """List the days for which the leaderboard can use the gold list, newest first."""
        return reply(list(selectors.list_gold_days(project=self.project)))


class GoldUndoSerializer(serializers.Serializer[Any]):
    """The reason for undoing a change."""

    reason = serializers.CharField(max_length=2000)


class GoldUndoView(LeadView):
    """Undoing one change."""

    @operation("undo_gold_change", takes=GoldUndoSerializer, gives=LedgerChange)
    def post(self, request: Request, slug: str, change: str) -> Response:
        """Undo the change, with a reason."""
        form = self.read(GoldUndoSerializer)
        undone = services.undo_change(
            project=self.project,
            public_id=change,
            by=self.user,
            reason=form["reason"],
        )
        return reply(describe_change(undone))


class GoldCorrectionSerializer(serializers.Serializer[Any]):
    """An answer to add to or remove from a question’s gold list, and why."""

    question = serializers.CharField()
    action = serializers.ChoiceField(choices=GoldChange.Action.choices)
    text = serializers.CharField(trim_whitespace=False)
    reason = serializers.CharField()


class GoldCorrectionsView(LeadView):
    """Corrections of the list by hand, by leads."""

    @operation(
        "correct_gold",
        takes=GoldCorrectionSerializer,
        gives=LedgerChange,
        status=201,
        is_whole=True,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add or remove a gold answer; the ledger records the change, which can be undone."""
        wanted = dict(self.read(GoldCorrectionSerializer))
        change = services.correct_gold(
            project=self.project,
            question_id=wanted.pop("question"),
            by=self.user,
            **wanted,
        )
        return reply(describe_change(change), status=201)
