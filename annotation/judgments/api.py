"""HTTP for handing in, skipping and taking back sheets; replies come from the blind view."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.assignments.api import AheadSerializer, WorkSerializer, work_after, work_for
from annotation.judgments import services
from annotation.judgments.rules import AnswerGiven
from annotation.projects.api import ANNOTATOR, ProjectView
from common.http import ErrorSerializer

ERRORS = {400: ErrorSerializer, 403: ErrorSerializer, 404: ErrorSerializer, 409: ErrorSerializer}
LONGEST_SHEET_SECONDS = 86_400


class AnswerGivenSerializer(serializers.Serializer[Any]):
    """A label for one answer, or why there is none."""

    id = serializers.CharField(max_length=20)
    label = serializers.CharField(max_length=60, allow_null=True)  # type: ignore[assignment]
    skip_reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    comment = serializers.CharField(max_length=5_000, required=False, allow_blank=True, default="")
    evidence_url = serializers.CharField(max_length=2_000, required=False, allow_blank=True, default="")
    evidence_quote = serializers.CharField(max_length=5_000, required=False, allow_blank=True, default="")


class SubmitSerializer(AheadSerializer):
    """A whole sheet. `submission_key` is made anew by the client for every confirmation."""

    submission_key = serializers.CharField(min_length=8, max_length=64)
    answers = AnswerGivenSerializer(many=True, max_length=40)  # type: ignore[call-arg]
    checks = serializers.DictField(child=serializers.BooleanField(), required=False, default=dict)
    seconds = serializers.FloatField(
        min_value=0, max_value=LONGEST_SHEET_SECONDS, required=False, allow_null=True, default=None
    )


class SkipSerializer(AheadSerializer):
    """A sheet passed on to others, and why."""

    submission_key = serializers.CharField(min_length=8, max_length=64)
    reason = serializers.CharField(max_length=200)


class UndoSerializer(AheadSerializer):
    """Which submit to take back: the last one, and only if it was of this sheet where one is named."""

    sheet_id = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")


class OutcomeSerializer(serializers.Serializer[Any]):
    """What handing in came to: answers taken in, answers that came too late to count, and words."""

    counted = serializers.IntegerField()
    surplus = serializers.IntegerField()
    message = serializers.CharField(allow_blank=True)


class SubmittedWorkSerializer(WorkSerializer):
    """What handing in came to, and the next sheets."""

    outcome = OutcomeSerializer()


class SubmitSheetView(ProjectView):
    """Handing in a sheet."""

    allowed_roles = frozenset({ANNOTATOR})

    @extend_schema(
        operation_id="submit_sheet",
        request=SubmitSerializer,
        responses={200: SubmittedWorkSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str, sheet_id: str) -> Response:
        """Confirm a whole sheet and receive the next ones; the same key again is the same act."""
        form = SubmitSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        outcome = services.submit_sheet(
            rater=self.member,
            sheet_id=sheet_id,
            submission_key=form.validated_data["submission_key"],
            answers=[AnswerGiven(**answer) for answer in form.validated_data["answers"]],
            checks=form.validated_data["checks"],
            seconds=form.validated_data["seconds"],
        )
        work = work_after(rater=self.member, ahead=form.validated_data["ahead"])
        return Response(SubmittedWorkSerializer({**work._asdict(), "outcome": outcome}).data)


class SkipSheetView(ProjectView):
    """Passing a sheet on."""

    allowed_roles = frozenset({ANNOTATOR})

    @extend_schema(
        operation_id="skip_sheet", request=SkipSerializer, responses={200: WorkSerializer, **ERRORS}
    )
    def post(self, request: Request, slug: str, sheet_id: str) -> Response:
        """Pass a whole sheet on to others and receive the next ones."""
        form = SkipSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.skip_sheet(
            rater=self.member,
            sheet_id=sheet_id,
            submission_key=form.validated_data["submission_key"],
            reason=form.validated_data["reason"],
        )
        return Response(
            WorkSerializer(work_after(rater=self.member, ahead=form.validated_data["ahead"])).data
        )


class UndoSubmitView(ProjectView):
    """Taking back."""

    allowed_roles = frozenset({ANNOTATOR})

    @extend_schema(
        operation_id="undo_submit", request=UndoSerializer, responses={200: WorkSerializer, **ERRORS}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Take back the last submit; its sheet comes first, with the earlier answers as a draft."""
        form = UndoSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.undo_submit(rater=self.member, sheet_id=form.validated_data["sheet_id"])
        return Response(WorkSerializer(work_for(rater=self.member, ahead=form.validated_data["ahead"])).data)
