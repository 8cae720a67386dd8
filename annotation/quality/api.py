"""HTTP for annotator quality; leads alone use it."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.adjudication.selectors.dossier import get_candidate
from annotation.assignments.selectors.second_pass import count_second_judgments
from annotation.known_answers.models import KnownAnswer
from annotation.known_answers.selectors import Trainee, known_answers, list_trainees, plan_of
from annotation.known_answers.services import let_through, mark_known, withdraw_mark
from annotation.projects.api.access import LeadView
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import list_members
from annotation.projects.services.members import MemberNotFound
from annotation.quality import services
from annotation.quality.rules.figures import Figure
from annotation.quality.rules.reports import RaterRow
from annotation.quality.rules.signs import Run
from annotation.quality.selectors import RaterDetail, Raters, read_rater, read_raters
from common.web.replies import NumberField, operation, reply, reply_of

# As pages know them.
for record, name in ((Figure, "RaterFigure"), (Run, "LabelRun"), (RaterRow, "Rater")):
    reply_of(record, name)


def _share() -> NumberField:
    return NumberField(min_value=0, max_value=1)


class QualityPlanSaveSerializer(serializers.Serializer[Any]):
    """How annotators’ work is checked. Shares are from 0 to 1."""

    known_share = _share()
    repeat_share = _share()
    repeat_distance = serializers.IntegerField(min_value=1, max_value=10_000)
    repeat_hours = serializers.IntegerField(min_value=0, max_value=10_000)
    second_share = _share()
    is_training = serializers.BooleanField()
    pass_share = _share()
    least_answers = serializers.IntegerField(min_value=1, max_value=1_000)


class QualityPlanSerializer(QualityPlanSaveSerializer):
    """The quality plan, the number of answers it can use, and the results of the training so far."""

    hidden_answers = serializers.IntegerField()
    second_judgments = serializers.IntegerField()
    training_answers = serializers.IntegerField()
    trainees = reply_of(Trainee)(many=True)


class KnownAnswerSerializer(serializers.Serializer[Any]):
    """An answer that a lead marked as known."""

    id = serializers.CharField(source="public_id")
    answer = serializers.CharField(source="candidate.public_id")
    text = serializers.CharField(source="candidate.text")
    question = serializers.CharField(source="candidate.question.text")
    use = serializers.ChoiceField(choices=KnownAnswer.Use.choices)
    label = serializers.CharField()  # type: ignore[assignment]
    explanation = serializers.CharField(allow_blank=True)
    marked_by = serializers.CharField(source="marked_by.name")
    marked_at = serializers.DateTimeField()


class KnownAnswerMarkSerializer(serializers.Serializer[Any]):
    """The answer to mark as known, its label, and its use."""

    answer = serializers.CharField(max_length=20)
    use = serializers.ChoiceField(choices=KnownAnswer.Use.choices)
    label = serializers.CharField(max_length=60)  # type: ignore[assignment]
    explanation = serializers.CharField(max_length=5_000, required=False, allow_blank=True, default="")


class KnownAnswerDrawSerializer(serializers.Serializer[Any]):
    """How many decided answers to sample, the seed, and the use of the known answers."""

    use = serializers.ChoiceField(choices=KnownAnswer.Use.choices)
    number = serializers.IntegerField(min_value=1, max_value=1_000)
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    only_unanimous = serializers.BooleanField(required=False, default=True)


class KnownAnswersMarkSerializer(serializers.Serializer[Any]):
    """The decided answers to mark as known, and their use."""

    answers = serializers.ListField(child=serializers.CharField(max_length=20))
    use = serializers.ChoiceField(choices=KnownAnswer.Use.choices)


class KnownAnswersMarkedSerializer(serializers.Serializer[Any]):
    """The number of answers newly marked as known."""

    marked = serializers.IntegerField()


class QualityPlanView(LeadView):
    """How annotators' work is looked at."""

    @operation("get_quality_plan", gives=QualityPlanSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the plan for quality checks, and training progress."""
        return Response(_plan(self.project))

    @operation("save_quality_plan", takes=QualityPlanSaveSerializer, gives=QualityPlanSerializer)
    def put(self, request: Request, slug: str) -> Response:
        """Change quality checks from the next sheet on."""
        form = self.read(QualityPlanSaveSerializer)
        services.save_quality_plan(
            project=self.project,
            by=self.user,
            wish=services.PlanWish(**form),
        )
        return Response(_plan(self.project))


class KnownAnswersView(LeadView):
    """The known answers of a project."""

    @operation("list_known_answers", gives=KnownAnswerSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the known answers in project order."""
        return Response(KnownAnswerSerializer(known_answers(project=self.project), many=True).data)

    @operation(
        "mark_known_answer",
        takes=KnownAnswerMarkSerializer,
        gives=KnownAnswerSerializer,
        status=201,
        is_whole=True,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Mark an answer as known, or change how it is marked."""
        wish = dict(self.read(KnownAnswerMarkSerializer))
        candidate = get_candidate(project=self.project, public_id=wish.pop("answer"))
        known = mark_known(project=self.project, candidate=candidate, by=self.user, **wish)
        return Response(KnownAnswerSerializer(known).data, status=201)


class KnownAnswerView(LeadView):
    """One known answer."""

    @operation("withdraw_known_answer", status=204)
    def delete(self, request: Request, slug: str, known_id: str) -> Response:
        """Remove the known answer; labels that annotators gave it no longer count."""
        withdraw_mark(project=self.project, public_id=known_id)
        return Response(status=204)


class KnownAnswersMarkView(LeadView):
    """Several answers whose labels are known by their decisions."""

    @operation(
        "mark_known_answers",
        takes=KnownAnswersMarkSerializer,
        gives=KnownAnswersMarkedSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Mark several decided answers as known; if one is not decided, none is marked."""
        form = self.read(KnownAnswersMarkSerializer)
        marked = services.mark_known_answers(project=self.project, by=self.user, **form)
        return Response(KnownAnswersMarkedSerializer({"marked": marked}).data)


class KnownAnswerDrawView(LeadView):
    """Drawing known answers from the decided ones."""

    @operation(
        "draw_known_answers",
        takes=KnownAnswerDrawSerializer,
        gives=KnownAnswerSerializer(many=True),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Mark a random sample of decided answers as known, and return it."""
        form = self.read(KnownAnswerDrawSerializer)
        drawn = services.draw_known_answers(project=self.project, by=self.user, **form)
        return Response(KnownAnswerSerializer(drawn, many=True).data)


class TraineeView(LeadView):
    """Somebody in the training."""

    @operation("let_trainee_through", gives=QualityPlanSerializer)
    def post(self, request: Request, slug: str, member_id: str) -> Response:
        """Let an annotator judge without passing the training."""
        annotators = list_members(project=self.project).filter(role=Membership.Role.ANNOTATOR)
        rater = annotators.filter(public_id=member_id).first()
        if rater is None:
            raise MemberNotFound("This project has no such annotator.")
        let_through(rater=rater, by=self.user)
        return Response(_plan(self.project))


def _plan(project: Project) -> dict[str, Any]:
    plan = plan_of(project=project)
    uses = list(known_answers(project=project).values_list("use", flat=True))
    fields = (*QualityPlanSaveSerializer().fields,)
    body = {
        **{field: getattr(plan, field) for field in fields},
        "hidden_answers": uses.count(KnownAnswer.Use.HIDDEN),
        "second_judgments": count_second_judgments(project=project),
        "training_answers": uses.count(KnownAnswer.Use.TRAINING),
        "trainees": list_trainees(project=project),
    }
    return dict(QualityPlanSerializer(body).data)


class RatersView(LeadView):
    """How well each annotator works."""

    @operation("list_raters", gives=Raters)
    def get(self, request: Request, slug: str) -> Response:
        """Return statistics for each annotator, with intervals."""
        return reply(read_raters(project=self.project))


class RaterView(LeadView):
    """One annotator in detail."""

    @operation("get_rater", gives=RaterDetail)
    def get(self, request: Request, slug: str, rater: str) -> Response:
        """Return the details behind one annotator’s statistics."""
        return reply(read_rater(project=self.project, public_id=rater))
