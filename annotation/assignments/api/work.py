"""HTTP for the work plan, for leads."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.assignments import services
from annotation.assignments.models import WorkEvent, WorkPlan
from annotation.assignments.rules import shortage_words
from annotation.assignments.selectors import find_gap, find_plan, list_raters_at_work, list_work_events
from annotation.projects.api import LEAD, ProjectView
from annotation.projects.models import Membership, Project
from common.web.replies import operation

MOST = 10_000_000


def _limit() -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=1, max_value=MOST, required=False, allow_null=True, default=None
    )


class RaterWishSerializer(serializers.Serializer[Any]):
    """What the plan says of one rater; null: no limit. Questions count from 1, in the project's order.

    `stand_in`: the rater who judges this one's part in their place, or empty.
    """

    member_id = serializers.CharField(max_length=20)
    takes_part = serializers.BooleanField(required=False, default=False)
    stand_in = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")
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
    stand_in = serializers.SerializerMethodField()
    first_question = serializers.IntegerField(source="planned.first_question", allow_null=True)
    last_question = serializers.IntegerField(source="planned.last_question", allow_null=True)
    share = serializers.IntegerField(source="planned.share")
    answers_at_most = serializers.IntegerField(source="planned.answers_at_most", allow_null=True)
    questions_at_most = serializers.IntegerField(source="planned.questions_at_most", allow_null=True)
    open_sheets = serializers.IntegerField()
    held_answers = serializers.IntegerField()
    held_since = serializers.DateTimeField(allow_null=True)
    held_until = serializers.DateTimeField(allow_null=True)
    judged_answers = serializers.IntegerField()
    judged_questions = serializers.IntegerField()
    left_answers = serializers.IntegerField()

    def get_stand_in(self, row: Any) -> str:
        """Who judges the rater's part in their place; empty for nobody."""
        return row.planned.stand_in.public_id if row.planned.stand_in else ""

    def get_is_unblinded(self, row: Any) -> bool:
        """Whether the rater has seen what blind raters must not see."""
        return row.member.unblinded_at is not None


class WorkEventSerializer(serializers.Serializer[Any]):
    """One act of a lead on the work; `rater` is empty where it concerned all."""

    kind = serializers.ChoiceField(choices=WorkEvent.Kind.choices)
    rater = serializers.CharField(source="rater.user.name", default="", allow_blank=True)
    by = serializers.CharField(source="by.name")
    at = serializers.DateTimeField()
    sheets = serializers.IntegerField()
    answers = serializers.IntegerField()


class PauseSerializer(serializers.Serializer[Any]):
    """Whether the sheets in the rater's hands are taken back at once."""

    takes_back = serializers.BooleanField()


class WorkPlanSerializer(serializers.Serializer[Any]):
    """How work is handed out, and whether it will come to an end. `shortage`: words, empty where none."""

    sharing = serializers.ChoiceField(choices=WorkPlan.Sharing.choices)
    order = serializers.ChoiceField(choices=WorkPlan.Order.choices)
    goes_first = serializers.ListField(child=serializers.CharField())
    questions = serializers.IntegerField()
    raters_per_answer = serializers.IntegerField()
    shortage = serializers.CharField(allow_blank=True)
    raters = PlannedRaterSerializer(many=True)
    events = WorkEventSerializer(many=True)


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

    @operation("get_work_plan", gives=WorkPlanSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the plan, the raters with how far they are, and what will wait for want of raters."""
        return Response(_plan(self.project))

    @operation("save_work_plan", takes=WorkPlanSaveSerializer, gives=WorkPlanSerializer, errors=(400, 404))
    def put(self, request: Request, slug: str) -> Response:
        """Hand out by this plan from the next sheet on."""
        form = self.read(WorkPlanSaveSerializer)
        raters = [services.RaterWish(**wish) for wish in form.pop("raters")]
        services.save_plan(project=self.project, raters=raters, **form)
        return Response(_plan(self.project))


class PauseView(ProjectView):
    """Handing a rater nothing more."""

    allowed_roles = frozenset({LEAD})

    @operation("pause_rater", takes=PauseSerializer, gives=WorkPlanSerializer, errors=(404, 409))
    def post(self, request: Request, slug: str, member_id: str) -> Response:
        """Pause a rater; their sheets stay until their time runs out, or are taken back at once."""
        form = self.read(PauseSerializer)
        services.pause_rater(project=self.project, member_id=member_id, by=self.member.user, **form)
        return Response(_plan(self.project))


class ResumeView(ProjectView):
    """Handing a paused rater work again."""

    allowed_roles = frozenset({LEAD})

    @operation("resume_rater", gives=WorkPlanSerializer, errors=(404, 409))
    def post(self, request: Request, slug: str, member_id: str) -> Response:
        """Let a paused rater go on."""
        services.resume_rater(project=self.project, member_id=member_id, by=self.member.user)
        return Response(_plan(self.project))


class TakeBackView(ProjectView):
    """Taking back what lies in a rater's hands."""

    allowed_roles = frozenset({LEAD})

    @operation("take_back_sheets", gives=WorkPlanSerializer, errors=(404,))
    def post(self, request: Request, slug: str, member_id: str) -> Response:
        """Take back every sheet in a rater's hands, for anybody to be given."""
        services.take_back_sheets(project=self.project, member_id=member_id, by=self.member.user)
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
        "events": list_work_events(project=project),
    }
    return dict(WorkPlanSerializer(body).data)
