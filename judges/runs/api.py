"""HTTP for judges and their runs."""

from typing import Any, cast

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.accounts.models import User
from annotation.projects.api.access import LEAD, ProjectView
from common.clock import now
from common.http import ErrorSerializer
from judges import registry
from judges.runs import selectors, services
from judges.runs.models import JudgeRun

WORKER_COMMAND = "make run"


class JudgeOptionSerializer(serializers.Serializer[Any]):
    """An option of a judge, for a form."""

    name = serializers.CharField()
    type = serializers.ChoiceField(choices=["bool", "int", "float", "str"])
    default = serializers.JSONField()
    choices = serializers.ListField(child=serializers.CharField(), allow_null=True)
    help = serializers.CharField()


class JudgeSerializer(serializers.Serializer[Any]):
    """A judge that can be started."""

    key = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    # DRF's own attribute of this name is given up for the field.
    source = serializers.CharField()  # type: ignore[assignment]
    options = serializers.SerializerMethodField()
    extra = serializers.CharField(allow_null=True)
    available = serializers.SerializerMethodField()

    @extend_schema_field(JudgeOptionSerializer(many=True))
    def get_options(self, entry: registry.JudgeEntry) -> Any:
        """Describe the judge's own options and the choice of gold."""
        described = [*registry.options_of(entry), services.GOLD_OPTION]
        return JudgeOptionSerializer(described, many=True).data

    def get_available(self, entry: registry.JudgeEntry) -> bool:
        """Say whether everything it needs is installed."""
        return registry.is_available(entry)


class RunFailureSerializer(serializers.Serializer[Any]):
    """Why answers have no verdict."""

    reason = serializers.CharField()
    count = serializers.IntegerField()


class RunSerializer(serializers.Serializer[Any]):
    """A run with its progress, counted from rows."""

    id = serializers.CharField(source="run.public_id")
    judge = serializers.CharField(source="run.judge_key")
    name = serializers.CharField()
    signature = serializers.CharField(source="run.signature")
    options = serializers.DictField(source="run.options")
    state = serializers.ChoiceField(source="run.state", choices=JudgeRun.State.choices)
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    unscored = serializers.IntegerField()
    failed = serializers.IntegerField()
    rate_per_second = serializers.FloatField(source="pace.rate_per_second", allow_null=True)
    seconds_left = serializers.FloatField(source="pace.seconds_left", allow_null=True)
    started_at = serializers.DateTimeField(source="run.started_at", allow_null=True)
    finished_at = serializers.DateTimeField(source="run.finished_at", allow_null=True)
    failures = RunFailureSerializer(many=True)
    message = serializers.CharField(source="run.message")
    gold_version = serializers.CharField(source="run.gold_version")
    stale = serializers.BooleanField()


class RunStartSerializer(serializers.Serializer[Any]):
    """Which judge to set to work, and how."""

    judge = serializers.CharField()
    options = serializers.DictField(required=False, default=dict)


class WorkerSerializer(serializers.Serializer[Any]):
    """Whether anybody does the background work, and how to start it."""

    running = serializers.BooleanField()
    command = serializers.CharField()


def _run_response(run: JudgeRun) -> Response:
    return Response(RunSerializer(selectors.get_progress(run=run, at=now())).data)


class JudgesView(APIView):
    """The judges there are."""

    access = "signed_in"

    @extend_schema(operation_id="list_judges", responses=JudgeSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the judges that can be started."""
        entries = [entry for entry in registry.JUDGES.values() if entry.is_startable]
        return Response(JudgeSerializer(entries, many=True).data)


class WorkerView(APIView):
    """The background worker."""

    access = "signed_in"

    @extend_schema(operation_id="get_worker", responses=WorkerSerializer)
    def get(self, request: Request) -> Response:
        """Say whether a worker answers."""
        worker = {"running": selectors.is_worker_running(), "command": WORKER_COMMAND}
        return Response(WorkerSerializer(worker).data)


class RunsView(ProjectView):
    """The runs of a project, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="list_runs", responses=RunSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the runs, newest first."""
        progress = selectors.list_progress(project=self.project, at=now())
        return Response(RunSerializer(progress, many=True).data)

    @extend_schema(
        operation_id="start_run",
        request=RunStartSerializer,
        responses={200: RunSerializer, 400: ErrorSerializer, 409: ErrorSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Set a judge to work; started again with the same options it is the same run."""
        form = RunStartSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        run = services.start_run(
            project=self.project,
            judge_key=form.validated_data["judge"],
            options=form.validated_data["options"],
            started_by=cast(User, request.user),
        )
        return _run_response(run)


class RunRetryView(ProjectView):
    """The failed part of a run, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="retry_run",
        request=None,
        responses={200: RunSerializer, 404: ErrorSerializer, 409: ErrorSerializer},
    )
    def post(self, request: Request, slug: str, run_id: str) -> Response:
        """Try it again."""
        run = selectors.get_run(project=self.project, public_id=run_id)
        return _run_response(services.retry_failed(run=run))


class RunCancelView(ProjectView):
    """A run at work, for leads."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="cancel_run",
        request=None,
        responses={200: RunSerializer, 404: ErrorSerializer, 409: ErrorSerializer},
    )
    def post(self, request: Request, slug: str, run_id: str) -> Response:
        """Stop it; what is judged stays."""
        run = selectors.get_run(project=self.project, public_id=run_id)
        return _run_response(services.cancel_run(run=run))
