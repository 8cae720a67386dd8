"""HTTP for the lead's queue and everything about one of its answers."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.adjudication import selectors
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import CATEGORIES, DECISION_CATEGORIES, QueueFilter, QueueReason
from annotation.adjudication.selectors import Dossier
from annotation.adjudication.selectors.queue import Flag
from annotation.assignments.models import QuestionFlag
from annotation.items.models import Candidate
from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView
from common.clock import now
from common.web.replies import operation, reply_of

QUEUE_REASONS = [reason.value for reason in QueueReason]
CATEGORY_KEYS = list(DECISION_CATEGORIES)
DECIDERS = frozenset({LEAD, ADJUDICATOR})


class ViewQuerySerializer(serializers.Serializer[Any]):
    """Whether systems are shown, to those who may see them; what the protocol says where it is left out."""

    systems = serializers.BooleanField(required=False, allow_null=True, default=None)


class QueueQuerySerializer(ViewQuerySerializer):
    """Which part of the queue is asked for; `pair` and `judge` are values of its choices."""

    reason = serializers.ChoiceField(choices=QUEUE_REASONS, required=False, default="", allow_blank=True)
    flag = serializers.ChoiceField(
        choices=QuestionFlag.Kind.values, required=False, default="", allow_blank=True
    )
    pair = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    judge = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)


class QueueVoteSerializer(serializers.Serializer[Any]):
    """A vote in the queue's line."""

    letter = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class QueueItemSerializer(serializers.Serializer[Any]):
    """One line of the queue."""

    id = serializers.CharField(source="candidate.public_id")
    question = serializers.CharField(source="candidate.question.text")
    answer = serializers.CharField(source="candidate.text")
    reason = serializers.ChoiceField(choices=QUEUE_REASONS)
    votes = QueueVoteSerializer(many=True)
    waiting_since = serializers.DateTimeField(allow_null=True)
    flags = reply_of(Flag, "RaisedFlag")(many=True)
    decided = serializers.CharField(source="label", allow_null=True)
    number = serializers.IntegerField()
    systems = serializers.ListField(child=serializers.CharField(), allow_null=True)


class QueueChoiceSerializer(serializers.Serializer[Any]):
    """One choice of a filter and how many answers it would show, the other filters as they are."""

    value = serializers.CharField()
    name = serializers.CharField()
    count = serializers.IntegerField(source="answers")


class QueueChoicesSerializer(serializers.Serializer[Any]):
    """What each filter offers."""

    reason = QueueChoiceSerializer(many=True)
    flag = QueueChoiceSerializer(many=True)
    pair = QueueChoiceSerializer(many=True)
    judge = QueueChoiceSerializer(many=True)


class QueueSerializer(serializers.Serializer[Any]):
    """The first lines of what is asked for, how many there are, and how much was done today."""

    items = QueueItemSerializer(many=True)
    total = serializers.IntegerField()
    choices = QueueChoicesSerializer()
    shows_systems = serializers.BooleanField()
    may_show_systems = serializers.BooleanField()
    decided_today = serializers.IntegerField()


class QueueView(ProjectView):
    """The lead's queue."""

    allowed_roles = DECIDERS

    @operation("get_queue", query=[QueueQuerySerializer], gives=QueueSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """List what is before the lead: what no rule settles, or where judges differ from raters."""
        query = self.read_query(QueueQuerySerializer)
        wish = query
        shows_systems = selectors.shows_systems(member=self.member, wish=wish.pop("systems"))
        queue = selectors.read_queue(
            project=self.project, chosen=QueueFilter(**wish), with_systems=shows_systems
        )
        midnight = timezone.localtime(now()).replace(hour=0, minute=0, second=0, microsecond=0)
        body = {
            **queue._asdict(),
            "shows_systems": shows_systems,
            "may_show_systems": self.sees_systems,
            "decided_today": selectors.count_decided_since(project=self.project, since=midnight),
        }
        return Response(QueueSerializer(body).data)


class DossierVoteSerializer(QueueVoteSerializer):
    """A vote with everything the rater left beside it."""

    comment = serializers.CharField()
    evidence_url = serializers.CharField()
    evidence_quote = serializers.CharField()
    round = serializers.CharField()
    counted = serializers.BooleanField()


class DossierSkipSerializer(serializers.Serializer[Any]):
    """A rater who passed the answer over, and why."""

    round = serializers.CharField()
    reason = serializers.CharField()
    at = serializers.DateTimeField(allow_null=True)


class DecisionSerializer(serializers.Serializer[Any]):
    """A row of an answer's history: a decision, or its withdrawal."""

    number = serializers.IntegerField()
    is_current = serializers.BooleanField()
    is_reopening = serializers.BooleanField()
    label = serializers.CharField()  # type: ignore[assignment]
    source = serializers.ChoiceField(choices=Decision.Source.choices)  # type: ignore[assignment]
    rule = serializers.CharField()
    reason = serializers.CharField()
    category = serializers.CharField()
    is_reason_shown = serializers.BooleanField()
    by = serializers.SerializerMethodField()
    at = serializers.DateTimeField(source="decided_at")

    def get_by(self, decision: Decision) -> str:
        """Return who decided; nobody where a rule did."""
        return decision.decided_by.name if decision.decided_by else ""


class DossierQuestionSerializer(serializers.Serializer[Any]):
    """The question with the gold answers it came with."""

    id = serializers.CharField()
    text = serializers.CharField()
    gold = serializers.ListField(child=serializers.CharField())


class SiblingSerializer(serializers.Serializer[Any]):
    """Another answer to the same question."""

    id = serializers.CharField()
    answer = serializers.CharField()
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    state = serializers.ChoiceField(choices=Candidate.State.choices)


class CategorySerializer(serializers.Serializer[Any]):
    """Why raters may have come to differ, and when that fits."""

    key = serializers.ChoiceField(choices=CATEGORY_KEYS)
    name = serializers.CharField()
    meaning = serializers.CharField()


class DossierSerializer(serializers.Serializer[Any]):
    """Everything a decision on one answer rests on."""

    id = serializers.CharField()
    question = DossierQuestionSerializer()
    answer = serializers.CharField()
    state = serializers.ChoiceField(choices=Candidate.State.choices)
    reason = serializers.ChoiceField(choices=QUEUE_REASONS, allow_null=True)
    votes = DossierVoteSerializer(many=True)
    skips = DossierSkipSerializer(many=True)
    flags = reply_of(Flag, "RaisedFlag")(many=True)
    decision = DecisionSerializer(allow_null=True)
    history = DecisionSerializer(many=True)
    siblings = SiblingSerializer(many=True)
    categories = CategorySerializer(many=True)
    send_back_refusal = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField(), allow_null=True)


def dossier_body(dossier: Dossier) -> dict[str, Any]:
    """Return a dossier in the shape `DossierSerializer` writes."""
    question = dossier.candidate.question
    return {
        **dossier._asdict(),
        "id": dossier.candidate.public_id,
        "question": {"id": question.public_id, "text": question.text, "gold": dossier.gold},
        "answer": dossier.candidate.text,
        "state": dossier.candidate.state,
        "siblings": [
            {
                "id": sibling.public_id,
                "answer": sibling.text,
                "label": dossier.labels.get(sibling.pk),
                "state": dossier.states[sibling.pk],
            }
            for sibling in dossier.siblings
        ],
        "categories": CATEGORIES,
        "send_back_refusal": dossier.send_back_refusal.words if dossier.send_back_refusal else "",
    }


class DossierView(ProjectView):
    """One answer of the queue, or any other."""

    allowed_roles = DECIDERS

    @operation("get_queue_item", query=[ViewQuerySerializer], gives=DossierSerializer, errors=(404,))
    def get(self, request: Request, slug: str, candidate: str) -> Response:
        """Return everything a decision on this answer rests on."""
        return dossier_response(self, candidate)


def dossier_response(view: ProjectView, candidate: str) -> Response:
    """Return everything about an answer, as whoever asks wants to see it."""
    query = ViewQuerySerializer(data=view.request.query_params)
    query.is_valid(raise_exception=True)
    dossier = selectors.get_dossier(
        project=view.project,
        public_id=candidate,
        with_systems=selectors.shows_systems(member=view.member, wish=query.validated_data["systems"]),
    )
    return Response(DossierSerializer(dossier_body(dossier)).data)
