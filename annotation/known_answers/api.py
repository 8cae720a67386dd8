"""HTTP for the training, for annotators: openly named, with the right label after each sheet."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.known_answers import services
from annotation.known_answers.selectors import Training, TrainingItem, training_of
from annotation.known_answers.services import Feedback
from annotation.projects.api.access import AnnotatorView
from common.web.replies import operation, reply, reply_of

# The table of what was answered has the name among us.
reply_of(TrainingItem, "TrainingAnswer")


class TrainingLabelSerializer(serializers.Serializer[Any]):
    """A label for one answer of a training sheet."""

    id = serializers.CharField(max_length=20)
    label = serializers.CharField(max_length=60)  # type: ignore[assignment]


class TrainingAnswersSerializer(serializers.Serializer[Any]):
    """A complete training sheet to submit."""

    question_id = serializers.CharField(max_length=20)
    answers = TrainingLabelSerializer(many=True, max_length=100)  # type: ignore[call-arg]


@dataclass(frozen=True)
class TrainingFeedback:
    """The correct labels of a submitted training sheet, and the state of the training."""

    feedback: list[Feedback]
    training: Training


class TrainingView(AnnotatorView):
    """The training of an annotator."""

    @operation("get_training", gives=Training)
    def get(self, request: Request, slug: str) -> Response:
        """Return the annotator’s training progress and the next sheet."""
        return reply(training_of(rater=self.member))


class TrainingAnswersView(AnnotatorView):
    """Judging in the training."""

    @operation("answer_training", takes=TrainingAnswersSerializer, gives=TrainingFeedback)
    def post(self, request: Request, slug: str) -> Response:
        """Submit a training sheet and return the correct labels."""
        form = self.read(TrainingAnswersSerializer)
        feedback = services.answer_training(
            rater=self.member,
            question_id=form["question_id"],
            labels={item["id"]: item["label"] for item in form["answers"]},
        )
        return reply(TrainingFeedback(feedback, training_of(rater=self.member)))


class TrainingAgainView(AnnotatorView):
    """Going through the training once more."""

    @operation("start_training_again", gives=Training)
    def post(self, request: Request, slug: str) -> Response:
        """Start the training over."""
        services.start_again(rater=self.member)
        return reply(training_of(rater=self.member))
