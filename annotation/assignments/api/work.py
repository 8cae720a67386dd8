"""HTTP for the work plan, for leads."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.assignments import services
from annotation.assignments.models import WorkPlan
from annotation.assignments.rules import shortage_words
from annotation.assignments.selectors import find_gap, find_plan, list_raters_at_work
from annotation.projects.api import LEAD, ProjectView
from annotation.projects.models import Membership, Project
from common.http import ErrorSerializer

MOST = 10_000_000


def _limit() -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=1, max_value=MOST, required=False, allow_null=True, default=None
    )


class RaterWishSerializer(serializers.Serializer[Any]):
    """What the plan says of one rater; null: no limit. Questions count from 1, in the project's order."""

    member_id = serializers.CharField(max_length=20)
    takes_part = serializers.BooleanField(required=False, default=False)
    first_question = _limit()
    last_question = _limit()
    share = serializers.IntegerField(min_value=0, max_value=100_000, required=False, default=0)
    answers_at_most = _limit()
    questions_at_most = _limit()


class PlannedRaterSerializer(serializers.Serializer[Any]):
    """A rater, what the plan says of them, and how far they are."""

    member_id = serializers.CharField(source="member.public_id")
    name = serializers.CharField(source="member.user.name")
    pseudonym = serializers.CharField(source="member.pseudonym")
    state = serializers.ChoiceField(source="member.state", choices=Membership.State.choices)
    is_unblinded = serializers.SerializerMethodField()
    takes_part = serializers.BooleanField(source="planned.takes_part")
    first_question = serializers.IntegerField(source="planned.first_question", allow_null=True)
    last_question = serializers.IntegerField(source="planned.last_question", allow_null=True)
    share = serializers.IntegerField(source="planned.share")
    answers_at_most = serializers.IntegerField(source="planned.answers_at_most", allow_null=True)
    questions_at_most = serializers.IntegerField(source="planned.questions_at_most", allow_null=True)
    open_sheets = serializers.IntegerField()
    judged_answers = serializers.IntegerField()
    judged_questions = serializers.IntegerField()
    left_answers = serializers.IntegerField()

    def get_is_unblinded(self, row: Any) -> bool:
        """Whether the rater has seen what blind raters must not see."""
        return row.member.unblinded_at is not None


class WorkPlanSerializer(serializers.Serializer[Any]):
    """How work is handed out, and whether it will come to an end. `shortage`: words, empty where none."""

    sharing = serializers.ChoiceField(choices=WorkPlan.Sharing.choices)
    order = serializers.ChoiceField(choices=WorkPlan.Order.choices)
    goes_first = serializers.ListField(child=serializers.CharField())
    questions = serializers.IntegerField()
    raters_per_answer = serializers.IntegerField()
    shortage = serializers.CharField(allow_blank=True)
    raters = PlannedRaterSerializer(many=True)


class WorkPlanSaveSerializer(serializers.Serializer[Any]):
    """A whole plan; raters left out have no limit, part or share."""

    sharing = serializers.ChoiceField(choices=WorkPlan.Sharing.choices)
    order = serializers.ChoiceField(choices=WorkPlan.Order.choices)
    goes_first = serializers.ListField(
        child=serializers.CharField(max_length=200), max_length=5_000, required=False, default=list
    )
    raters = RaterWishSerializer(many=True, required=False, default=list)


class WorkPlanView(ProjectView):
    """Who judges what."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="get_work_plan", responses=WorkPlanSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the plan, the raters with how far they are, and what will wait for want of raters."""
        return Response(_plan(self.project))

    @extend_schema(
        operation_id="save_work_plan",
        request=WorkPlanSaveSerializer,
        responses={200: WorkPlanSerializer, 400: ErrorSerializer, 404: ErrorSerializer},
    )
    def put(self, request: Request, slug: str) -> Response:
        """Hand out by this plan from the next sheet on."""
        form = WorkPlanSaveSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        raters = [services.RaterWish(**wish) for wish in form.validated_data.pop("raters")]
        services.save_plan(project=self.project, raters=raters, **form.validated_data)
        return Response(_plan(self.project))


def _plan(project: Project) -> dict[str, Any]:
    plan = find_plan(project_id=project.pk) or WorkPlan(project=project)
    gap = find_gap(project=project)
    body = {
        "sharing": plan.sharing,
        "order": plan.order,
        "goes_first": plan.goes_first,
        "questions": project.questions.count(),
        "raters_per_answer": gap.raters_needed,
        "shortage": shortage_words(**gap._asdict()),
        "raters": list_raters_at_work(project=project),
    }
    return dict(WorkPlanSerializer(body).data)
