"""`/metrics`: counts in Prometheus' text format, for whoever has the operator's token."""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

from annotation.judgments.models import Judgment
from common.tasks import QueueAway, open_queue
from common.web.pages import serve_no_such_address
from config.operation.health import look
from judges.connections.models import Connection
from judges.connections.rules.calls import PICO_A_USD
from judges.runs.models import Call, JudgeRun, RunBatch

REMEMBERED_SECONDS = 15
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# Where the queue keeps what the web processes counted together.
SHARED_KEY = "assay-requests"
METHODS = {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"}
_asking = threading.Lock()


class Requests:
    """How many requests this process answered since it last told the others, by method and status."""

    def __init__(self) -> None:
        """Begin at none."""
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, method: str, status: int, number: int = 1) -> None:
        """Count some replies to clients."""
        with self._lock:
            # Anybody can send any method.
            self._counts[f"{method if method in METHODS else 'other'} {status}"] += number

    def tell(self) -> bool:
        """Add them to those of all processes, and say whether that worked; else they wait for the next time.

        Only a Redis takes them.
        """
        with self._lock:
            told, self._counts = self._counts, Counter()
        if not told:
            return True
        left = dict(told)
        try:
            with open_queue() as connection:
                shared = getattr(connection.default_channel, "client", None)
                if shared is not None:
                    for name, number in told.items():
                        shared.hincrby(SHARED_KEY, name, number)
                        del left[name]
        except QueueAway:
            with self._lock:
                self._counts.update(left)
            return False
        return True


requests = Requests()


Labels = tuple[tuple[str, str], ...]


class Metric(NamedTuple):
    """A number, or several that a label tells apart."""

    name: str
    about: str
    values: Mapping[Labels, float]
    kind: str = "gauge"


@require_safe
def answer_metrics(request: HttpRequest) -> HttpResponseBase:
    """Send the counts; without a token in the settings there is no such address."""
    if not settings.ASSAY_METRICS_TOKEN:
        return serve_no_such_address(request)
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not constant_time_compare(token.strip(), settings.ASSAY_METRICS_TOKEN):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer", "Cache-Control": "no-store"})
    return HttpResponse(_known_text(), content_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


def _known_text() -> str:
    # Whoever comes while somebody counts waits, and is told the same.
    with _asking:
        known: str | None = cache.get("metrics")
        if known is None:
            known = write(count())
            cache.set("metrics", known, timeout=REMEMBERED_SECONDS)
        return known


def count() -> list[Metric]:
    """Count everything: rows by the database, the queue and requests by the queue where it is there."""
    health = look()
    parts: dict[Labels, float] = {
        (("part", name),): float(said == "ok") for name, said in health._asdict().items()
    }
    metrics = [Metric("assay_working", "Whether each part of the installation works.", parts)]
    if health.database == health.tables == "ok":
        metrics += _of_rows()
    return metrics + _of_queue()


def _of_rows() -> list[Metric]:
    spent = Connection.objects.aggregate(total=Sum("spent"))["total"] or 0
    return [
        Metric("assay_judgments", "People’s judgments, by state.", _by_state(Judgment)),
        Metric("assay_runs", "Judge runs, by state.", _by_state(JudgeRun)),
        Metric("assay_batches", "Batches of judge runs, by state.", _by_state(RunBatch)),
        Metric("assay_judge_calls", "Calls to language models, by state.", _by_state(Call)),
        Metric(
            "assay_spent_usd",
            "Total cost of calls across all connections, in US dollars.",
            {(): spent / PICO_A_USD},
        ),
    ]


def _by_state(model: Any) -> dict[Labels, float]:
    rows = model._default_manager.order_by().values_list("state").annotate(number=Count("pk"))
    found = dict(rows)
    return {(("state", state),): float(found.get(state, 0)) for state in model.State.values}


def _of_queue() -> list[Metric]:
    requests.tell()
    try:
        with open_queue() as connection:
            channel = connection.default_channel
            waiting = _count_waiting(connection)
            shared = getattr(channel, "client", None)
            counted = shared.hgetall(SHARED_KEY) if shared is not None else {}
    except QueueAway:
        return []
    answered: dict[Labels, float] = {}
    for name, number in counted.items():
        method, _, status = name.decode().partition(" ")
        answered[("method", method), ("status", status)] = float(number)
    return [
        Metric("assay_queue_messages", "Messages that no worker has taken yet.", {(): float(waiting)}),
        Metric("assay_requests_total", "Requests that web processes answered.", answered, "counter"),
    ]


def _count_waiting(connection: Any) -> int:
    queue = current_app.conf.task_default_queue
    try:
        found: int = connection.default_channel.queue_declare(queue, passive=True).message_count
    except connection.channel_errors:
        # Redis has no empty queues.
        return 0
    return found


def write(metrics: Iterable[Metric]) -> str:
    """Return the counts as text, each under its name and what it is."""
    lines = []
    for metric in metrics:
        lines += [f"# HELP {metric.name} {metric.about}", f"# TYPE {metric.name} {metric.kind}"]
        for labels, value in sorted(metric.values.items()):
            said = ",".join(f'{name}="{label}"' for name, label in labels)
            lines.append(f"{metric.name}{{{said}}} {value:.15g}" if said else f"{metric.name} {value:.15g}")
    return "\n".join([*lines, ""])
