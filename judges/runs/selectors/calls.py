"""Read the ledger of calls."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Avg, Count, Max, Min, Q, Sum

from judges.connections.models import Connection
from judges.runs.models import Call, JudgeRun

LOST = "Its worker died, or took too long, while it was in flight; it counts as paid in full."
PAID = Q(state=Call.State.SETTLED, is_cache_hit=False)


class CallTotals(NamedTuple):
    """What a run asked of its provider. Tokens include those of replies repeated from earlier calls.

    uncounted_cost: what was charged, in pico-USD, for calls whose tokens the provider did not count.
    """

    calls: int = 0
    cache_hits: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    paid_input_tokens: int = 0
    paid_output_tokens: int = 0
    uncounted_cost: int = 0
    mean_seconds: float | None = None


@dataclass(frozen=True)
class ServedModel:
    """A model as the provider named it in its replies, with its fingerprint, empty where it tells none.

    replies: of the run's, those repeated from earlier calls among them. first_at, last_at: when they came.
    """

    model: str
    fingerprint: str
    replies: int
    first_at: datetime
    last_at: datetime


def find_cached_call(*, connection_id: int, cache_key: str) -> Call | None:
    """Return the call whose reply serves equal requests."""
    replied = Call.objects.filter(PAID, connection=connection_id, cache_key=cache_key, is_counted=True)
    return replied.order_by("pk").first()


def is_out_of_order(*, connection_id: int, calls: int) -> bool:
    """Say whether each of so many calls made last failed; those of workers that died do not count."""
    made = Call.objects.filter(connection=connection_id, is_cache_hit=False).exclude(
        state=Call.State.RESERVED
    )
    last = made.exclude(error=LOST).order_by("-pk").values_list("error", flat=True)[:calls]
    return len(last) == calls and all(last)


def call_totals(runs: list[JudgeRun]) -> dict[int, CallTotals]:
    """Return per run what it asked of its provider."""
    asked = Call.objects.filter(run__in=[run.pk for run in runs if run.connection_id])
    rows = (
        asked.values_list("run_id")
        .annotate(
            made=Count("pk", filter=Q(is_cache_hit=False)),
            hits=Count("pk", filter=Q(is_cache_hit=True)),
            all_input=Sum("input_tokens"),
            all_output=Sum("output_tokens"),
            paid_input=Sum("input_tokens", filter=PAID, default=0),
            paid_output=Sum("output_tokens", filter=PAID, default=0),
            uncounted=Sum("cost", filter=PAID & Q(input_tokens=0), default=0),
            mean_seconds=Avg("seconds", filter=PAID & Q(error="")),
        )
        .order_by()
    )
    return {run_id: CallTotals(*totals) for run_id, *totals in rows}


def served_models(run_ids: Iterable[int]) -> dict[int, list[ServedModel]]:
    """Return per run which models its provider said to have served, those that came first before others."""
    asked = Call.objects.filter(run__in=list(run_ids), state=Call.State.SETTLED, error="")
    rows = (
        asked.exclude(model="", fingerprint="")
        .values_list("run_id", "model", "fingerprint")
        .annotate(replies=Count("pk"), first_at=Min("created_at"), last_at=Max("created_at"))
        .order_by("first_at", "model", "fingerprint")
    )
    served: dict[int, list[ServedModel]] = defaultdict(list)
    for run_id, *facts in rows:
        served[run_id].append(ServedModel(*facts))
    return served


class UsualReply(NamedTuple):
    """How long a connection's replies are on average, and how long they take."""

    output_tokens: float
    seconds: float


def usual_reply(connection: Connection) -> UsualReply:
    """Return how a connection's replies were so far; a short sentence in a second where it has none."""
    found = Call.objects.filter(PAID, connection=connection, error="").aggregate(
        tokens=Avg("output_tokens"), seconds=Avg("seconds")
    )
    if found["tokens"] is None:
        return UsualReply(output_tokens=32.0, seconds=1.0)
    return UsualReply(found["tokens"], found["seconds"])
