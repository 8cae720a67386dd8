"""HTTP for runs: list, start, estimate, and control them."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import LEAD, ProjectView
from common.clock import now
from common.web.replies import operation, reply_of
from judges.connections.api import MoneyField
from judges.runs import selectors, services
from judges.runs.models import JudgeRun
from judges.runs.rules import Scope
from judges.runs.selectors.calls import ServedModel
from judges.runs.selectors.progress import Failure, Holdup, Scopes

MOST_SAMPLED = 1_000_000


class RunConnectionSerializer(serializers.Serializer[Any]):
    """The connection a run asks over; `resting_until`: the provider asked for silence."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    model = serializers.CharField()
    resting_until = serializers.DateTimeField(source="rests_until", allow_null=True)


class RunCallsSerializer(serializers.Serializer[Any]):
    """What a run asked of its provider; `cache_hits` were answered from earlier equal calls, for nothing."""

    calls = serializers.IntegerField()
    cache_hits = serializers.IntegerField()
    input_tokens = serializers.IntegerField(source="paid_input_tokens")
    output_tokens = serializers.IntegerField(source="paid_output_tokens")
    mean_seconds = serializers.FloatField(allow_null=True)


class RunRestSerializer(serializers.Serializer[Any]):
    """What the answers beyond the sample are expected to take."""

    answers = serializers.IntegerField()
    cost = MoneyField()
    input_tokens = serializers.IntegerField()
    output_tokens = serializers.IntegerField()
    seconds = serializers.FloatField(allow_null=True)


class RunSerializer(serializers.Serializer[Any]):
    """A run with its progress, counted from rows; `message` says why it is paused or failed.

    `members`: the names of the runs on its jury, whose ids are among its options. `only_judged`, `dataset`
    and `system` (its name) say which answers it takes at all; empty for any. `served`: which models the
    provider said to have served, the first first; several where it changed them while the run was at work.
    """

    id = serializers.CharField(source="run.public_id")
    judge = serializers.CharField(source="run.judge_key")
    name = serializers.CharField()
    signature = serializers.CharField(source="run.signature")
    options = serializers.DictField(source="run.options")
    members = serializers.ListField(child=serializers.CharField())
    state = serializers.ChoiceField(source="run.state", choices=JudgeRun.State.choices)
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    unscored = serializers.IntegerField()
    failed = serializers.IntegerField()
    rate_per_second = serializers.FloatField(source="pace.rate_per_second", allow_null=True)
    seconds_left = serializers.FloatField(source="pace.seconds_left", allow_null=True)
    created_at = serializers.DateTimeField(source="run.created_at")
    started_at = serializers.DateTimeField(source="run.started_at", allow_null=True)
    finished_at = serializers.DateTimeField(source="run.finished_at", allow_null=True)
    failures = reply_of(Failure, "RunFailure")(many=True)
    message = serializers.CharField(source="run.message")
    purpose = serializers.ChoiceField(choices=JudgeRun.Purpose.choices, source="run.purpose")
    gold_version = serializers.CharField(source="run.gold_version")
    stale = serializers.BooleanField()
    connection = RunConnectionSerializer(source="run.connection", allow_null=True)
    calls = RunCallsSerializer()
    served = reply_of(ServedModel)(many=True)
    spent = MoneyField(source="run.spent")
    reserved = MoneyField(source="run.reserved")
    spend_cap = MoneyField(source="run.spend_cap", allow_null=True)
    sample_size = serializers.IntegerField(source="run.sample_size", allow_null=True)
    only_judged = serializers.BooleanField(source="run.only_judged")
    dataset = serializers.CharField(source="run.only_dataset")
    system = serializers.CharField()
    rest = RunRestSerializer(allow_null=True)
    holdup = reply_of(Holdup, "RunHoldup")(allow_null=True)


class RunChoiceSerializer(serializers.Serializer[Any]):
    """Which judge, how, over which connection (by its id), and on which answers (`system` by its id).

    `only_judged` left out or null: a judge that costs time or money takes what people judge where that is a
    part of the answers, any other judge all.
    """

    judge = serializers.CharField()
    options = serializers.DictField(required=False, default=dict)
    connection = serializers.CharField(source="connection_id", required=False, default="", allow_blank=True)
    sample_size = serializers.IntegerField(
        required=False, default=None, allow_null=True, min_value=1, max_value=MOST_SAMPLED
    )
    only_judged = serializers.BooleanField(required=False, default=None, allow_null=True)
    dataset = serializers.CharField(required=False, default="", allow_blank=True)
    system = serializers.CharField(required=False, default="", allow_blank=True)


class RunStartSerializer(RunChoiceSerializer):
    """Which judge to set to work, and how; `spend_cap` is never passed."""

    sample_seed = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**31 - 1)
    spend_cap = MoneyField(required=False, default=None, allow_null=True)


class RunEstimateSerializer(serializers.Serializer[Any]):
    """What a run is expected to take; it cannot cost more than `most_cost`."""

    answers = serializers.IntegerField()
    calls = serializers.IntegerField()
    input_tokens = serializers.IntegerField()
    output_tokens = serializers.IntegerField()
    cost = MoneyField()
    most_cost = MoneyField()
    seconds = serializers.FloatField(allow_null=True)


class RunResumeSerializer(serializers.Serializer[Any]):
    """Under which cap the run goes on, null for none; left out, under the one it has."""

    spend_cap = MoneyField(required=False, allow_null=True)


class RunRetrySerializer(serializers.Serializer[Any]):
    """Which failures to try again: those of one reason, or all."""

    reason = serializers.CharField(required=False, default=None, allow_null=True)


def _run_response(run: JudgeRun) -> Response:
    return Response(RunSerializer(selectors.get_progress(run=run, at=now())).data)


def _read(form: serializers.Serializer[Any]) -> dict[str, Any]:
    form.is_valid(raise_exception=True)
    chosen = dict(form.validated_data)
    if "judge" in chosen:
        chosen["judge_key"] = chosen.pop("judge")
        chosen["scope"] = Scope(*(chosen.pop(name) for name in ("only_judged", "dataset", "system")))
    return chosen


class RunsView(ProjectView):
    """The runs of a project, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation("list_runs", gives=RunSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the runs, newest first."""
        progress = selectors.list_progress(project=self.project, at=now())
        return Response(RunSerializer(progress, many=True).data)

    @operation("start_run", takes=RunStartSerializer, gives=RunSerializer, errors=(400, 409))
    def post(self, request: Request, slug: str) -> Response:
        """Set a judge to work; started again with the same options it is the same run."""
        chosen = _read(RunStartSerializer(data=request.data))
        run = services.start_run(project=self.project, started_by=self.user, **chosen)
        return _run_response(run)


class RunEstimateView(ProjectView):
    """What a run would take, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation("estimate_run", takes=RunChoiceSerializer, gives=RunEstimateSerializer, errors=(400, 409))
    def post(self, request: Request, slug: str) -> Response:
        """Estimate it; nothing is started and nobody is asked."""
        chosen = _read(RunChoiceSerializer(data=request.data))
        estimate = services.estimate_run(project=self.project, by=self.user, **chosen)
        return Response(RunEstimateSerializer(estimate).data)


class RunScopesView(ProjectView):
    """Which answers a run can be limited to, for leads."""

    allowed_roles = frozenset({LEAD})

    @operation("list_run_scopes", gives=reply_of(Scopes, "RunScopes"))
    def get(self, request: Request, slug: str) -> Response:
        """Count them."""
        return Response(reply_of(Scopes, "RunScopes")(selectors.list_scopes(project=self.project)).data)


class OneRunView(ProjectView):
    """A view of one run, for leads; a run of another project is not found."""

    allowed_roles = frozenset({LEAD})
    run: JudgeRun

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Find the run once the role is known to allow it."""
        super().initial(request, *args, **kwargs)
        self.run = selectors.get_run(project=self.project, public_id=kwargs["run_id"])


class RunView(OneRunView):
    """One run, for leads."""

    @operation("get_run", gives=RunSerializer, errors=(404,))
    def get(self, request: Request, slug: str, run_id: str) -> Response:
        """Return it with its progress."""
        return _run_response(self.run)


class RunRetryView(OneRunView):
    """The failed part of a run, for leads."""

    @operation("retry_run", takes=RunRetrySerializer, gives=RunSerializer, errors=(404, 409))
    def post(self, request: Request, slug: str, run_id: str) -> Response:
        """Try it again, all of it or what shares one reason."""
        chosen = _read(RunRetrySerializer(data=request.data))
        return _run_response(services.retry_failed(run=self.run, **chosen))


class RunCancelView(OneRunView):
    """A run at work, for leads."""

    @operation("cancel_run", gives=RunSerializer, errors=(404, 409))
    def post(self, request: Request, slug: str, run_id: str) -> Response:
        """Stop it; what is judged stays."""
        return _run_response(services.cancel_run(run=self.run))


class RunPauseView(OneRunView):
    """A run at work, for leads."""

    @operation("pause_run", gives=RunSerializer, errors=(404, 409))
    def post(self, request: Request, slug: str, run_id: str) -> Response:
        """Pause it; what is in hand is finished."""
        return _run_response(services.pause_run(run=self.run))


class RunResumeView(OneRunView):
    """A paused run, for leads."""

    @operation("resume_run", takes=RunResumeSerializer, gives=RunSerializer, errors=(400, 404, 409))
    def post(self, request: Request, slug: str, run_id: str) -> Response:
        """Let it go on, under a new cap where one is given."""
        chosen = _read(RunResumeSerializer(data=request.data))
        return _run_response(services.resume_run(run=self.run, changes=chosen))


class RunContinueView(OneRunView):
    """A run whose sample is judged, for leads."""

    @operation("continue_run", gives=RunSerializer, errors=(404, 409))
    def post(self, request: Request, slug: str, run_id: str) -> Response:
        """Judge the rest."""
        return _run_response(services.continue_run(run=self.run))
