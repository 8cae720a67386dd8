"""HTTP for the lead's queue, for decisions people make, and for what a changed protocol would mean."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.adjudication.rules import DECISION_CATEGORIES, QueueFilter, QueueReason
from annotation.adjudication.selectors.dossier import DecisionLine, Dossier, get_candidate, get_dossier
from annotation.adjudication.selectors.queue import (
    Choice,
    Choices,
    Flag,
    Queue,
    Skip,
    Vote,
    read_queue,
    shows_systems,
)
from annotation.adjudication.services import deciding, reuse
from annotation.adjudication.services.protocol_changes import ProtocolChange, tell_change
from annotation.adjudication.services.reuse import Reuse, ReusePreview
from annotation.assignments.models import QuestionFlag
from annotation.projects.api.access import AdjudicatorView, LeadView, ProjectView
from common.web.replies import choice_of, operation, reply, reply_of

CATEGORY_KEYS = list(DECISION_CATEGORIES)
# As pages know them.
for record, name in (
    (Flag, "RaisedFlag"),
    (Choice, "QueueChoice"),
    (Choices, "QueueChoices"),
    (Vote, "DossierVote"),
    (Skip, "DossierSkip"),
    (DecisionLine, "Decision"),
):
    reply_of(record, name)


class ViewQuerySerializer(serializers.Serializer[Any]):
    """Whether systems are shown, to those who may see them; what the protocol says where it is left out."""

    systems = serializers.BooleanField(required=False, allow_null=True, default=None)


class QueueQuerySerializer(ViewQuerySerializer):
    """Which part of the queue is asked for; `pair` (for leads) and `judge` are values of its choices."""

    reason = choice_of(QueueReason, required=False, default="", allow_blank=True)
    flag = serializers.ChoiceField(
        choices=QuestionFlag.Kind.values, required=False, default="", allow_blank=True
    )
    pair = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    judge = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)


class QueueView(AdjudicatorView):
    """The lead's queue."""

    @operation("get_queue", query=[QueueQuerySerializer], gives=Queue)
    def get(self, request: Request, slug: str) -> Response:
        """List answers that no rule settles, or on which judges and annotators disagree."""
        query = self.read_query(QueueQuerySerializer)
        if query["pair"]:
            self.require_sees_raters()
        with_systems = shows_systems(member=self.member, wish=query.pop("systems"))
        queue = read_queue(
            project=self.project,
            chosen=QueueFilter(**query),
            with_systems=with_systems,
            with_raters=self.sees_raters,
        )
        return reply(replace(queue, may_show_systems=self.sees_systems))


class DossierView(AdjudicatorView):
    """One answer of the queue, or any other."""

    @operation("get_queue_item", query=[ViewQuerySerializer], gives=Dossier)
    def get(self, request: Request, slug: str, candidate: str) -> Response:
        """Return everything needed to decide this answer."""
        return dossier_response(self, candidate)


def dossier_response(view: ProjectView, candidate: str) -> Response:
    """Return everything about an answer, as whoever asks wants to see it."""
    wish = view.read_query(ViewQuerySerializer)["systems"]
    with_systems = shows_systems(member=view.member, wish=wish)
    return reply(get_dossier(project=view.project, public_id=candidate, with_systems=with_systems))


def _change_answer(
    view: ProjectView, form: type[serializers.Serializer[Any]], candidate: str, *, act: Callable[..., object]
) -> Response:
    act(project=view.project, candidate_id=candidate, by=view.user, **view.read(form))
    return dossier_response(view, candidate)


class DecideSerializer(serializers.Serializer[Any]):
    """A person’s decision and, optionally, the next answer; if one is named, the reply contains that
    answer."""

    label = serializers.CharField(max_length=60)  # type: ignore[assignment]
    reason = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")
    category = serializers.ChoiceField(choices=CATEGORY_KEYS, required=False, allow_blank=True, default="")
    is_reason_shown = serializers.BooleanField(required=False, default=False)
    seen_number = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0)
    next = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")


class DecideView(AdjudicatorView):
    """Deciding an answer."""

    @operation("decide_answer", takes=DecideSerializer, gives=Dossier)
    def post(self, request: Request, slug: str, candidate: str) -> Response:
        """Decide the answer with a reason; the reply is the next answer if one is named, otherwise this one.

        Annotators stay anonymous; the person who decides does not.
        """
        wish = self.read(DecideSerializer)
        following = wish.pop("next") or candidate
        # One that is not there is refused before anything is decided.
        get_candidate(project=self.project, public_id=following)
        deciding.decide_answer(project=self.project, candidate_id=candidate, by=self.user, **wish)
        return dossier_response(self, following)


class ReopenSerializer(serializers.Serializer[Any]):
    """The reason for reopening a decision."""

    reason = serializers.CharField(max_length=2000)


class ReopenView(AdjudicatorView):
    """Withdrawing a decision."""

    @operation("reopen_answer", takes=ReopenSerializer, gives=Dossier)
    def post(self, request: Request, slug: str, candidate: str) -> Response:
        """Reopen the answer; its history is kept."""
        return _change_answer(self, ReopenSerializer, candidate, act=deciding.reopen_answer)


class SendBackSerializer(serializers.Serializer[Any]):
    """The reason for sending an answer back, so that another annotator judges it."""

    reason = serializers.CharField(max_length=2000)
    seen_number = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0)


class SendBackView(AdjudicatorView):
    """Sending an answer back to annotators."""

    @operation("send_answer_back", takes=SendBackSerializer, gives=Dossier)
    def post(self, request: Request, slug: str, candidate: str) -> Response:
        """Ask for one more blind vote; annotators are not told."""
        return _change_answer(self, SendBackSerializer, candidate, act=deciding.send_back)


class ChosenAnswerSerializer(serializers.Serializer[Any]):
    """An answer to decide, with the number of the latest decision that the caller saw (0: none)."""

    id = serializers.CharField(max_length=20)
    seen_number = serializers.IntegerField(min_value=0)


class DecideTogetherSerializer(serializers.Serializer[Any]):
    """One decision for several answers."""

    answers = ChosenAnswerSerializer(many=True)
    label = serializers.CharField(max_length=60)  # type: ignore[assignment]
    reason = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")
    category = serializers.ChoiceField(choices=CATEGORY_KEYS, required=False, allow_blank=True, default="")
    is_reason_shown = serializers.BooleanField(required=False, default=False)


class SendBackTogetherSerializer(serializers.Serializer[Any]):
    """The reason for sending several answers back, so that another annotator judges each."""

    answers = ChosenAnswerSerializer(many=True)
    reason = serializers.CharField(max_length=2000)


class SentBackTogetherSerializer(serializers.Serializer[Any]):
    """Answers that were sent back to annotators together.

    `group`: the ID with which to undo this. `sent_back`: the number of answers.
    """

    group = serializers.CharField()
    sent_back = serializers.IntegerField()


class DecidedTogetherSerializer(serializers.Serializer[Any]):
    """The number of decisions in a group, and the ID with which to undo the group."""

    group = serializers.CharField()
    decided = serializers.IntegerField()


class DecideTogetherView(AdjudicatorView):
    """Deciding several answers alike."""

    @operation(
        "decide_answers",
        takes=DecideTogetherSerializer,
        gives=DecidedTogetherSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Decide several answers; if any was decided in the meantime, nothing changes."""
        wish = self.read(DecideTogetherSerializer)
        seen = _seen_numbers(wish.pop("answers"))
        group = deciding.decide_answers(project=self.project, seen_numbers=seen, by=self.user, **wish)
        return Response(DecidedTogetherSerializer({"group": group, "decided": len(seen)}).data)


def _seen_numbers(answers: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    return {answer["id"]: answer["seen_number"] for answer in answers}


class SendBackTogetherView(AdjudicatorView):
    """Sending several answers back to annotators."""

    @operation(
        "send_answers_back",
        takes=SendBackTogetherSerializer,
        gives=SentBackTogetherSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ask for one more blind vote on several answers; if any cannot be sent back, nothing changes."""
        wish = self.read(SendBackTogetherSerializer)
        seen = _seen_numbers(wish["answers"])
        group = deciding.send_answers_back(
            project=self.project, seen_numbers=seen, by=self.user, reason=wish["reason"]
        )
        return Response(SentBackTogetherSerializer({"group": group, "sent_back": len(seen)}).data)


class TakeBackSerializer(serializers.Serializer[Any]):
    """Which of the caller’s decisions to undo: the one on an answer, or a whole group.

    `answer`: the ID of the answer. `group`: the ID of the group; if given, `answer` is ignored.
    """

    answer = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")
    group = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")


class TakenBackSerializer(serializers.Serializer[Any]):
    """The IDs of the answers whose decisions were undone, and of those whose decisions were not.

    `answers`: answers whose earlier state applies again. `begun`: answers that were sent back and not
    recalled, because an annotator has already received them.
    """

    answers = serializers.ListField(child=serializers.CharField())
    begun = serializers.ListField(child=serializers.CharField())


class TakeBackView(AdjudicatorView):
    """Taking one's decisions back right after they were made."""

    @operation("take_back_decisions", takes=TakeBackSerializer, gives=TakenBackSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Undo a decision, or a group of decisions; earlier decisions apply again."""
        taken = deciding.take_back(project=self.project, by=self.user, **self.read(TakeBackSerializer))
        return Response(TakenBackSerializer(taken._asdict()).data)


class ProtocolDraftSerializer(serializers.Serializer[Any]):
    """A draft of a protocol."""

    spec = serializers.DictField()


class ProtocolChangeView(LeadView):
    """A change of the protocol before it is made, for leads."""

    @operation(
        "foresee_protocol_change",
        takes=ProtocolDraftSerializer,
        gives=ProtocolChange,
        takes_key=False,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Return the effects of a protocol on existing work; nothing changes."""
        form = self.read(ProtocolDraftSerializer)
        return reply(tell_change(project=self.project, spec=form["spec"]))


class ReuseRequestSerializer(serializers.Serializer[Any]):
    """The project to copy decisions from."""

    project = serializers.SlugField(max_length=60)


class ReuseView(LeadView):
    """Decisions of other projects on the same answers, for leads of both."""

    serves_project_tokens = False

    @operation("get_reuse", gives=Reuse)
    def get(self, request: Request, slug: str) -> Response:
        """Return the decisions that the caller’s other projects offer, and those copied so far."""
        return reply(reuse.read_reuse(project=self.project, by=self.user))

    @operation("reuse_decisions", takes=ReuseRequestSerializer, gives=Reuse)
    def post(self, request: Request, slug: str) -> Response:
        """Copy the decisions of another project."""
        form = self.read(ReuseRequestSerializer)
        reuse.reuse_decisions(project=self.project, by=self.user, source=form["project"])
        return reply(reuse.read_reuse(project=self.project, by=self.user))


class ReusePreviewView(LeadView):
    """An offer, answer by answer."""

    serves_project_tokens = False

    @operation("preview_reuse", query=[ReuseRequestSerializer], gives=ReusePreview)
    def get(self, request: Request, slug: str) -> Response:
        """Return the answers that would be decided; nothing changes."""
        form = self.read_query(ReuseRequestSerializer)
        return reply(reuse.preview_reuse(project=self.project, by=self.user, source=form["project"]))


class ReuseUndoSerializer(ReuseRequestSerializer):
    """The project whose copied decisions should be undone, and why."""

    reason = serializers.CharField(max_length=2000)


class ReuseUndoView(LeadView):
    """Giving back what was taken over."""

    serves_project_tokens = False

    @operation("undo_reuse", takes=ReuseUndoSerializer, status=204)
    def post(self, request: Request, slug: str) -> Response:
        """Reopen all answers with decisions copied from a project."""
        form = self.read(ReuseUndoSerializer)
        reuse.undo_reuse(
            project=self.project,
            by=self.user,
            source=form["project"],
            reason=form["reason"],
        )
        return Response(status=204)
