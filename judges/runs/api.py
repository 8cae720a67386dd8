"""HTTP for judges, their runs and what these said, and for the worker that runs them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import LeadView
from common.clock import now
from common.requests.paging import PageSerializer, cursor_field, cut_page, limit_field
from common.web.replies import (
    View,
    checked_body,
    choice_of,
    operation,
    reply,
    reply_of,
)
from common.web.starting import start_of_background
from judges import registry
from judges.connections.api import API_CHOICES, MoneyField
from judges.methods.lexical.golds import IN_WORDS
from judges.protocol import OptionDescription
from judges.runs.models import Call, JudgeRun
from judges.runs.rules import Forecast, Scope
from judges.runs.selectors.progress import (
    VERDICTS,
    Failure,
    Holdup,
    Lack,
    Scopes,
    ServedModel,
    Stale,
    background_lack,
    describe_verdicts,
    find_verdicts,
    get_progress,
    get_run,
    list_progress,
    list_scopes,
)
from judges.runs.selectors.work import FollowingNote
from judges.runs.services import control, planning

# As pages know them; costs leave as USD.
reply_of(Forecast, "RunRest", cost=MoneyField())
reply_of(planning.Estimate, "RunEstimate", cost=MoneyField(), most_cost=MoneyField())


class JudgeOptionSerializer(serializers.Serializer[Any]):
    """An option of a judge, for a form.

    `low`, `high`: the minimum and maximum of a number; null if there is none.
    """

    name = serializers.CharField()
    type = serializers.ChoiceField(choices=["bool", "int", "float", "str"])
    default = serializers.JSONField()
    choices = serializers.ListField(child=serializers.CharField(), allow_null=True)
    help = serializers.CharField()
    low = serializers.SerializerMethodField()
    high = serializers.SerializerMethodField()

    def get_low(self, option: OptionDescription) -> float | None:
        """Return the minimum, or null if there is none."""
        return option.between[0] if option.between else None

    def get_high(self, option: OptionDescription) -> float | None:
        """Return the maximum, or null if there is none."""
        return option.between[1] if option.between else None


# The rooms of `judges.methods` with judges that can be started, and those of other packages.
FAMILIES = ("lexical", "fuzzy", "learned", "neural", "llm", "jury", "package")


class JudgeSerializer(serializers.Serializer[Any]):
    """A judge that can be started.

    `limit`: which answers are too long for it to score; "" if there is no limit. `needs`: what it requires in
    addition to its options. `family`: what it works by. `package`: the installed package that it comes from,
    with its version; "" for Assay’s own judges. `installation`: the command that installs its requirements;
    "" if there are none.
    """

    key = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    limit = serializers.SerializerMethodField()
    # DRF's own attribute of this name is given up for the field.
    source = serializers.CharField()  # type: ignore[assignment]
    reads = serializers.ChoiceField(choices=[each.value for each in registry.Reads])
    needs = serializers.ChoiceField(choices=[each.value for each in registry.Needs])
    options = serializers.SerializerMethodField()
    extra = serializers.CharField(allow_null=True)
    family = serializers.ChoiceField(choices=FAMILIES)
    package = serializers.CharField()
    installation = serializers.SerializerMethodField()
    is_lexical = serializers.BooleanField()
    available = serializers.SerializerMethodField()

    def get_installation(self, entry: registry.JudgeEntry) -> str:
        """Return the command that installs the judge’s requirements."""
        return planning.installation_of_judge(entry)

    def get_limit(self, entry: registry.JudgeEntry) -> str:
        """Return which answers are too long for the judge, or an empty string if there is no limit."""
        return IN_WORDS if entry.compares_pairs else ""

    @extend_schema_field(JudgeOptionSerializer(many=True))
    def get_options(self, entry: registry.JudgeEntry) -> Any:
        """Describe the judge's own options and the choice of gold."""
        described = [*registry.options_of(entry), planning.GOLD_OPTION]
        return JudgeOptionSerializer(described, many=True).data

    def get_available(self, entry: registry.JudgeEntry) -> bool:
        """Return whether all of the judge’s requirements are installed."""
        return registry.is_available(entry)


class WorkerSerializer(serializers.Serializer[Any]):
    """Whether background work is running, and how to start it.

    `lack`: what is not running; null if nothing is missing. `command`: the command that starts background
    work.
    """

    running = serializers.BooleanField()
    lack = serializers.ChoiceField(choices=[each.value for each in Lack if each], allow_null=True)
    command = serializers.CharField()


class JudgesView(View):
    """The judges there are."""

    access = "signed_in"
    serves_project_tokens = True

    @operation("list_judges", gives=JudgeSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the judges that can be started."""
        entries = [entry for entry in registry.JUDGES.values() if entry.is_startable]
        return Response(JudgeSerializer(entries, many=True).data)


class WorkerView(View):
    """The background worker."""

    access = "signed_in"
    serves_project_tokens = True

    @operation("get_worker", gives=WorkerSerializer)
    def get(self, request: Request) -> Response:
        """Return whether background work is running, and how to start it."""
        lack = background_lack()
        worker = {"running": not lack, "lack": lack or None, "command": start_of_background()}
        return Response(WorkerSerializer(worker).data)


MOST_SAMPLED = 1_000_000


class RunConnectionSerializer(serializers.Serializer[Any]):
    """The connection that a run uses.

    `resting_until`: the time until which the provider asked not to be called, or null.
    """

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    api = serializers.ChoiceField(choices=API_CHOICES)
    model = serializers.CharField()
    resting_until = serializers.DateTimeField(source="rests_until", allow_null=True)


class RunCallsSerializer(serializers.Serializer[Any]):
    """A run’s calls to its provider.

    `cache_hits`: the number of calls answered from earlier identical calls, at no cost. `cached_tokens`: how
    many of `input_tokens` the provider read from its own cache.
    """

    calls = serializers.IntegerField()
    cache_hits = serializers.IntegerField()
    input_tokens = serializers.IntegerField(source="paid_input_tokens")
    output_tokens = serializers.IntegerField(source="paid_output_tokens")
    cached_tokens = serializers.IntegerField(source="paid_cached_tokens")
    mean_seconds = serializers.FloatField(allow_null=True)


class RunSerializer(serializers.Serializer[Any]):
    """A run with its progress.

    `message`: why it is paused or failed; otherwise empty. `members`: the names of the runs in its jury;
    their IDs are among its options. `only_judged`, `dataset`, `system` (by name): which answers it is limited
    to; false or empty for no limit. `served`: the models that the provider reported, in order of first use;
    with several, the run’s figures mix them. `follows`: whether it judges new answers as they
    arrive. `following_note`: why this cannot be chosen, or has no effect; null otherwise.
    """

    id = serializers.CharField(source="run.public_id")
    judge = serializers.CharField(source="run.judge_key")
    name = serializers.CharField()
    summary = serializers.CharField()
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
    stale = choice_of(Stale, allow_null=True)
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
    follows = serializers.BooleanField()
    following_note = choice_of(FollowingNote, allow_null=True)
    rest = reply_of(Forecast)(allow_null=True)
    holdup = reply_of(Holdup, "RunHoldup")(allow_null=True)


class RunChoiceSerializer(serializers.Serializer[Any]):
    """Which judge to run, with which options and connection, and on which answers.

    `connection`, `system`: by ID. `only_judged`: whether to judge only answers that people judge; if omitted
    or null, judges that cost time or money are limited to those answers whenever people judge only some, and
    other judges judge every answer.
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
    """Which judge to start, with which options and on which answers.

    `spend_cap`: the spending limit, which is never exceeded; null for none. `follows`: whether to judge new
    answers as they arrive; if omitted or null, the run’s current choice stays.
    """

    sample_seed = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**31 - 1)
    spend_cap = MoneyField(required=False, default=None, allow_null=True)
    follows = serializers.BooleanField(required=False, default=None, allow_null=True)


class RunChangeSerializer(serializers.Serializer[Any]):
    """Some settings of a run; those omitted stay.

    `spend_cap`: the new spending limit, or null for none. `follows`: whether to judge new answers as they
    arrive.
    """

    spend_cap = MoneyField(required=False, allow_null=True)
    follows = serializers.BooleanField(required=False)


class RunResumeSerializer(serializers.Serializer[Any]):
    """The new spending limit of the run, or null for none. If omitted, the current limit stays."""

    spend_cap = MoneyField(required=False, allow_null=True)


class RunRetrySerializer(serializers.Serializer[Any]):
    """Which failures to retry: those with one reason, or all if `reason` is null."""

    reason = serializers.CharField(required=False, default=None, allow_null=True)


def _run_response(run: JudgeRun) -> Response:
    return Response(RunSerializer(get_progress(run=run, at=now())).data)


def _read(form: serializers.Serializer[Any]) -> dict[str, Any]:
    chosen = dict(checked_body(form))
    if "judge" in chosen:
        chosen["judge_key"] = chosen.pop("judge")
        chosen["scope"] = Scope(*(chosen.pop(name) for name in ("only_judged", "dataset", "system")))
    return chosen


class RunsView(LeadView):
    """The runs of a project, for leads."""

    write_scope = "run"

    @operation("list_runs", gives=RunSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the runs, newest first."""
        progress = list_progress(project=self.project, at=now())
        return Response(RunSerializer(progress, many=True).data)

    @operation("start_run", takes=RunStartSerializer, gives=RunSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Start a judge; with the same options, the same run continues."""
        chosen = _read(RunStartSerializer(data=request.data))
        run = control.start_run(project=self.project, started_by=self.user, **chosen)
        return _run_response(run)


class RunEstimateView(LeadView):
    """What a run would take, for leads."""

    write_scope = "run"

    @operation("estimate_run", takes=RunChoiceSerializer, gives=planning.Estimate, takes_key=False)
    def post(self, request: Request, slug: str) -> Response:
        """Estimate the time and cost of a run; nothing is started."""
        chosen = _read(RunChoiceSerializer(data=request.data))
        return reply(planning.estimate_run(project=self.project, by=self.user, **chosen))


class RunScopesView(LeadView):
    """Which answers a run can be limited to, for leads."""

    @operation("list_run_scopes", gives=reply_of(Scopes, "RunScopes"))
    def get(self, request: Request, slug: str) -> Response:
        """Count the answers that a run can be limited to."""
        return reply(list_scopes(project=self.project))


class OneRunView(LeadView):
    """A view of one run, for leads; a run of another project is not found."""

    run: JudgeRun
    write_scope = "run"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Find the run once the role is known to allow it."""
        super().initial(request, *args, **kwargs)
        self.run = get_run(project=self.project, public_id=kwargs["run_id"])


class RunView(OneRunView):
    """One run, for leads."""

    @operation("get_run", gives=RunSerializer)
    def get(self, request: Request, slug: str, run_id: str) -> Response:
        """Return the run with its progress."""
        return _run_response(self.run)

    @operation("change_run", takes=RunChangeSerializer, gives=RunSerializer)
    def patch(self, request: Request, slug: str, run_id: str) -> Response:
        """Change the run’s spending limit, or whether it judges new answers as they arrive."""
        changes = _read(RunChangeSerializer(data=request.data))
        return _run_response(control.change_run(run=self.run, changes=changes))


class RunRetryView(OneRunView):
    """The failed part of a run, for leads."""

    @operation("retry_run", takes=RunRetrySerializer, gives=RunSerializer)
    def post(self, request: Request, slug: str, run_id: str) -> Response:
        """Retry failed answers: all, or those with one reason."""
        chosen = _read(RunRetrySerializer(data=request.data))
        return _run_response(control.retry_failed(run=self.run, **chosen))


class RunCancelView(OneRunView):
    """A run at work, for leads."""

    @operation("cancel_run", gives=RunSerializer)
    def post(self, request: Request, slug: str, run_id: str) -> Response:
        """Stop the run; its verdicts are kept."""
        return _run_response(control.cancel_run(run=self.run))


class RunPauseView(OneRunView):
    """A run at work, for leads."""

    @operation("pause_run", gives=RunSerializer)
    def post(self, request: Request, slug: str, run_id: str) -> Response:
        """Pause the run; batches in progress finish first."""
        return _run_response(control.pause_run(run=self.run))


class RunResumeView(OneRunView):
    """A paused run, for leads."""

    @operation("resume_run", takes=RunResumeSerializer, gives=RunSerializer)
    def post(self, request: Request, slug: str, run_id: str) -> Response:
        """Resume the run, with a new spending limit if one is given."""
        chosen = _read(RunResumeSerializer(data=request.data))
        return _run_response(control.resume_run(run=self.run, changes=chosen))


class RunContinueView(OneRunView):
    """A run whose sample is judged, for leads."""

    @operation("continue_run", gives=RunSerializer)
    def post(self, request: Request, slug: str, run_id: str) -> Response:
        """Judge the remaining answers after a sample."""
        return _run_response(control.continue_run(run=self.run))


VERDICTS_A_PAGE = 50


class VerdictsQuerySerializer(serializers.Serializer[Any]):
    """Which verdicts are asked for; `reason` is why they are unscored, `flag` one of their flags."""

    verdict = serializers.ChoiceField(choices=list(VERDICTS), required=False, default="", allow_blank=True)
    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    flag = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=1_000)
    limit = limit_field(VERDICTS_A_PAGE)
    cursor = cursor_field()


class RunCallSerializer(serializers.Serializer[Any]):
    """One call to the provider.

    `error`: why there is no reply. `is_cache_hit`: whether it was answered from an earlier identical call.
    `is_counted`: whether the verdict uses its reply.
    """

    state = serializers.ChoiceField(choices=Call.State.choices)
    repeat = serializers.IntegerField()
    reply = serializers.CharField()
    model = serializers.CharField()
    finish_reason = serializers.CharField()
    cost = MoneyField()
    input_tokens = serializers.IntegerField()
    output_tokens = serializers.IntegerField()
    cached_tokens = serializers.IntegerField()
    seconds = serializers.FloatField()
    is_cache_hit = serializers.BooleanField()
    is_counted = serializers.BooleanField()
    error = serializers.CharField()
    created_at = serializers.DateTimeField()


class RunVerdictSerializer(serializers.Serializer[Any]):
    """A verdict, with what the judge was given.

    `answer_id`: the ID of the answer, for its own page. `accepted`: null if the judge could not judge;
    `unscored_reason` then says why.
    """

    answer_id = serializers.CharField(source="verdict.candidate.public_id")
    question = serializers.CharField(source="verdict.candidate.question.text")
    answer = serializers.CharField(source="verdict.candidate.text")
    golds = serializers.ListField(child=serializers.CharField())
    accepted = serializers.BooleanField(source="verdict.accepted", allow_null=True)
    score = serializers.FloatField(source="verdict.score", allow_null=True)
    unscored_reason = serializers.CharField(source="verdict.unscored_reason")
    raw_reply = serializers.CharField(source="verdict.raw_reply")
    flags = serializers.ListField(child=serializers.CharField())
    judged_at = serializers.DateTimeField(source="verdict.judged_at")
    calls = RunCallSerializer(many=True)


class RunVerdictPageSerializer(PageSerializer):
    """A page of verdicts."""

    verdicts = RunVerdictSerializer(many=True)


class RunVerdictsView(LeadView):
    """The verdicts of a run, for leads."""

    @operation(
        "list_run_verdicts",
        query=[VerdictsQuerySerializer],
        gives=RunVerdictPageSerializer,
    )
    def get(self, request: Request, slug: str, run_id: str) -> Response:
        """Return a page of verdicts."""
        wanted = dict(self.read_query(VerdictsQuerySerializer))
        run = get_run(project=self.project, public_id=run_id)
        turn = {name: wanted.pop(name) for name in ("limit", "cursor")}
        page = cut_page(request, find_verdicts(run=run, **wanted), turn)
        body = {
            **page.place,
            "verdicts": describe_verdicts(run, page.rows),
        }
        return Response(RunVerdictPageSerializer(body).data)
