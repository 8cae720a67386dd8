"""HTTP for decisions people make, and for taking them back."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.adjudication import services
from annotation.adjudication.api.queue import CATEGORY_KEYS, DECIDERS, DossierSerializer, dossier_response
from annotation.projects.api import ProjectView
from common.web.replies import operation

REFUSALS = (400, 404, 409)


def _change_answer(
    view: ProjectView, form: serializers.Serializer[Any], candidate: str, *, act: Callable[..., object]
) -> Response:
    form.is_valid(raise_exception=True)
    by = view.user
    act(project=view.project, candidate_id=candidate, by=by, **form.validated_data)
    return dossier_response(view, candidate)


class DecideSerializer(serializers.Serializer[Any]):
    """A person's decision."""

    label = serializers.CharField(max_length=60)  # type: ignore[assignment]
    reason = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")
    category = serializers.ChoiceField(choices=CATEGORY_KEYS, required=False, allow_blank=True, default="")
    is_reason_shown = serializers.BooleanField(required=False, default=False)
    seen_number = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0)


class DecideView(ProjectView):
    """Deciding an answer."""

    allowed_roles = DECIDERS

    @operation("decide_answer", takes=DecideSerializer, gives=DossierSerializer, errors=REFUSALS)
    def post(self, request: Request, slug: str, candidate: str) -> Response:
        """Decide with a reason; raters stay anonymous, the decider does not."""
        return _change_answer(
            self, DecideSerializer(data=request.data), candidate, act=services.decide_answer
        )


class ReopenSerializer(serializers.Serializer[Any]):
    """Why a decision is withdrawn."""

    reason = serializers.CharField(max_length=2000)


class ReopenView(ProjectView):
    """Withdrawing a decision."""

    allowed_roles = DECIDERS

    @operation("reopen_answer", takes=ReopenSerializer, gives=DossierSerializer, errors=REFUSALS)
    def post(self, request: Request, slug: str, candidate: str) -> Response:
        """Withdraw the decision; its history stays."""
        return _change_answer(
            self, ReopenSerializer(data=request.data), candidate, act=services.reopen_answer
        )


class SendBackSerializer(serializers.Serializer[Any]):
    """Why another rater is to judge an answer."""

    reason = serializers.CharField(max_length=2000)
    seen_number = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0)


class SendBackView(ProjectView):
    """Sending an answer back to raters."""

    allowed_roles = DECIDERS

    @operation("send_answer_back", takes=SendBackSerializer, gives=DossierSerializer, errors=REFUSALS)
    def post(self, request: Request, slug: str, candidate: str) -> Response:
        """Ask for one more blind vote; the raters learn nothing of it."""
        return _change_answer(self, SendBackSerializer(data=request.data), candidate, act=services.send_back)


class ChosenAnswerSerializer(serializers.Serializer[Any]):
    """An answer to decide, and the number of its last decision as it was seen (0: none)."""

    id = serializers.CharField(max_length=20)
    seen_number = serializers.IntegerField(min_value=0)


class DecideTogetherSerializer(serializers.Serializer[Any]):
    """One decision for several answers."""

    answers = ChosenAnswerSerializer(many=True)
    label = serializers.CharField(max_length=60)  # type: ignore[assignment]
    reason = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")
    category = serializers.ChoiceField(choices=CATEGORY_KEYS, required=False, allow_blank=True, default="")
    is_reason_shown = serializers.BooleanField(required=False, default=False)


class DecidedTogetherSerializer(serializers.Serializer[Any]):
    """What the decisions are called together, to take them back, and how many they are."""

    group = serializers.CharField()
    decided = serializers.IntegerField()


class DecideTogetherView(ProjectView):
    """Deciding several answers alike."""

    allowed_roles = DECIDERS

    @operation(
        "decide_answers",
        takes=DecideTogetherSerializer,
        gives=DecidedTogetherSerializer,
        errors=(400, 404, 409),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Decide all of the answers or, where one was decided meanwhile, none."""
        form = self.read(DecideTogetherSerializer)
        wish = form
        seen = {answer["id"]: answer["seen_number"] for answer in wish.pop("answers")}
        group = services.decide_answers(project=self.project, seen_numbers=seen, by=self.user, **wish)
        return Response(DecidedTogetherSerializer({"group": group, "decided": len(seen)}).data)


class TakeBackSerializer(serializers.Serializer[Any]):
    """Which of one's own decisions is taken back: that on an answer, or a whole group."""

    answer = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")
    group = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")


class TakenBackSerializer(serializers.Serializer[Any]):
    """The answers that stand as they did before."""

    answers = serializers.ListField(child=serializers.CharField())


class TakeBackView(ProjectView):
    """Taking one's decisions back right after they were made."""

    allowed_roles = DECIDERS

    @operation("take_back_decisions", takes=TakeBackSerializer, gives=TakenBackSerializer, errors=(409,))
    def post(self, request: Request, slug: str) -> Response:
        """Take back one decision, or a group together; what stood before stands again."""
        form = self.read(TakeBackSerializer)
        answers = services.take_back(project=self.project, by=self.user, **form)
        return Response(TakenBackSerializer({"answers": answers}).data)
