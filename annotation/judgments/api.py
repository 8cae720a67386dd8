"""HTTP for handing in, skipping, taking back and looking back; replies come from the blind view."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.assignments.api import AheadSerializer, JudgingView, work_after, work_for
from annotation.assignments.blind_view import PastSheet, Said, Work
from annotation.judgments import selectors
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services import revising, submitting
from annotation.judgments.services.recording import SubmitOutcome
from annotation.projects.api.access import AnnotatorView
from common.clock import MOST_SECONDS
from common.requests.paging import Paged, cursor_field, cut_page, limit_field
from common.web.replies import NumberField, operation, reply, reply_of

MOST_VERSIONS = 2**31 - 1
PAST_SHEETS_A_PAGE = 20
reply_of(SubmitOutcome, "Outcome")


class AnswerGivenSerializer(serializers.Serializer[Any]):
    """A label for one answer, or why the annotator skips it."""

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
    """A complete sheet to submit.

    `answers`: a label or a reason for skipping, for each answer on the sheet. `checks`: the answers to the
    question checks, by key. `seconds`: the time spent on the sheet; null if it was not measured.
    """

    answers = AnswerGivenSerializer(many=True, max_length=40)  # type: ignore[call-arg]
    checks = serializers.DictField(child=serializers.BooleanField(), required=False, default=dict)
    seconds = NumberField(min_value=0, max_value=MOST_SECONDS, required=False, allow_null=True, default=None)


class SkipSerializer(HandedInSerializer):
    """The reason for skipping a sheet."""

    reason = serializers.CharField(max_length=200)


class UndoSerializer(AheadSerializer):
    """Undo the last submission.

    `sheet_id`: if given, undo only if the last submission was of this sheet.
    """

    sheet_id = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")


@dataclass(frozen=True)
class SubmittedWork(Work):
    """The result of submitting a sheet, and the next sheets."""

    outcome: SubmitOutcome


class SubmitSheetView(JudgingView):
    """Handing in a sheet."""

    @operation("submit_sheet", takes=SubmitSerializer, gives=SubmittedWork, errors=(409,), takes_key=False)
    def post(self, request: Request, slug: str, sheet_id: str) -> Response:
        """Submit a sheet and return the next ones; repeating the same key has no further effect."""
        form = self.read(SubmitSerializer)
        given = submitting.HandedIn(
            sheet_id=sheet_id,
            submission_key=form["submission_key"],
            answers=[AnswerGiven(**answer) for answer in form["answers"]],
            checks=form["checks"],
            version=form["version"],
            seconds=form["seconds"],
        )
        outcome, received = submitting.submit_and_go_on(rater=self.member, given=given, ahead=form["ahead"])
        work = work_after(rater=self.member, ahead=form["ahead"], received=received)
        return reply(SubmittedWork(**vars(work), outcome=outcome))


class SkipSheetView(JudgingView):
    """Passing a sheet on."""

    @operation("skip_sheet", takes=SkipSerializer, gives=Work, errors=(409,), takes_key=False)
    def post(self, request: Request, slug: str, sheet_id: str) -> Response:
        """Skip a sheet, which goes to other annotators, and return the next sheets."""
        form = self.read(SkipSerializer)
        submitting.skip_sheet(
            rater=self.member,
            sheet_id=sheet_id,
            submission_key=form["submission_key"],
            version=form["version"],
            reason=form["reason"],
        )
        return reply(work_after(rater=self.member, ahead=form["ahead"]))


class UndoSubmitView(JudgingView):
    """Taking back."""

    @operation("undo_submit", takes=UndoSerializer, gives=Work, errors=(409,), takes_key=False)
    def post(self, request: Request, slug: str) -> Response:
        """Undo the last submitted sheet; it is returned first, with its labels as a draft."""
        form = self.read(UndoSerializer)
        revising.undo_submit(rater=self.member, sheet_id=form["sheet_id"])
        return reply(work_for(rater=self.member, ahead=form["ahead"]))


class PastQuerySerializer(serializers.Serializer[Any]):
    """Which part of one's own judgments is asked for; `search`: words of the question."""

    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    limit = limit_field(PAST_SHEETS_A_PAGE)
    cursor = cursor_field()


@dataclass(frozen=True)
class PastPage(Paged):
    """A page of the caller’s judgments, newest sheet first."""

    sheets: list[PastSheet]


class EditSerializer(serializers.Serializer[Any]):
    """The annotator’s new judgment.

    `seen_at`: the `judged_at` of the judgment that the new one replaces.
    """

    label = serializers.CharField(max_length=60)  # type: ignore[assignment]
    comment = serializers.CharField(max_length=5_000, required=False, allow_blank=True, default="")
    evidence_url = serializers.CharField(max_length=2_000, required=False, allow_blank=True, default="")
    evidence_quote = serializers.CharField(max_length=5_000, required=False, allow_blank=True, default="")
    seen_at = serializers.DateTimeField()


class JudgedView(AnnotatorView):
    """One's own judgments."""

    @operation("list_judged", query=[PastQuerySerializer], gives=PastPage)
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of the caller’s submitted sheets."""
        query = self.read_query(PastQuerySerializer)
        sheets = selectors.past_sheets(rater=self.member, search=query["search"])
        page = cut_page(request, sheets, query)
        past = selectors.view_past(rater=self.member, sheets=page.rows)
        return reply(PastPage(**page.place, sheets=past))


class JudgedEditView(AnnotatorView):
    """Changing one's mind."""

    @operation("edit_judgment", takes=EditSerializer, gives=Said, errors=(409,), takes_key=False)
    def post(self, request: Request, slug: str, sheet_id: str, answer_id: str) -> Response:
        """Change one of the caller’s judgments; its history is kept."""
        form = self.read(EditSerializer)
        seen_at = form.pop("seen_at")
        judgment = revising.edit_judgment(
            rater=self.member,
            sheet_id=sheet_id,
            given=AnswerGiven(id=answer_id, **form),
            seen_at=seen_at,
        )
        return reply(selectors.said_by(judgment))
