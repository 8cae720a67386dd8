"""HTTP for handing in, skipping, taking back and looking back; replies come from the blind view."""

from typing import Any

from django.core.paginator import Paginator
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.assignments.api import (
    AheadSerializer,
    BlindQuestionSerializer,
    WorkSerializer,
    work_after,
    work_for,
)
from annotation.assignments.blind_view import PastAnswer, PastCheck, Said
from annotation.judgments import selectors, services
from annotation.judgments.rules import AnswerGiven
from annotation.projects.api import ANNOTATOR, ProjectView
from common.clock import MOST_SECONDS
from common.web.http import NumberField, PageSerializer, page_body
from common.web.replies import operation, reply_of

ERRORS = (400, 403, 404, 409)
MOST_VERSIONS = 2**31 - 1
PAST_SHEETS_A_PAGE = 20


class AnswerGivenSerializer(serializers.Serializer[Any]):
    """A label for one answer, or why there is none."""

    id = serializers.CharField(max_length=20)
    label = serializers.CharField(max_length=60, allow_null=True)  # type: ignore[assignment]
    skip_reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    comment = serializers.CharField(max_length=5_000, required=False, allow_blank=True, default="")
    evidence_url = serializers.CharField(max_length=2_000, required=False, allow_blank=True, default="")
    evidence_quote = serializers.CharField(max_length=5_000, required=False, allow_blank=True, default="")


class HandedInSerializer(AheadSerializer):
    """What becomes of a sheet. `submission_key` is made anew by the client for every confirmation.

    `version`: the sheet's, as it was given; clients from before sheets had versions send none.
    """

    submission_key = serializers.CharField(min_length=8, max_length=64)
    version = serializers.IntegerField(
        min_value=1, max_value=MOST_VERSIONS, required=False, allow_null=True, default=None
    )


class SubmitSerializer(HandedInSerializer):
    """A whole sheet."""

    answers = AnswerGivenSerializer(many=True, max_length=40)  # type: ignore[call-arg]
    checks = serializers.DictField(child=serializers.BooleanField(), required=False, default=dict)
    seconds = NumberField(min_value=0, max_value=MOST_SECONDS, required=False, allow_null=True, default=None)


class SkipSerializer(HandedInSerializer):
    """A sheet passed on to others, and why."""

    reason = serializers.CharField(max_length=200)


class UndoSerializer(AheadSerializer):
    """Which submit to take back: the last one, and only if it was of this sheet where one is named."""

    sheet_id = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")


class OutcomeSerializer(serializers.Serializer[Any]):
    """What handing in came to: answers taken in, answers that came too late to count, and words.

    `came_back`: the sheet had been given anew with other answers; what it brought is kept all the same.
    `unblinded`: the rater has seen how others judged since, so that nothing of it counts.
    """

    counted = serializers.IntegerField()
    surplus = serializers.IntegerField()
    message = serializers.CharField(allow_blank=True)
    came_back = serializers.BooleanField()
    unblinded = serializers.BooleanField()


class SubmittedWorkSerializer(WorkSerializer):
    """What handing in came to, and the next sheets."""

    outcome = OutcomeSerializer()


class SubmitSheetView(ProjectView):
    """Handing in a sheet."""

    allowed_roles = frozenset({ANNOTATOR})

    @operation("submit_sheet", takes=SubmitSerializer, gives=SubmittedWorkSerializer, errors=ERRORS)
    def post(self, request: Request, slug: str, sheet_id: str) -> Response:
        """Confirm a whole sheet and receive the next ones; the same key again is the same act."""
        form = self.read(SubmitSerializer)
        outcome = services.submit_sheet(
            rater=self.member,
            sheet_id=sheet_id,
            submission_key=form["submission_key"],
            answers=[AnswerGiven(**answer) for answer in form["answers"]],
            checks=form["checks"],
            version=form["version"],
            seconds=form["seconds"],
        )
        work = work_after(rater=self.member, ahead=form["ahead"])
        return Response(SubmittedWorkSerializer({**work._asdict(), "outcome": outcome}).data)


class SkipSheetView(ProjectView):
    """Passing a sheet on."""

    allowed_roles = frozenset({ANNOTATOR})

    @operation("skip_sheet", takes=SkipSerializer, gives=WorkSerializer, errors=ERRORS)
    def post(self, request: Request, slug: str, sheet_id: str) -> Response:
        """Pass a whole sheet on to others and receive the next ones."""
        form = self.read(SkipSerializer)
        services.skip_sheet(
            rater=self.member,
            sheet_id=sheet_id,
            submission_key=form["submission_key"],
            version=form["version"],
            reason=form["reason"],
        )
        return Response(WorkSerializer(work_after(rater=self.member, ahead=form["ahead"])).data)


class UndoSubmitView(ProjectView):
    """Taking back."""

    allowed_roles = frozenset({ANNOTATOR})

    @operation("undo_submit", takes=UndoSerializer, gives=WorkSerializer, errors=ERRORS)
    def post(self, request: Request, slug: str) -> Response:
        """Take back the last submit; its sheet comes first, with the earlier answers as a draft."""
        form = self.read(UndoSerializer)
        services.undo_submit(rater=self.member, sheet_id=form["sheet_id"])
        return Response(WorkSerializer(work_for(rater=self.member, ahead=form["ahead"])).data)


class PastQuerySerializer(serializers.Serializer[Any]):
    """Which part of one's own judgments is asked for; `search`: words of the question."""

    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    page = serializers.IntegerField(required=False, default=1, min_value=1)


class PastSheetSerializer(serializers.Serializer[Any]):
    """A sheet its rater has handed in."""

    id = serializers.CharField()
    question = BlindQuestionSerializer()
    checks = reply_of(PastCheck)(many=True)
    answers = reply_of(PastAnswer)(many=True)
    handed_in_at = serializers.DateTimeField()


class PastPageSerializer(PageSerializer):
    """A page of one's own judgments, newest sheet first."""

    sheets = PastSheetSerializer(many=True)


class EditSerializer(serializers.Serializer[Any]):
    """What the rater says now; `seen_at`: the `judged_at` they were looking at."""

    label = serializers.CharField(max_length=60)  # type: ignore[assignment]
    comment = serializers.CharField(max_length=5_000, required=False, allow_blank=True, default="")
    evidence_url = serializers.CharField(max_length=2_000, required=False, allow_blank=True, default="")
    evidence_quote = serializers.CharField(max_length=5_000, required=False, allow_blank=True, default="")
    seen_at = serializers.DateTimeField()


class JudgedView(ProjectView):
    """One's own judgments."""

    allowed_roles = frozenset({ANNOTATOR})

    @operation("list_judged", query=[PastQuerySerializer], gives=PastPageSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of the sheets one has handed in; a page past the end is the last one."""
        query = self.read_query(PastQuerySerializer)
        sheets = selectors.past_sheets(rater=self.member, search=query["search"])
        page = Paginator(sheets, PAST_SHEETS_A_PAGE).get_page(query["page"])
        body = {
            **page_body(page),
            "sheets": selectors.view_past(rater=self.member, sheets=page.object_list),
        }
        return Response(PastPageSerializer(body).data)


class JudgedEditView(ProjectView):
    """Changing one's mind."""

    allowed_roles = frozenset({ANNOTATOR})

    @operation("edit_judgment", takes=EditSerializer, gives=Said, errors=ERRORS)
    def post(self, request: Request, slug: str, sheet_id: str, answer_id: str) -> Response:
        """Change a judgment of one's own; what was said before stays in its history."""
        form = self.read(EditSerializer)
        seen_at = form.pop("seen_at")
        judgment = services.edit_judgment(
            rater=self.member,
            sheet_id=sheet_id,
            given=AnswerGiven(id=answer_id, **form),
            seen_at=seen_at,
        )
        return Response(reply_of(Said)(selectors.said_by(judgment)).data)
