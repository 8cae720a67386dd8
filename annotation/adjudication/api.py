"""HTTP for the lead's queue and for decisions people make."""

from typing import Any, cast

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.models import User
from annotation.adjudication import selectors, services
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import DECISION_CATEGORIES, QueueReason
from annotation.adjudication.selectors import Dossier
from annotation.items.models import Candidate
from annotation.projects.api import ADJUDICATOR, LEAD, ProjectView
from common.clock import now
from common.http import ErrorSerializer

QUEUE_REASONS = [reason.value for reason in QueueReason]
DECIDERS = frozenset({LEAD, ADJUDICATOR})


class QueueQuerySerializer(serializers.Serializer[Any]):
    """Which part of the queue is asked for."""

    reason = serializers.ChoiceField(choices=QUEUE_REASONS, required=False, default="", allow_blank=True)


class QueueVoteSerializer(serializers.Serializer[Any]):
    """A vote in the queue's line."""

    letter = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class RaisedFlagSerializer(serializers.Serializer[Any]):
    """A rater's remark about the question."""

    kind = serializers.CharField()
    note = serializers.CharField()


class QueueItemSerializer(serializers.Serializer[Any]):
    """One line of the queue."""

    id = serializers.CharField(source="candidate.public_id")
    question = serializers.CharField(source="candidate.question.text")
    answer = serializers.CharField(source="candidate.text")
    reason = serializers.ChoiceField(choices=QUEUE_REASONS)
    votes = QueueVoteSerializer(many=True)
    waiting_since = serializers.DateTimeField(allow_null=True)
    flags = RaisedFlagSerializer(many=True)


class QueueSerializer(serializers.Serializer[Any]):
    """What waits for the lead, and how much was done today."""

    items = QueueItemSerializer(many=True)
    decided_today = serializers.IntegerField()


class QueueView(ProjectView):
    """The lead's queue."""

    allowed_roles = DECIDERS

    @extend_schema(operation_id="get_queue", parameters=[QueueQuerySerializer], responses=QueueSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """List what no rule settles."""
        query = QueueQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        midnight = timezone.localtime(now()).replace(hour=0, minute=0, second=0, microsecond=0)
        body = {
            "items": selectors.list_queue(project=self.project, reason=query.validated_data["reason"]),
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


class DossierSerializer(serializers.Serializer[Any]):
    """Everything a decision on one answer rests on."""

    id = serializers.CharField()
    question = DossierQuestionSerializer()
    answer = serializers.CharField()
    state = serializers.ChoiceField(choices=Candidate.State.choices)
    reason = serializers.ChoiceField(choices=QUEUE_REASONS, allow_null=True)
    votes = DossierVoteSerializer(many=True)
    flags = RaisedFlagSerializer(many=True)
    decision = DecisionSerializer(allow_null=True)
    history = DecisionSerializer(many=True)
    siblings = SiblingSerializer(many=True)
    categories = serializers.ListField(child=serializers.CharField())


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
                "state": sibling.state,
            }
            for sibling in dossier.siblings
        ],
        "categories": DECISION_CATEGORIES,
    }


class DossierView(ProjectView):
    """One answer of the queue, or any other."""

    allowed_roles = DECIDERS

    @extend_schema(operation_id="get_queue_item", responses={200: DossierSerializer, 404: ErrorSerializer})
    def get(self, request: Request, slug: str, candidate: str) -> Response:
        """Return everything a decision on this answer rests on."""
        return _dossier_response(self, candidate)


class DecideSerializer(serializers.Serializer[Any]):
    """A person's decision."""

    label = serializers.CharField(max_length=60)  # type: ignore[assignment]
    reason = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")
    category = serializers.ChoiceField(
        choices=DECISION_CATEGORIES, required=False, allow_blank=True, default=""
    )
    seen_number = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0)


class DecideView(ProjectView):
    """Deciding an answer."""

    allowed_roles = DECIDERS

    @extend_schema(
        operation_id="decide_answer",
        request=DecideSerializer,
        responses={200: DossierSerializer, 400: ErrorSerializer, 404: ErrorSerializer, 409: ErrorSerializer},
    )
    def post(self, request: Request, slug: str, candidate: str) -> Response:
        """Decide with a reason; raters stay anonymous, the decider does not."""
        form = DecideSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.decide_answer(
            project=self.project,
            candidate_id=candidate,
            by=cast(User, request.user),
            **form.validated_data,
        )
        return _dossier_response(self, candidate)


class ReopenSerializer(serializers.Serializer[Any]):
    """Why a decision is withdrawn."""

    reason = serializers.CharField(max_length=2000)


class ReopenView(ProjectView):
    """Withdrawing a decision."""

    allowed_roles = DECIDERS

    @extend_schema(
        operation_id="reopen_answer",
        request=ReopenSerializer,
        responses={200: DossierSerializer, 400: ErrorSerializer, 404: ErrorSerializer, 409: ErrorSerializer},
    )
    def post(self, request: Request, slug: str, candidate: str) -> Response:
        """Withdraw the decision; its history stays."""
        form = ReopenSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.reopen_answer(
            project=self.project,
            candidate_id=candidate,
            by=cast(User, request.user),
            **form.validated_data,
        )
        return _dossier_response(self, candidate)


def _dossier_response(view: ProjectView, candidate: str) -> Response:
    dossier = selectors.get_dossier(project=view.project, public_id=candidate)
    return Response(DossierSerializer(dossier_body(dossier)).data)


class ProtocolDraftSerializer(serializers.Serializer[Any]):
    """A protocol that could be put in force."""

    spec = serializers.DictField()


class ProtocolChangeSerializer(serializers.Serializer[Any]):
    """What that would mean: the version it would be, and what becomes of work done, in sentences."""

    is_same = serializers.BooleanField()
    number = serializers.IntegerField()
    effects = serializers.ListField(child=serializers.CharField())


class ProtocolChangeView(ProjectView):
    """A change of the protocol before it is made, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="foresee_protocol_change",
        request=ProtocolDraftSerializer,
        responses={200: ProtocolChangeSerializer, 400: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Say what a protocol would mean for work done; nothing is changed."""
        form = ProtocolDraftSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        effects = services.foresee_change(project=self.project, spec=form.validated_data["spec"])
        body = {
            "is_same": effects.is_same,
            "number": effects.number,
            "effects": services.words_of_change(effects),
        }
        return Response(ProtocolChangeSerializer(body).data)
