"""HTTP for receiving work and remarking on it: what reaches an annotator comes from the blind view."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.assignments import services
from annotation.assignments.blind_view import Work, build_work
from annotation.assignments.blind_view.fields import BlindAnswer, BlindCheck
from annotation.assignments.models import QuestionFlag, Sheet
from annotation.assignments.selectors import count_questions_left
from annotation.items.selectors import shown_references
from annotation.projects.api import ANNOTATOR, ProjectView
from annotation.projects.models import Membership
from common.memory import reading_once
from common.web.replies import operation, reply_of

# The rater's other tab may hand in every sheet between its being handed out and being read.
MORE_TRIES = 2
# Enough to judge for a while without a network, few enough that others do not wait for them.
MOST_AHEAD = 24


class BlindQuestionSerializer(serializers.Serializer[Any]):
    """A question as its rater sees it; references only where the protocol shows them."""

    id = serializers.CharField()
    text = serializers.CharField()
    references = serializers.ListField(child=serializers.CharField(), allow_null=True)
    flags = serializers.ListField(child=serializers.ChoiceField(choices=QuestionFlag.Kind.choices))


class DraftAnswerSerializer(serializers.Serializer[Any]):
    """What the rater had said of an answer before taking it back."""

    id = serializers.CharField()
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    skip_reason = serializers.CharField()
    comment = serializers.CharField()
    evidence_url = serializers.CharField()
    evidence_quote = serializers.CharField()


class DraftSerializer(serializers.Serializer[Any]):
    """A sheet's earlier answers, after its submit was taken back."""

    answers = DraftAnswerSerializer(many=True)
    checks = serializers.DictField(child=serializers.BooleanField())


class BlindSheetSerializer(serializers.Serializer[Any]):
    """A sheet as its rater sees it."""

    id = serializers.CharField()
    version = serializers.IntegerField()
    is_pilot = serializers.BooleanField()
    asks_again = serializers.ChoiceField(choices=Sheet.Again.choices, allow_blank=True)
    question = BlindQuestionSerializer()
    checks = reply_of(BlindCheck)(many=True)
    checks_first = serializers.BooleanField()
    answers = reply_of(BlindAnswer)(many=True)
    lease_expires_at = serializers.DateTimeField()
    draft = DraftSerializer(allow_null=True)


class ProgressSerializer(serializers.Serializer[Any]):
    """How far the rater has come and at what pace."""

    judged_questions = serializers.IntegerField()
    judged_answers = serializers.IntegerField()
    left_questions = serializers.IntegerField()
    median_seconds = serializers.FloatField(allow_null=True)
    can_undo = serializers.BooleanField()


class WorkSerializer(serializers.Serializer[Any]):
    """Sheets to judge, the first one first, and progress."""

    sheets = BlindSheetSerializer(many=True)
    progress = ProgressSerializer()
    nothing_left = serializers.BooleanField()
    guidelines_unread = serializers.CharField(allow_blank=True)
    in_pilot = serializers.BooleanField()


class AheadSerializer(serializers.Serializer[Any]):
    """How many sheets the client wants at hand."""

    ahead = serializers.IntegerField(min_value=1, max_value=MOST_AHEAD, default=1)


class FlagCreateSerializer(serializers.Serializer[Any]):
    """A remark about a question."""

    kind = serializers.ChoiceField(choices=QuestionFlag.Kind.choices)
    note = serializers.CharField(max_length=2_000, required=False, allow_blank=True, default="")


class FlagSerializer(serializers.Serializer[Any]):
    """The rater's own remark."""

    kind = serializers.ChoiceField(choices=QuestionFlag.Kind.choices)
    note = serializers.CharField()


def work_for(*, rater: Membership, ahead: int) -> Work:
    """Return up to `ahead` sheets as the rater may see them, new ones once the guidelines are read."""
    work = _work_once(rater=rater, ahead=ahead)
    for _ in range(MORE_TRIES):
        if work.sheets or work.nothing_left or work.guidelines_unread:
            break
        work = _work_once(rater=rater, ahead=ahead)
    return work


def work_after(*, rater: Membership, ahead: int) -> Work:
    """Return the next work for somebody whose sheet was just taken in.

    Whoever was paused meanwhile gets none, and learns why when asking again: their sheet is safe.
    """
    try:
        return work_for(rater=rater, ahead=ahead)
    except services.NotHandedOut:
        return build_work(rater=rater, sheets=[], left_questions=0, references={})._replace(
            nothing_left=False
        )


@reading_once()
def _work_once(*, rater: Membership, ahead: int) -> Work:
    sheets = services.receive_sheets(rater=rater, ahead=ahead)
    protocol = rater.project.protocol
    shows_gold = protocol is not None and protocol.rules.gold_shown
    question_ids = [sheet.question_id for sheet in sheets]
    return build_work(
        rater=rater,
        sheets=sheets,
        left_questions=count_questions_left(rater=rater),
        references=shown_references(question_ids=question_ids) if shows_gold else {},
    )


class NextSheetsView(ProjectView):
    """Work for an annotator."""

    allowed_roles = frozenset({ANNOTATOR})

    @operation("next_sheets", takes=AheadSerializer, gives=WorkSerializer, errors=(403, 404))
    def post(self, request: Request, slug: str) -> Response:
        """Hand out the next sheets; asking again returns the same ones."""
        form = self.read(AheadSerializer)
        work = work_for(rater=self.member, ahead=form["ahead"])
        return Response(WorkSerializer(work).data)


class SheetFlagsView(ProjectView):
    """Remarks about the question of a sheet."""

    allowed_roles = frozenset({ANNOTATOR})

    @operation("flag_question", takes=FlagCreateSerializer, gives=FlagSerializer, status=201, errors=(404,))
    def post(self, request: Request, slug: str, sheet_id: str) -> Response:
        """Flag the question for the lead."""
        form = self.read(FlagCreateSerializer)
        flag = services.flag_question(rater=self.member, sheet_id=sheet_id, **form)
        return Response(FlagSerializer(flag).data, status=201)
