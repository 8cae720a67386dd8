"""HTTP for the gold ledger."""

from typing import Any

from django.core.paginator import Paginator
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.figures import Undefined
from annotation.gold import selectors, services
from annotation.gold.models import GoldChange
from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView
from common.web.http import PageSerializer, page_body
from common.web.replies import operation

CHANGES_A_PAGE = 50
CONFLICTS_SHOWN = 50


class LedgerQuerySerializer(serializers.Serializer[Any]):
    """Which part of the ledger is asked for."""

    question = serializers.CharField(required=False, default="", allow_blank=True)
    page = serializers.IntegerField(required=False, default=1, min_value=1)


class LedgerSummarySerializer(serializers.Serializer[Any]):
    """How far the gold answers have moved."""

    original = serializers.IntegerField()
    added = serializers.IntegerField()
    removed = serializers.IntegerField()
    version = serializers.CharField()


class JudgedGoldSerializer(serializers.Serializer[Any]):
    """How many gold answers people judged and rejected, with the interval of the share in words."""

    judged = serializers.IntegerField()
    rejected = serializers.IntegerField()
    words = serializers.SerializerMethodField()

    def get_words(self, judged: selectors.JudgedGold) -> str:
        """Return the share with its interval, or nothing where nobody judged one."""
        if isinstance(judged.interval, Undefined):
            return ""
        low, high = (100 * bound for bound in judged.interval)
        return f"{100 * judged.rejected / judged.judged:.1f} %, 95 % interval {low:.1f} to {high:.1f} %"


class GoldChangeSerializer(serializers.Serializer[Any]):
    """One addition or removal, in force or undone."""

    id = serializers.CharField(source="public_id")
    question = serializers.CharField(source="question.text")
    question_id = serializers.CharField(source="question.public_id")
    answer_id = serializers.SerializerMethodField()
    action = serializers.ChoiceField(choices=GoldChange.Action.choices)
    text = serializers.CharField()
    reason = serializers.CharField()
    rule = serializers.CharField()
    by = serializers.SerializerMethodField()
    at = serializers.DateTimeField(source="changed_at")
    undone_at = serializers.DateTimeField(allow_null=True)
    undone_by = serializers.SerializerMethodField()
    undo_reason = serializers.CharField()

    def get_answer_id(self, change: GoldChange) -> str | None:
        """Return the answer whose decision called for it; none where a lead corrected the list."""
        return change.decision.candidate.public_id if change.decision else None

    def get_by(self, change: GoldChange) -> str:
        """Return who decided it; nobody where a rule did."""
        return change.changed_by.name if change.changed_by else ""

    def get_undone_by(self, change: GoldChange) -> str:
        """Return who undid it; nobody where another decision did."""
        return change.undone_by.name if change.undone_by else ""


class GoldConflictSerializer(serializers.Serializer[Any]):
    """Two answers that exact match holds equal, of which people accepted one and rejected one."""

    question = serializers.CharField(source="question.text")
    question_id = serializers.CharField(source="question.public_id")
    accepted = serializers.CharField(source="between.accepted.text")
    accepted_id = serializers.CharField(source="between.accepted.id")
    rejected = serializers.CharField(source="between.rejected.text")
    rejected_id = serializers.CharField(source="between.rejected.id")


class LedgerSerializer(PageSerializer):
    """A page of the ledger with its summary."""

    summary = LedgerSummarySerializer()
    judged_gold = JudgedGoldSerializer()
    conflict_count = serializers.IntegerField()
    conflicts = GoldConflictSerializer(many=True)
    changes = GoldChangeSerializer(many=True)


class LedgerView(ProjectView):
    """The gold ledger."""

    allowed_roles = frozenset({LEAD, ADJUDICATOR})

    @operation("get_gold_ledger", query=[LedgerQuerySerializer], gives=LedgerSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of the ledger, newest change first; a page past the end is the last one."""
        query = self.read_query(LedgerQuerySerializer)
        changes = selectors.list_changes(project=self.project, question=query["question"])
        page = Paginator(changes, CHANGES_A_PAGE).get_page(query["page"])
        conflicts = selectors.list_conflicts(project=self.project)
        body = {
            "summary": selectors.ledger_summary(project=self.project),
            "judged_gold": selectors.judged_gold(project=self.project),
            "conflict_count": len(conflicts),
            "conflicts": conflicts[:CONFLICTS_SHOWN],
            **page_body(page),
            "changes": page.object_list,
        }
        return Response(LedgerSerializer(body).data)


class GoldUndoSerializer(serializers.Serializer[Any]):
    """Why a change is undone."""

    reason = serializers.CharField(max_length=2000)


class GoldUndoView(ProjectView):
    """Undoing one change."""

    allowed_roles = frozenset({LEAD})

    @operation("undo_gold_change", takes=GoldUndoSerializer, gives=GoldChangeSerializer, errors=(404, 409))
    def post(self, request: Request, slug: str, change: str) -> Response:
        """Take the change out of force, with a reason."""
        form = self.read(GoldUndoSerializer)
        undone = services.undo_change(
            project=self.project,
            public_id=change,
            by=self.user,
            reason=form["reason"],
        )
        return Response(GoldChangeSerializer(undone).data)


class GoldCorrectionSerializer(serializers.Serializer[Any]):
    """An answer to add to a question's list, or to take off it, and why."""

    question = serializers.CharField()
    action = serializers.ChoiceField(choices=GoldChange.Action.choices)
    text = serializers.CharField(trim_whitespace=False)
    reason = serializers.CharField()


class GoldCorrectionsView(ProjectView):
    """Corrections of the list by hand, by leads."""

    allowed_roles = frozenset({LEAD})

    @operation(
        "correct_gold",
        takes=GoldCorrectionSerializer,
        gives=GoldChangeSerializer,
        status=201,
        errors=(400, 404),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add an answer or take one off; the change stands in the ledger and can be undone."""
        form = self.read(GoldCorrectionSerializer)
        wanted = dict(form)
        change = services.correct_gold(
            project=self.project,
            question_id=wanted.pop("question"),
            by=self.user,
            **wanted,
        )
        return Response(GoldChangeSerializer(change).data, status=201)
