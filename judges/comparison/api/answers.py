"""HTTP for answers: the list, and one answer's whole history."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.agreement import MissingVotes
from annotation.adjudication.api import (
    DecisionSerializer,
    DossierSkipSerializer,
    DossierVoteSerializer,
    QueueVoteSerializer,
)
from annotation.agreement.api import DIMENSIONS, RULES, VIEWS
from annotation.agreement.rules import OF_SYSTEMS, LabelView
from annotation.agreement.selectors import Way
from annotation.gold.api import GoldChangeSerializer
from annotation.items.models import Candidate, System
from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView, WrongRole
from annotation.projects.models import Project
from common.web.http import ErrorSerializer, PageSerializer, page_body
from judges.comparison.api.failures import WantedBoardForm, wanted_board
from judges.comparison.selectors.answers.history import AnswerHistory, read_history
from judges.comparison.selectors.answers.listing import STATES, describe_answers, find_answers, read_found

READERS = frozenset({LEAD, ADJUDICATOR})
ANSWERS_A_PAGE = 50


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


class AnswerLineSerializer(serializers.Serializer[Any]):
    """An answer in the list."""

    id = serializers.CharField(source="candidate.public_id")
    question = serializers.CharField(source="candidate.question.text")
    answer = serializers.CharField(source="candidate.text")
    state = serializers.ChoiceField(choices=Candidate.State.choices)
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    systems = serializers.ListField(child=serializers.CharField(), allow_null=True)
    votes = QueueVoteSerializer(many=True)


class AnswerPageSerializer(PageSerializer):
    """A page of answers; of a check, `questions` says of how many questions they are."""

    questions = serializers.IntegerField(allow_null=True)
    answers = AnswerLineSerializer(many=True)


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


class AnswersView(ProjectView):
    """The answers of a project."""

    allowed_roles = READERS

    @extend_schema(
        operation_id="list_answers", parameters=[AnswersQuerySerializer], responses=AnswerPageSerializer
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of answers; a page past the end is the last one."""
        query = AnswersQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        wanted = _wanted_answers(query.validated_data)
        if wanted["raters"] and self.member.role != LEAD:
            raise WrongRole("Only leads see on which answers two raters differ.")
        if _is_by_system(wanted, project=self.project):
            self.require_sees_systems()
        found = read_found(find_answers(project=self.project, **wanted))
        page = Paginator(found.ids, ANSWERS_A_PAGE).get_page(query.validated_data["page"])
        body = {
            **page_body(page),
            "questions": found.questions if wanted["way"].check else None,
            "answers": describe_answers(list(page), with_systems=self.sees_systems),
        }
        return Response(AnswerPageSerializer(body).data)


class QuestionCorrectionSerializer(serializers.Serializer[Any]):
    """What the question said before, and why it was corrected."""

    former_text = serializers.CharField()
    reason = serializers.CharField()
    by = serializers.CharField(source="corrected_by.name")
    at = serializers.DateTimeField(source="corrected_at")


class QuestionAnswerSerializer(serializers.Serializer[Any]):
    """An answer to the question; `votes_before` were given before the question was last corrected."""

    id = serializers.CharField()
    text = serializers.CharField()
    state = serializers.ChoiceField(choices=Candidate.State.choices)
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    votes = serializers.IntegerField()
    votes_before = serializers.IntegerField()


class HistoryQuestionSerializer(serializers.Serializer[Any]):
    """The question with its gold answers as imported and as amended, its corrections, newest first, and
    all answers to it.
    """

    id = serializers.CharField()
    text = serializers.CharField()
    gold = serializers.ListField(child=serializers.CharField())
    amended_gold = serializers.ListField(child=serializers.CharField())
    corrections = QuestionCorrectionSerializer(many=True)
    answers = QuestionAnswerSerializer(many=True)


class SourcePredictionSerializer(serializers.Serializer[Any]):
    """A system that gave the answer; `raw` is what its file had, where that was cleaned or a list."""

    system = serializers.CharField()
    text = serializers.CharField()
    raw = serializers.CharField(allow_null=True)
    confidence = serializers.FloatField(allow_null=True)


class RevisionSerializer(serializers.Serializer[Any]):
    """What a rater had said before."""

    label = serializers.CharField()  # type: ignore[assignment]
    at = serializers.DateTimeField()


class HistoricVoteSerializer(DossierVoteSerializer):
    """A vote with how it came about."""

    seconds = serializers.FloatField(allow_null=True)
    at = serializers.DateTimeField()
    revisions = RevisionSerializer(many=True)


class AnswerVerdictSerializer(serializers.Serializer[Any]):
    """What one run said; `accepted` is null where it could not judge, with the reason."""

    judge = serializers.CharField()
    name = serializers.CharField()
    signature = serializers.CharField()
    accepted = serializers.BooleanField(allow_null=True)
    score = serializers.FloatField(allow_null=True)
    reason = serializers.CharField()
    raw_reply = serializers.CharField()


class AnswerHistorySerializer(serializers.Serializer[Any]):
    """Everything that is known of one answer; predictions: null for those who may not see systems."""

    id = serializers.CharField()
    question = HistoryQuestionSerializer()
    answer = serializers.CharField()
    state = serializers.ChoiceField(choices=Candidate.State.choices)
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    predictions = SourcePredictionSerializer(many=True, allow_null=True)
    votes = HistoricVoteSerializer(many=True)
    skips = DossierSkipSerializer(many=True)
    decisions = DecisionSerializer(many=True)
    gold_changes = GoldChangeSerializer(many=True)
    verdicts = AnswerVerdictSerializer(many=True)


def history_body(history: AnswerHistory) -> dict[str, Any]:
    """Return a history in the shape `AnswerHistorySerializer` writes."""
    question = history.candidate.question
    return {
        **history._asdict(),
        "id": history.candidate.public_id,
        "question": {
            "id": question.public_id,
            "text": question.text,
            "gold": history.gold,
            "amended_gold": history.amended_gold,
            "corrections": history.corrections,
            "answers": history.answers,
        },
        "answer": history.candidate.text,
    }


class AnswerHistoryView(ProjectView):
    """One answer."""

    allowed_roles = READERS

    @extend_schema(operation_id="get_answer", responses={200: AnswerHistorySerializer, 404: ErrorSerializer})
    def get(self, request: Request, slug: str, candidate: str) -> Response:
        """Return predictions, votes with revisions, decisions, gold changes and verdicts."""
        history = read_history(project=self.project, public_id=candidate, with_systems=self.sees_systems)
        return Response(AnswerHistorySerializer(history_body(history)).data)
