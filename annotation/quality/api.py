"""HTTP for rater quality; leads alone use it."""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.adjudication.selectors import get_candidate
from annotation.assignments.selectors import count_second_judgments
from annotation.known_answers.models import KnownAnswer
from annotation.known_answers.selectors import known_answers, list_trainees, plan_of
from annotation.known_answers.services import let_through, mark_known, withdraw_mark
from annotation.projects.api import LEAD, ProjectView
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import list_members
from annotation.projects.services import MemberNotFound
from annotation.quality import services
from annotation.quality.rules import FEWEST, Difference, KnownVote, RaterReport
from annotation.quality.selectors import answers_named, get_rater, list_raters, sign_raters
from common.web.http import NumberField
from common.web.replies import operation


def _share() -> NumberField:
    return NumberField(min_value=0, max_value=1)


class TraineeSerializer(serializers.Serializer[Any]):
    """Somebody who is to judge, and how the last time through the training went."""

    member_id = serializers.CharField(source="member.public_id")
    name = serializers.CharField(source="member.user.name")
    pseudonym = serializers.CharField(source="member.pseudonym")
    attempts = serializers.IntegerField()
    right = serializers.IntegerField()
    total = serializers.IntegerField()
    state = serializers.ChoiceField(choices=["due", "failed", "passed", "let_through"])


class QualityPlanSaveSerializer(serializers.Serializer[Any]):
    """How raters' work is looked at; shares are 0–1."""

    known_share = _share()
    repeat_share = _share()
    repeat_distance = serializers.IntegerField(min_value=1, max_value=10_000)
    repeat_hours = serializers.IntegerField(min_value=0, max_value=10_000)
    second_share = _share()
    is_training = serializers.BooleanField()
    pass_share = _share()
    least_answers = serializers.IntegerField(min_value=1, max_value=1_000)


class QualityPlanSerializer(QualityPlanSaveSerializer):
    """The plan, how many answers it can use, and how the training went so far."""

    hidden_answers = serializers.IntegerField()
    second_judgments = serializers.IntegerField()
    training_answers = serializers.IntegerField()
    trainees = TraineeSerializer(many=True)


class KnownAnswerSerializer(serializers.Serializer[Any]):
    """An answer whose label the lead says is known."""

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
    """Which answer's label is known, and what for."""

    answer = serializers.CharField(max_length=20)
    use = serializers.ChoiceField(choices=KnownAnswer.Use.choices)
    label = serializers.CharField(max_length=60)  # type: ignore[assignment]
    explanation = serializers.CharField(max_length=5_000, required=False, allow_blank=True, default="")


class KnownAnswerDrawSerializer(serializers.Serializer[Any]):
    """How many decided answers to draw, by which seed, and what for."""

    use = serializers.ChoiceField(choices=KnownAnswer.Use.choices)
    number = serializers.IntegerField(min_value=1, max_value=1_000)
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    only_unanimous = serializers.BooleanField(required=False, default=True)


class QualityPlanView(ProjectView):
    """How raters' work is looked at."""

    allowed_roles = frozenset({LEAD})

    @operation("get_quality_plan", gives=QualityPlanSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the plan and how the training went so far."""
        return Response(_plan(self.project))

    @operation(
        "save_quality_plan", takes=QualityPlanSaveSerializer, gives=QualityPlanSerializer, errors=(400,)
    )
    def put(self, request: Request, slug: str) -> Response:
        """Look at raters' work this way from the next sheet on."""
        form = self.read(QualityPlanSaveSerializer)
        services.save_quality_plan(
            project=self.project,
            by=self.user,
            wish=services.PlanWish(**form),
        )
        return Response(_plan(self.project))


class KnownAnswersView(ProjectView):
    """The known answers of a project."""

    allowed_roles = frozenset({LEAD})

    @operation("list_known_answers", gives=KnownAnswerSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List them in the project's order."""
        return Response(KnownAnswerSerializer(known_answers(project=self.project), many=True).data)

    @operation(
        "mark_known_answer",
        takes=KnownAnswerMarkSerializer,
        gives=KnownAnswerSerializer,
        status=201,
        errors=(400, 404),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Say that an answer's label is known; the same answer again changes what was said."""
        form = self.read(KnownAnswerMarkSerializer)
        wish = dict(form)
        candidate = get_candidate(project=self.project, public_id=wish.pop("answer"))
        known = mark_known(project=self.project, candidate=candidate, by=self.user, **wish)
        return Response(KnownAnswerSerializer(known).data, status=201)


class KnownAnswerView(ProjectView):
    """One known answer."""

    allowed_roles = frozenset({LEAD})

    @operation("withdraw_known_answer", status=204, errors=(404,))
    def delete(self, request: Request, slug: str, known_id: str) -> Response:
        """Use it no longer; what was said of it counts for nobody then."""
        withdraw_mark(project=self.project, public_id=known_id)
        return Response(status=204)


class KnownAnswerDrawView(ProjectView):
    """Drawing known answers from the decided ones."""

    allowed_roles = frozenset({LEAD})

    @operation(
        "draw_known_answers",
        takes=KnownAnswerDrawSerializer,
        gives=KnownAnswerSerializer(many=True),
        errors=(400,),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make decided answers known ones by lot; return those drawn."""
        form = self.read(KnownAnswerDrawSerializer)
        drawn = services.draw_known_answers(project=self.project, by=self.user, **form)
        return Response(KnownAnswerSerializer(drawn, many=True).data)


class TraineeView(ProjectView):
    """Somebody in the training."""

    allowed_roles = frozenset({LEAD})

    @operation("let_trainee_through", gives=QualityPlanSerializer, errors=(404,))
    def post(self, request: Request, slug: str, member_id: str) -> Response:
        """Give somebody work without a passed training."""
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


class TallySerializer(serializers.Serializer[Any]):
    """How often something was so, of how many times it could have been."""

    hits = serializers.IntegerField()
    total = serializers.IntegerField()


class RaterFigureSerializer(serializers.Serializer[Any]):
    """A value between its bounds; null where there is none, and `words` says why."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    words = serializers.CharField(allow_blank=True)
    tally = TallySerializer(allow_null=True)


class PaceSerializer(serializers.Serializer[Any]):
    """Active seconds an answer, beside what is usual in the project."""

    median_seconds = serializers.FloatField(allow_null=True)
    usual_seconds = serializers.FloatField(allow_null=True)
    fast = RaterFigureSerializer()


class RaterSerializer(serializers.Serializer[Any]):
    """One rater in one row."""

    id = serializers.CharField(source="rater.public_id")
    pseudonym = serializers.CharField(source="rater.pseudonym")
    name = serializers.CharField(source="rater.name")
    state = serializers.CharField(source="rater.state")
    judged = serializers.IntegerField()
    skipped = serializers.IntegerField(source="rater.skipped")
    last_at = serializers.DateTimeField(allow_null=True)
    pace = PaceSerializer()
    with_decisions = RaterFigureSerializer()
    without_own = RaterFigureSerializer()
    kappa = RaterFigureSerializer()
    dawid_skene = RaterFigureSerializer()
    one_coin = RaterFigureSerializer()
    self_agreement = RaterFigureSerializer()
    self_kappa = RaterFigureSerializer()
    known_answers = RaterFigureSerializer()
    signs = serializers.ListField(
        child=serializers.ChoiceField(choices=["fast", "run", "first_label", "drift"])
    )


class RatersSerializer(serializers.Serializer[Any]):
    """Every rater; below `fewest` cases a share is told in words."""

    signature = serializers.CharField()
    fewest = serializers.IntegerField()
    raters = RaterSerializer(many=True)


class LabelRunSerializer(serializers.Serializer[Any]):
    """The longest run of one label beside those of the same votes, shuffled."""

    label = serializers.CharField()  # type: ignore[assignment]
    longest = serializers.IntegerField()
    usual = serializers.FloatField()
    high = serializers.IntegerField()


class FirstLabelSerializer(serializers.Serializer[Any]):
    """How often the first label was given, by the rater and by others to the same answers."""

    own = RaterFigureSerializer()
    others = RaterFigureSerializer()


class DriftSerializer(serializers.Serializer[Any]):
    """The first half of a rater's work beside the last."""

    first = RaterFigureSerializer()
    last = RaterFigureSerializer()
    p_value = serializers.FloatField(allow_null=True)


class PeriodSerializer(serializers.Serializer[Any]):
    """A stretch of a rater's work."""

    begins_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    agreement = RaterFigureSerializer()


class DifferenceSerializer(serializers.Serializer[Any]):
    """An answer on which the rater differs from what it came to without them."""

    answer = serializers.CharField()
    question = serializers.CharField()
    text = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    without = serializers.CharField()
    at = serializers.DateTimeField()


class KnownMissSerializer(serializers.Serializer[Any]):
    """A hidden known answer that the rater got wrong."""

    answer = serializers.CharField()
    question = serializers.CharField()
    text = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    known = serializers.CharField()
    at = serializers.DateTimeField()


class RaterDetailSerializer(RaterSerializer):
    """One rater with what the figures are made of."""

    signature = serializers.CharField()
    labels = serializers.ListField(child=serializers.CharField())
    confusion = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    run = LabelRunSerializer(allow_null=True)
    first_label = FirstLabelSerializer()
    drift = DriftSerializer()
    periods = PeriodSerializer(many=True)
    difference_count = serializers.IntegerField()
    differences = DifferenceSerializer(many=True)
    known_misses = KnownMissSerializer(many=True)


class RatersView(ProjectView):
    """How well each rater works."""

    allowed_roles = frozenset({LEAD})

    @operation("list_raters", gives=RatersSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return a row a rater, with the uncertainty that few votes have."""
        listed = {
            "signature": sign_raters(self.project),
            "fewest": FEWEST,
            "raters": list_raters(project=self.project),
        }
        return Response(RatersSerializer(listed).data)


class RaterView(ProjectView):
    """One rater in detail."""

    allowed_roles = frozenset({LEAD})

    @operation("get_rater", gives=RaterDetailSerializer)
    def get(self, request: Request, slug: str, rater: str) -> Response:
        """Return what the figures of one rater are made of."""
        report = get_rater(project=self.project, public_id=rater)
        signature = sign_raters(self.project, rater=report.rater.pseudonym)
        body = {**report._asdict(), **self._rows_of(report), "signature": signature}
        return Response(RaterDetailSerializer(body).data)

    def _rows_of(self, report: RaterReport) -> dict[str, Any]:
        return {
            "differences": self._named(report.differences),
            "known_misses": self._named(report.known_misses),
        }

    def _named(self, rows: Sequence[Difference] | Sequence[KnownVote]) -> list[dict[str, Any]]:
        answers = answers_named(project=self.project, candidate_ids=[row.candidate for row in rows])
        return [
            {
                **row._asdict(),
                "answer": answers[row.candidate].public_id,
                "question": answers[row.candidate].question.text,
                "text": answers[row.candidate].text,
            }
            for row in rows
        ]
