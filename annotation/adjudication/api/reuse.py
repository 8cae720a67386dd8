"""HTTP for decisions taken over from other projects."""

from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.models import User
from annotation.adjudication import services
from annotation.projects.api import LEAD, ProjectView
from common.web.http import ErrorSerializer

PREVIEWED_ANSWERS = 200


class ReuseOfferSerializer(serializers.Serializer[Any]):
    """What could be taken over from a project; `contested`: answers on which decisions differ."""

    project = serializers.CharField(source="source.slug")
    name = serializers.CharField(source="source.name")
    answers = serializers.SerializerMethodField()
    contested = serializers.SerializerMethodField()

    def get_answers(self, offer: services.Offer) -> int:
        """Return how many answers would be decided."""
        return len(offer.answers)

    def get_contested(self, offer: services.Offer) -> int:
        """Return how many answers are not offered, as decisions on them differ."""
        return len(offer.contested)


class ReusedSerializer(serializers.Serializer[Any]):
    """Decisions in force that came from a project."""

    project = serializers.CharField(source="source")
    answers = serializers.IntegerField()
    at = serializers.DateTimeField()


class ReuseSerializer(serializers.Serializer[Any]):
    """What other projects offer, and what was taken over from them."""

    offers = ReuseOfferSerializer(many=True)
    reused = ReusedSerializer(many=True)


class ReuseRequestSerializer(serializers.Serializer[Any]):
    """The project whose decisions are taken over."""

    project = serializers.SlugField(max_length=60)


class ReuseView(ProjectView):
    """Decisions of other projects on the same answers, for leads of both."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="get_reuse", responses=ReuseSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return what other projects that the person leads offer, and what was taken over."""
        return self._reply(request)

    @extend_schema(
        operation_id="reuse_decisions",
        request=ReuseRequestSerializer,
        responses={200: ReuseSerializer, 400: ErrorSerializer, 404: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Decide what a project offers as its people did."""
        form = ReuseRequestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.reuse_decisions(
            project=self.project, by=cast(User, request.user), source=form.validated_data["project"]
        )
        return self._reply(request)

    def _reply(self, request: Request) -> Response:
        body = {
            "offers": services.list_offers(project=self.project, by=cast(User, request.user)),
            "reused": services.list_reused(project=self.project),
        }
        return Response(ReuseSerializer(body).data)


class ReusableAnswerSerializer(serializers.Serializer[Any]):
    """An answer that would be decided; without a label where decisions on it differ."""

    id = serializers.CharField()
    question = serializers.CharField()
    answer = serializers.CharField()
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]


class ReusePreviewSerializer(serializers.Serializer[Any]):
    """The first answers of an offer, those that are left out before the others."""

    answers = ReusableAnswerSerializer(many=True)
    total = serializers.IntegerField()


class ReusePreviewView(ProjectView):
    """An offer, answer by answer."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="preview_reuse",
        parameters=[ReuseRequestSerializer],
        responses={200: ReusePreviewSerializer, 404: ErrorSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return what would be decided, changing nothing."""
        form = ReuseRequestSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        offer = services.get_offer(
            project=self.project, by=cast(User, request.user), source=form.validated_data["project"]
        )
        rows = [*((answer, None) for answer in offer.contested), *offer.answers]
        answers = [
            {
                "id": answer.public_id,
                "question": answer.question.text,
                "answer": answer.text,
                "label": label,
            }
            for answer, label in rows[:PREVIEWED_ANSWERS]
        ]
        return Response(ReusePreviewSerializer({"answers": answers, "total": len(rows)}).data)


class ReuseUndoSerializer(ReuseRequestSerializer):
    """The project whose decisions are given back, and why."""

    reason = serializers.CharField(max_length=2000)


class ReuseUndoView(ProjectView):
    """Giving back what was taken over."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="undo_reuse",
        request=ReuseUndoSerializer,
        responses={204: None, 400: ErrorSerializer, 404: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Withdraw everything that came from a project and stands; raters judge it."""
        form = ReuseUndoSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        services.undo_reuse(
            project=self.project,
            by=cast(User, request.user),
            source=form.validated_data["project"],
            reason=form.validated_data["reason"],
        )
        return Response(status=204)
