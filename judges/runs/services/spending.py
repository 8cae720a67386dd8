"""Reserve what a call may cost before it is made, settle what it did cost: no cap is ever passed.

Whoever changes money of a connection or of its runs holds the connection's row until the transaction ends.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Greatest

from annotation.projects.models import Organization
from judges.connections.models import Connection
from judges.connections.ports import Charge
from judges.connections.rules.apis import LOCAL
from judges.connections.rules.calls import cost_of, usd_from_pico
from judges.methods.llm.client import Completion
from judges.protocol import JudgeFailed
from judges.runs.models import Call, JudgeRun, MonthlySpend, RunBatch
from judges.runs.rules import book_turn, free_from
from judges.runs.selectors.progress import LOST, find_cached_call, name_month, reserved_of
from judges.runs.selectors.work import ACTIVE_STATES

RETRY_SECONDS = 2
CAP_WITHOUT_PRICES = (
    "A spending limit works only if the connection has prices. Enter both prices, or remove the limit."
)
NEEDS_PRICES = (
    "“{organization}” has a spending limit for language models, so the connection needs prices. Enter both, "
    "even for a model that costs almost nothing."
)
TRIAL_TOO_DEAR = "The connection’s spending limit is too low for another call. Raise it first."


class NotYet(JudgeFailed):
    """It is not this call's turn; may be asked again at `until`. Waiting is no failed attempt.

    is_for_all: other calls of the run have to wait as well.
    """

    def __init__(self, reason: str, *, until: datetime, is_for_all: bool) -> None:
        super().__init__(reason, retryable=True)
        self.until = until
        self.is_for_all = is_for_all


class ClaimLost(JudgeFailed):
    """The batch is in other hands, or its run no longer at work: nothing may be asked for it."""

    def __init__(self) -> None:
        super().__init__("Another worker has taken over this batch.", retryable=False)


class Ticket(NamedTuple):
    """For whom calls are made: one answer of a run, in the hands of one worker."""

    run_id: int
    connection_id: int
    candidate_id: int
    owner: str


class Request(NamedTuple):
    """A call that is wanted: how many tokens it takes at most; cache_key: equal for equal requests."""

    cache_key: str
    repeat: int
    most_input_tokens: int
    most_output_tokens: int


def claim_call(*, ticket: Ticket, request: Request, at: datetime) -> Call:
    """Return a settled call with the reply to an equal request, else one reserved, to be made now.

    Raises `NotYet`, `ClaimLost`, and `JudgeFailed` that pauses the run where a cap is reached.
    """
    try:
        with transaction.atomic():
            return _claim(ticket, request, at)
    except IntegrityError:
        # The constraint: an equal call is in flight, and its reply will do for both.
        until = at + timedelta(seconds=RETRY_SECONDS)
        raise NotYet("An identical call is running.", until=until, is_for_all=False) from None


def _claim(ticket: Ticket, request: Request, at: datetime) -> Call:
    connection = _lock(ticket.connection_id)
    _require_claim(ticket)
    known = find_cached_call(connection_id=connection.pk, cache_key=request.cache_key)
    if known is not None:
        return _repeat(known, ticket, request, at)
    _require_turn(connection, at)
    # By the row just locked: prices may have changed since the worker began.
    bound = _cost(connection, request.most_input_tokens, request.most_output_tokens)
    for rows in _budgets(ticket.connection_id, ticket.run_id):
        _reserve(rows, connection, bound, at)
    month = _reserve_of_organization(connection, bound, at)
    _book_turn(connection, at)
    return Call.objects.create(
        **ticket._asdict(),
        charged_to=month,
        repeat=request.repeat,
        cache_key=request.cache_key,
        reserved=bound,
        created_at=at,
    )


def _cost(connection: Connection, input_tokens: int, output_tokens: int) -> int:
    return cost_of(
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        input_price=connection.input_price,
        output_price=connection.output_price,
    )


def _reserve(
    rows: QuerySet[Connection] | QuerySet[JudgeRun], connection: Connection, bound: int, at: datetime
) -> None:
    if not can_be_capped(connection) and rows.exclude(spend_cap=None).exists():
        raise JudgeFailed(CAP_WITHOUT_PRICES, retryable=False, pauses_run=True)
    if not rows.filter(has_room(bound)).update(reserved=F("reserved") + bound):
        raise _cap_reached(rows.get(), bound, at)


def lacks_prices(connection: Connection) -> str:
    """Return that its organization's limit needs the connection's prices; nothing where it does not."""
    limited = Organization.objects.filter(projects=connection.project_id).exclude(monthly_spend_cap=None)
    name = None if can_be_capped(connection) else limited.values_list("name", flat=True).first()
    return "" if name is None else NEEDS_PRICES.format(organization=name)


def can_be_capped(connection: Connection) -> bool:
    """Say whether a cap can hold: it counts what tokens cost, so both prices must be known.

    Local models cost nothing.
    """
    return connection.api == LOCAL or (connection.input_price > 0 and connection.output_price > 0)


def _lock(connection_id: int) -> Connection:
    return Connection.objects.select_for_update().get(pk=connection_id)


def _require_claim(ticket: Ticket) -> None:
    mine = RunBatch.objects.filter(run=ticket.run_id, owner=ticket.owner, state=RunBatch.State.CLAIMED)
    if not mine.filter(run__state__in=ACTIVE_STATES).exists():
        raise ClaimLost


def _require_turn(connection: Connection, at: datetime) -> None:
    until = free_from(
        next_call_at=connection.next_call_at,
        calls_a_minute=connection.requests_per_minute,
        rests_until=connection.rests_until,
        at=at,
    )
    if until is not None:
        raise NotYet("The connection’s rate limit has been reached.", until=until, is_for_all=True)


def _book_turn(connection: Connection, at: datetime) -> None:
    due = book_turn(
        next_call_at=connection.next_call_at, calls_a_minute=connection.requests_per_minute, at=at
    )
    if due is not None:
        Connection.objects.filter(pk=connection.pk).update(next_call_at=due)


def _budgets(connection_id: int, run_id: int) -> tuple[QuerySet[Connection], QuerySet[JudgeRun]]:
    return Connection.objects.filter(pk=connection_id), JudgeRun.objects.filter(pk=run_id)


def has_room(more: int) -> Q:
    """Return the condition that so much more stays within the cap of a connection or a run."""
    return Q(spend_cap=None) | Q(spend_cap__gte=F("spent") + F("reserved") + more)


def _cap_reached(budget: Connection | JudgeRun, bound: int, at: datetime) -> JudgeFailed:
    if budget.reserved:
        # Calls in flight may cost less than is reserved for them.
        until = at + timedelta(seconds=RETRY_SECONDS)
        return NotYet(
            "Calls in progress have reserved the rest of the spending limit.", until=until, is_for_all=True
        )
    whose = "run" if isinstance(budget, JudgeRun) else "connection"
    cap, spent, next_cost = (usd_from_pico(amount or 0) for amount in (budget.spend_cap, budget.spent, bound))
    return JudgeFailed(
        f"The {whose}’s spending limit of {cap:f} USD has been reached: {spent:f} USD has been spent, and "
        f"the next call may cost {next_cost:f} USD. Raise the limit, then resume the run.",
        retryable=False,
        pauses_run=True,
    )


def _reserve_of_organization(connection: Connection, bound: int, at: datetime) -> MonthlySpend | None:
    """Return the month of the project's organization that a call is charged to, if it is in one.

    Holds the organization, so that no other connection of it reserves the same rest.
    """
    found = Organization.objects.filter(projects=connection.project_id).values_list("pk", flat=True).first()
    if found is None:
        return None
    organization = Organization.objects.locked(found)
    month, _ = MonthlySpend.objects.get_or_create(organization=organization, month=name_month(at))
    if organization.monthly_spend_cap is not None:
        _require_within(organization, organization.monthly_spend_cap, month, connection, bound, at)
    return month


def _require_within(
    organization: Organization,
    cap: int,
    month: MonthlySpend,
    connection: Connection,
    bound: int,
    at: datetime,
) -> None:
    if not can_be_capped(connection):
        raise JudgeFailed(
            NEEDS_PRICES.format(organization=organization.name), retryable=False, pauses_run=True
        )
    # In this order: a call that is settled in between counts twice rather than not at all.
    reserved = reserved_of(month)
    month.refresh_from_db(fields=["spent"])
    if month.spent + reserved + bound <= cap:
        return
    if reserved:
        until = at + timedelta(seconds=RETRY_SECONDS)
        raise NotYet(
            f"Calls in progress have reserved the rest of what “{organization.name}” may spend this month.",
            until=until,
            is_for_all=True,
        )
    limit, spent, next_cost = (usd_from_pico(amount) for amount in (cap, month.spent, bound))
    raise JudgeFailed(
        f"“{organization.name}” may spend {limit:f} USD a month on language models. In {month.month}, "
        f"{spent:f} USD has been spent, and the next call may cost {next_cost:f} USD. Try again next month, "
        "or ask the administrator of this server to raise the limit.",
        retryable=False,
        pauses_run=True,
    )


def _repeat(known: Call, ticket: Ticket, request: Request, at: datetime) -> Call:
    """Note that an earlier call's reply serves once more, for nothing."""
    own = (ticket.run_id, ticket.candidate_id, request.repeat)
    if (known.run_id, known.candidate_id, known.repeat) == own:
        return known
    _count_no_longer(*own)
    kept = (
        "input_tokens",
        "output_tokens",
        "cached_tokens",
        "model",
        "fingerprint",
        "finish_reason",
        "reply",
        "logprobs",
    )
    return Call.objects.create(
        **ticket._asdict(),
        **{name: getattr(known, name) for name in kept},
        repeat=request.repeat,
        cache_key=request.cache_key,
        state=Call.State.SETTLED,
        is_cache_hit=True,
        created_at=at,
        settled_at=at,
    )


def _count_no_longer(run_id: int, candidate_id: int | None, repeat: int) -> None:
    # The question was asked in other words, since its gold answers changed.
    earlier = Call.objects.filter(run=run_id, candidate=candidate_id, repeat=repeat, is_counted=True)
    earlier.filter(state=Call.State.SETTLED).update(is_counted=False)


@transaction.atomic
def charge_trial(*, connection: Connection, bound: int, at: datetime) -> Charge:
    """Charge a test call at its bound before it is made; raises `JudgeFailed` where a limit forbids it."""
    locked = _lock(connection.pk)
    if locked.spend_cap is not None and not can_be_capped(locked):
        raise JudgeFailed(CAP_WITHOUT_PRICES, retryable=False)
    row = Connection.objects.filter(pk=locked.pk)
    if not row.filter(has_room(bound)).update(spent=F("spent") + bound):
        raise JudgeFailed(TRIAL_TOO_DEAR, retryable=False)
    month = _reserve_of_organization(locked, bound, at)
    if month is not None:
        MonthlySpend.objects.filter(pk=month.pk).update(spent=F("spent") + bound)
    return Charge(connection_id=locked.pk, month_id=month.pk if month else None, amount=bound)


@transaction.atomic
def refund_trial(*, charge: Charge, amount: int) -> None:
    """Give back what a test call did not cost."""
    Connection.objects.filter(pk=charge.connection_id).update(spent=F("spent") - amount)
    if charge.month_id is not None:
        MonthlySpend.objects.filter(pk=charge.month_id).update(spent=F("spent") - amount)


@transaction.atomic
def charge_call(*, call: Call, completion: Completion, most_output_tokens: int, at: datetime) -> bool:
    """Keep a call's reply and charge what it cost; False where somebody settled it as lost meanwhile.

    most_output_tokens: what a reply is charged for whose tokens the server did not count.
    """
    connection = _lock(call.connection_id)
    cost = _cost(connection, completion.input_tokens, completion.output_tokens or most_output_tokens)
    _count_no_longer(call.run_id, call.candidate_id, call.repeat)
    kept = (
        "input_tokens",
        "output_tokens",
        "cached_tokens",
        "seconds",
        "model",
        "fingerprint",
        "finish_reason",
    )
    return _close(
        call,
        # A server that counts no tokens may have counted them for the bill.
        cost=cost if completion.input_tokens else call.reserved,
        at=at,
        reply=completion.text,
        logprobs=[list(pair) for pair in completion.logprobs],
        **{name: getattr(completion, name) for name in kept},
    )


@transaction.atomic
def fail_call(*, call: Call, reason: str, may_be_billed: bool, at: datetime) -> bool:
    """End a call without a reply: charged at its bound unless the provider surely asks nothing for it."""
    _lock(call.connection_id)
    if may_be_billed:
        return _close(call, cost=call.reserved, at=at, is_counted=False, error=reason)
    return _close(call, cost=0, at=at, state=Call.State.RELEASED, is_counted=False, error=reason)


def _close(call: Call, *, cost: int, at: datetime, **changes: object) -> bool:
    in_flight = Call.objects.filter(pk=call.pk, state=Call.State.RESERVED)
    fields = {"state": Call.State.SETTLED, "cost": cost, "settled_at": at, **changes}
    if not in_flight.update(**fields):
        return False
    for rows in _budgets(call.connection_id, call.run_id):
        _charge(rows, bound=call.reserved, cost=cost)
    if call.charged_to_id is not None:
        MonthlySpend.objects.filter(pk=call.charged_to_id).update(spent=F("spent") + cost)
    return True


def _charge(rows: QuerySet[Connection] | QuerySet[JudgeRun], *, bound: int, cost: int) -> None:
    freed = F("reserved") - bound
    fits = has_room(cost - bound) if cost > bound else Q()
    if not rows.filter(fits).update(spent=F("spent") + cost, reserved=freed):
        # The provider counted more than the bound: whatever is left of the cap is gone.
        rows.update(spent=Greatest(F("spent") + bound, F("spend_cap") - freed), reserved=freed)


def charge_lost_calls(*, at: datetime, run_id: int | None = None, candidate_ids: Iterable[int] = ()) -> int:
    """Charge calls whose worker is gone at their bound, and return how many there were.

    With a run and answers: those that a batch taken from a dead worker is about, before anything is asked
    again. Else a call whose batch is gone, with its run stopped, has as long as any reply may take.
    """
    open_calls = Call.objects.filter(state=Call.State.RESERVED).exclude(_has_living_owner(at))
    ordered = open_calls.select_related("connection").order_by("connection_id", "pk")
    if run_id is not None:
        lost = list(ordered.filter(run=run_id, candidate__in=list(candidate_ids)))
    else:
        orphans = ordered.exclude(Exists(_batch_of_owner()))
        lost = [
            *ordered.filter(Exists(_batch_of_owner())),
            *(call for call in orphans if _longest_wait(call) <= at - call.created_at),
        ]
    return sum(fail_call(call=call, reason=LOST, may_be_billed=True, at=at) for call in lost)


def _longest_wait(call: Call) -> timedelta:
    return timedelta(seconds=call.connection.timeout_seconds + settings.ASSAY_RUN_LEASE_SECONDS)


def _batch_of_owner() -> QuerySet[RunBatch]:
    return RunBatch.objects.filter(run=OuterRef("run"), owner=OuterRef("owner"))


def _has_living_owner(at: datetime) -> Exists:
    return Exists(_batch_of_owner().filter(state=RunBatch.State.CLAIMED, lease_expires_at__gt=at))


def rest_connection(*, connection_id: int, until: datetime) -> None:
    """Let nobody call over a connection until then; a longer rest stays."""
    awake = Q(rests_until=None) | Q(rests_until__lt=until)
    Connection.objects.filter(awake, pk=connection_id).update(rests_until=until)
