"""HTTP for decisions taken over from other projects."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.adjudication import services
from annotation.projects.api import LEAD, ProjectView
from common.web.replies import operation

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

    @operation("get_reuse", gives=ReuseSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return what other projects that the person leads offer, and what was taken over."""
        return self._reply(request)

    @operation("reuse_decisions", takes=ReuseRequestSerializer, gives=ReuseSerializer, errors=(400, 404))
    def post(self, request: Request, slug: str) -> Response:
        """Decide what a project offers as its people did."""
        form = self.read(ReuseRequestSerializer)
        services.reuse_decisions(project=self.project, by=self.user, source=form["project"])
        return self._reply(request)

    def _reply(self, request: Request) -> Response:
        body = {
            "offers": services.list_offers(project=self.project, by=self.user),
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

    @operation("preview_reuse", query=[ReuseRequestSerializer], gives=ReusePreviewSerializer, errors=(404,))
    def get(self, request: Request, slug: str) -> Response:
        """Return what would be decided, changing nothing."""
        form = self.read_query(ReuseRequestSerializer)
        offer = services.get_offer(project=self.project, by=self.user, source=form["project"])
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

    @operation("undo_reuse", takes=ReuseUndoSerializer, status=204, errors=(400, 404))
    def post(self, request: Request, slug: str) -> Response:
        """Withdraw everything that came from a project and stands; raters judge it."""
        form = self.read(ReuseUndoSerializer)
        services.undo_reuse(
            project=self.project,
            by=self.user,
            source=form["project"],
            reason=form["reason"],
        )
        return Response(status=204)
