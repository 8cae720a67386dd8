"""HTTP for the training, for annotators: openly named, with the right label after each sheet."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.known_answers import services
from annotation.known_answers.rules import TrainingResult
from annotation.known_answers.selectors import training_of
from annotation.projects.api import ANNOTATOR, ProjectView
from annotation.projects.models import Membership
from common.web.replies import operation, reply_of


class TrainingAnswerSerializer(serializers.Serializer[Any]):
    """An answer to judge."""

    id = serializers.CharField(source="candidate.public_id")
    text = serializers.CharField(source="candidate.text")


class TrainingSheetSerializer(serializers.Serializer[Any]):
    """A question of the training with its answers; references only where the protocol shows them."""

    question_id = serializers.CharField(source="question.public_id")
    question = serializers.CharField(source="question.text")
    references = serializers.ListField(child=serializers.CharField(), allow_null=True)
    answers = TrainingAnswerSerializer(many=True)


class TrainingSerializer(serializers.Serializer[Any]):
    """Where somebody stands in the training, and the sheet that comes next."""

    state = serializers.ChoiceField(choices=["none", "due", "failed", "passed"])
    pass_share = serializers.FloatField()
    attempt = serializers.IntegerField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    sheet = TrainingSheetSerializer(allow_null=True)
    result = reply_of(TrainingResult)(allow_null=True)


class TrainingLabelSerializer(serializers.Serializer[Any]):
    """A label for one answer of a training sheet."""

    id = serializers.CharField(max_length=20)
    label = serializers.CharField(max_length=60)  # type: ignore[assignment]


class TrainingAnswersSerializer(serializers.Serializer[Any]):
    """A whole sheet of the training."""

    question_id = serializers.CharField(max_length=20)
    answers = TrainingLabelSerializer(many=True, max_length=100)  # type: ignore[call-arg]


class FeedbackSerializer(serializers.Serializer[Any]):
    """What was said of an answer, what is right, and why."""

    id = serializers.CharField(source="known.candidate.public_id")
    text = serializers.CharField(source="known.candidate.text")
    label = serializers.CharField()  # type: ignore[assignment]
    known_label = serializers.CharField(source="known.label")
    is_right = serializers.BooleanField()
    explanation = serializers.CharField(source="known.explanation", allow_blank=True)


class TrainingFeedbackSerializer(serializers.Serializer[Any]):
    """What was right, and where that leaves the rater."""

    feedback = FeedbackSerializer(many=True)
    training = TrainingSerializer()


class TrainingView(ProjectView):
    """The training of an annotator."""

    allowed_roles = frozenset({ANNOTATOR})

    @operation("get_training", gives=TrainingSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return where the annotator stands and the sheet that comes next."""
        return Response(_standing(self.member))


class TrainingAnswersView(ProjectView):
    """Judging in the training."""

    allowed_roles = frozenset({ANNOTATOR})

    @operation(
        "answer_training",
        takes=TrainingAnswersSerializer,
        gives=TrainingFeedbackSerializer,
        errors=(400, 409),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Hand in a sheet of the training and learn what was right."""
        form = self.read(TrainingAnswersSerializer)
        feedback = services.answer_training(
            rater=self.member,
            question_id=form["question_id"],
            labels={item["id"]: item["label"] for item in form["answers"]},
        )
        return Response(
            {"feedback": FeedbackSerializer(feedback, many=True).data, "training": _standing(self.member)}
        )


class TrainingAgainView(ProjectView):
    """Going through the training once more."""

    allowed_roles = frozenset({ANNOTATOR})

    @operation("start_training_again", gives=TrainingSerializer, errors=(409,))
    def post(self, request: Request, slug: str) -> Response:
        """Begin again with the first sheet."""
        services.start_again(rater=self.member)
        return Response(_standing(self.member))


def _standing(rater: Membership) -> dict[str, Any]:
    return dict(TrainingSerializer(training_of(rater=rater)).data)
