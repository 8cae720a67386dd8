"""HTTP for work: sheets for annotators, built by the blind view, and for leads its plan and its pilots."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.services import claimed_account, recognize
from annotation.assignments.blind_view import Work, build_work
from annotation.assignments.models import Pilot, QuestionFlag, WorkEvent, WorkPlan
from annotation.assignments.rules import shortage_words
from annotation.assignments.selectors.pilots import PilotsRead, PilotStanding, read_pilots
from annotation.assignments.selectors.planning import find_gap, find_plan
from annotation.assignments.selectors.rater import find_rater
from annotation.assignments.selectors.raters_at_work import RaterAtWork, list_raters_at_work, list_work_events
from annotation.assignments.services import handing_out, pilots, slots, work_plans
from annotation.items.selectors import passages_reader, references_read
from annotation.projects.api.access import AnnotatorView, LeadView
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import ProjectNotFound
from common.clock import now
from common.memory import reading_once
from common.web.replies import operation, reply, reply_of

# The rater's other tab may hand in every sheet between its being handed out and being read.
MORE_TRIES = 2
# Enough to judge for a while without a network, few enough that others do not wait for them.
MOST_AHEAD = 24


class AheadSerializer(serializers.Serializer[Any]):
    """How many sheets the client wants to load ahead."""

    ahead = serializers.IntegerField(min_value=1, max_value=MOST_AHEAD, default=1)


class FlagCreateSerializer(serializers.Serializer[Any]):
    """A new flag on a question."""

    kind = serializers.ChoiceField(choices=QuestionFlag.Kind.choices)
    note = serializers.CharField(max_length=2_000, required=False, allow_blank=True, default="")


class FlagSerializer(serializers.Serializer[Any]):
    """A flag that the annotator added."""

    kind = serializers.ChoiceField(choices=QuestionFlag.Kind.choices)
    note = serializers.CharField()


def work_for(*, rater: Membership, ahead: int) -> Work:
    """Return up to `ahead` sheets as the annotator may see them, new ones once the guidelines are read."""
    work = _work_once(rater=rater, ahead=ahead)
    return _try_more(work, rater=rater, ahead=ahead)


def _try_more(work: Work, *, rater: Membership, ahead: int) -> Work:
    for _ in range(MORE_TRIES):
        if work.sheets or work.nothing_left or work.guidelines_unread:
            break
        work = _work_once(rater=rater, ahead=ahead)
    return work


def work_after(*, rater: Membership, ahead: int, received: handing_out.Received | None = None) -> Work:
    """Return the next work for somebody whose sheet was just taken in.

    `received`: what they were handed with that. Whoever was paused meanwhile gets none, and learns why when
    asking again: their sheet is safe.
    """
    try:
        if received is None:
            return work_for(rater=rater, ahead=ahead)
        return _try_more(_build(rater, received, as_given=True), rater=rater, ahead=ahead)
    except handing_out.NotHandedOut:
        nothing = build_work(rater=rater, sheets=[], left_questions=0, references=None)
        return replace(nothing, nothing_left=False)


@reading_once()
def _work_once(*, rater: Membership, ahead: int) -> Work:
    return _build(rater, handing_out.receive_sheets(rater=rater, ahead=ahead))


def _build(rater: Membership, received: handing_out.Received, *, as_given: bool = False) -> Work:
    rules = rater.project.protocol.rules if rater.project.protocol else None
    return build_work(
        rater=rater,
        sheets=received.sheets,
        left_questions=handing_out.count_left(rater=rater, received=received, at=now()),
        references=references_read if rules and rules.gold_shown else None,
        passages=passages_reader(rules),
        as_given=as_given,
    )


class JudgingView(AnnotatorView):
    """A view of the judging page: whatever stands still for its annotator is read once, with them."""

    _claimed: Membership | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request, reading rules, plans and account a single time."""
        with reading_once():
            self._claimed = self._find_claimed(request, kwargs["slug"])
            return super().dispatch(request, *args, **kwargs)

    def _find_claimed(self, request: HttpRequest, slug: str) -> Membership | None:
        """Read the annotator whom the session names, with the account by which Django checks that."""
        key = claimed_account(request=request)
        try:
            claimed = None if key is None else find_rater(user=key, slug=slug)
        except ProjectNotFound:
            return None
        if claimed is not None:
            recognize(request=request, user=claimed.user)
        return claimed

    def find_member(self, slug: str) -> Membership:
        """Return the annotator with their plans."""
        claimed = self._claimed
        if claimed is not None and claimed.user_id == self.user.pk:
            return claimed
        return find_rater(user=self.user.pk, slug=slug)


class NextSheetsView(JudgingView):
    """Work for an annotator."""

    @operation("next_sheets", takes=AheadSerializer, gives=Work, takes_key=False)
    def post(self, request: Request, slug: str) -> Response:
        """Return the next sheets; repeated requests return the same ones."""
        return reply(work_for(rater=self.member, ahead=self.read(AheadSerializer)["ahead"]))


class SheetFlagsView(AnnotatorView):
    """Remarks about the question of a sheet."""

    @operation(
        "flag_question",
        takes=FlagCreateSerializer,
        gives=FlagSerializer,
        status=201,
        is_whole=True,
    )
    def post(self, request: Request, slug: str, sheet_id: str) -> Response:
        """Flag the question for the leads."""
        flag = handing_out.flag_question(
            rater=self.member, sheet_id=sheet_id, **self.read(FlagCreateSerializer)
        )
        return Response(FlagSerializer(flag).data, status=201)


MOST = 10_000_000


def _limit() -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=1, max_value=MOST, required=False, allow_null=True, default=None
    )


class RaterWishSerializer(serializers.Serializer[Any]):
    """One annotator’s part of the work plan. A limit of null means no limit.

    Questions are numbered from 1 in project order. `stand_in`: the ID of the annotator who judges this part
    instead, or empty.
    """

    member_id = serializers.CharField(max_length=20)
    takes_part = serializers.BooleanField(required=False, default=False)
    stand_in = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")
    first_question = _limit()
    last_question = _limit()
    share = serializers.IntegerField(min_value=0, max_value=100_000, required=False, default=0)
    answers_at_most = _limit()
    questions_at_most = _limit()


class WorkEventSerializer(serializers.Serializer[Any]):
    """A lead’s change to the work plan or to who gets work.

    `rater`: the annotator’s name; empty if the change applied to everyone.
    """

    kind = serializers.ChoiceField(choices=WorkEvent.Kind.choices)
    rater = serializers.CharField(source="rater.user.name", default="", allow_blank=True)
    by = serializers.CharField(source="by.name")
    at = serializers.DateTimeField()
    sheets = serializers.IntegerField()
    answers = serializers.IntegerField()


class PauseSerializer(serializers.Serializer[Any]):
    """Whether the annotator’s open sheets are recalled immediately."""

    takes_back = serializers.BooleanField()


class WorkPlanSerializer(serializers.Serializer[Any]):
    """How work is assigned, and whether it can be completed.

    `raters_per_answer`: the number of annotators an answer needs under the protocol. `raters_at_first`: the
    number of annotators first asked about an answer; 1 if routing may settle it with a judge. `shortage`: why
    answers will wait; empty if none will.
    """

    sharing = serializers.ChoiceField(choices=WorkPlan.Sharing.choices)
    order = serializers.ChoiceField(choices=WorkPlan.Order.choices)
    goes_first = serializers.ListField(child=serializers.CharField())
    questions = serializers.IntegerField()
    raters_per_answer = serializers.IntegerField()
    raters_at_first = serializers.IntegerField()
    shortage = serializers.CharField(allow_blank=True)
    raters = reply_of(RaterAtWork, "PlannedRater")(many=True)
    events = WorkEventSerializer(many=True)


class WorkPlanSaveSerializer(serializers.Serializer[Any]):
    """A complete work plan. Annotators whom it omits have no limit, part, or share."""

    sharing = serializers.ChoiceField(choices=WorkPlan.Sharing.choices)
    order = serializers.ChoiceField(choices=WorkPlan.Order.choices)
    goes_first = serializers.ListField(
        child=serializers.CharField(max_length=200), max_length=5_000, required=False, default=list
    )
    raters = RaterWishSerializer(many=True, required=False, default=list)


class WorkPlanView(LeadView):
    """Who judges what."""

    @operation("get_work_plan", gives=WorkPlanSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the plan, annotators’ progress, and how many answers will wait for more annotators."""
        return Response(_plan(self.project))

    @operation("save_work_plan", takes=WorkPlanSaveSerializer, gives=WorkPlanSerializer)
    def put(self, request: Request, slug: str) -> Response:
        """Change the work plan from the next sheet on."""
        form = self.read(WorkPlanSaveSerializer)
        raters = [work_plans.RaterWish(**wish) for wish in form.pop("raters")]
        work_plans.save_plan(project=self.project, raters=raters, **form)
        return Response(_plan(self.project))


class PauseView(LeadView):
    """Handing an annotator nothing more."""

    write_scope = "manage"

    @operation("pause_rater", takes=PauseSerializer, gives=WorkPlanSerializer)
    def post(self, request: Request, slug: str, member_id: str) -> Response:
        """Pause an annotator; open sheets stay until they expire, or are recalled immediately."""
        form = self.read(PauseSerializer)
        slots.pause_rater(project=self.project, member_id=member_id, by=self.member.user, **form)
        return Response(_plan(self.project))


class ResumeView(LeadView):
    """Handing a paused annotator work again."""

    write_scope = "manage"

    @operation("resume_rater", gives=WorkPlanSerializer)
    def post(self, request: Request, slug: str, member_id: str) -> Response:
        """Resume a paused annotator."""
        slots.resume_rater(project=self.project, member_id=member_id, by=self.member.user)
        return Response(_plan(self.project))


class TakeBackView(LeadView):
    """Taking back what lies in an annotator's hands."""

    @operation("take_back_sheets", gives=WorkPlanSerializer)
    def post(self, request: Request, slug: str, member_id: str) -> Response:
        """Recall all open sheets of an annotator, so that others can get them."""
        slots.take_back_sheets(project=self.project, member_id=member_id, by=self.member.user)
        return Response(_plan(self.project))


def _plan(project: Project) -> dict[str, Any]:
    plan = find_plan(project_id=project.pk) or WorkPlan(project=project)
    gap = find_gap(project=project)
    body = {
        "sharing": plan.sharing,
        "order": plan.order,
        "goes_first": plan.goes_first,
        "questions": project.questions.count(),
        "raters_per_answer": project.protocol.rules.raters_per_answer if project.protocol else 0,
        "raters_at_first": project.raters_at_first,
        "shortage": shortage_words(**gap._asdict()),
        "raters": list_raters_at_work(project=project),
        "events": list_work_events(project=project),
    }
    return dict(WorkPlanSerializer(body).data)


# As pages know them.
reply_of(
    PilotStanding, "Pilot", outcome=serializers.ChoiceField(choices=Pilot.Outcome.choices, allow_blank=True)
)
reply_of(PilotsRead, "Pilots")


class PilotBeginSerializer(serializers.Serializer[Any]):
    """The number of questions that everyone judges, and how they are selected.

    `seed`: the seed of a random sample; null for the first questions.
    """

    questions = serializers.IntegerField(min_value=1, max_value=1_000)
    seed = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, required=False, allow_null=True, default=None
    )


class PilotEndSerializer(serializers.Serializer[Any]):
    """What happens to the pilot’s questions."""

    outcome = serializers.ChoiceField(choices=Pilot.Outcome.choices)


class PilotsView(LeadView):
    """Questions that everybody judges before the work, uncounted."""

    @operation("list_pilots", gives=PilotsRead)
    def get(self, request: Request, slug: str) -> Response:
        """List the pilots with each annotator’s progress."""
        return reply(read_pilots(project=self.project))

    @operation("begin_pilot", takes=PilotBeginSerializer, gives=PilotsRead, status=201)
    def post(self, request: Request, slug: str) -> Response:
        """Start a pilot, in which all annotators judge the same questions first."""
        pilots.begin_pilot(project=self.project, by=self.member.user, **self.read(PilotBeginSerializer))
        return reply(read_pilots(project=self.project), status=201)


class PilotEndView(LeadView):
    """Ending the pilot that goes on."""

    @operation("end_pilot", takes=PilotEndSerializer, gives=PilotsRead)
    def post(self, request: Request, slug: str) -> Response:
        """End the pilot; its questions become regular work or are excluded from the study."""
        pilots.end_pilot(project=self.project, by=self.member.user, **self.read(PilotEndSerializer))
        return reply(read_pilots(project=self.project))
