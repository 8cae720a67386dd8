"""A worker's turn: claim a batch, judge it while its lease is renewed, go on."""

import fcntl
import hashlib
import json
import logging
import math
import random
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import lru_cache, partial
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Protocol

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, connections, transaction

from annotation.gold.selectors.ledger import ORIGINAL_VERSION
from common.clock import now
from common.database.rows import refresh_statistics
from common.events import publish
from common.tasks import enqueue_on_commit
from judges import registry
from judges.connections.models import Connection
from judges.connections.rules.apis import OPENAI
from judges.connections.selectors import LocalModelUnusable
from judges.methods.learned.memory import DecidedAnswer, hash_decided
from judges.methods.llm.client import Completion, CompletionRequest
from judges.prompts.selectors import find_resources
from judges.protocol import Judge, JudgeFailed, JudgeInput, NotWanted, Verdict, looking
from judges.runs.events import RunStopped, TagsProposed
from judges.runs.models import Call, JudgeRun, LastSweep
from judges.runs.ports import tag_choices
from judges.runs.rules import (
    LONGEST_HOLD_SECONDS,
    MAX_REFUSALS,
    fault_of_verdicts,
    is_taken_over,
    most_input_tokens,
    pause_seconds,
    reason_not_to_ask,
    split_into_slices,
)
from judges.runs.selectors.progress import is_out_of_order
from judges.runs.selectors.work import (
    ACTIVE_STATES,
    PENDING_STATES,
    due_runs,
    has_gold_moved,
    judge_inputs,
    waiting_runs,
    whose_turn,
)
from judges.runs.services.batches import (
    WORK_TASK,
    Claim,
    claim_batch,
    close_batch,
    fail_batch,
    finish_if_done,
    is_held,
    let_batch_wait,
    plan_on,
    put_back_batch,
    renew_lease,
    store_verdicts,
)
from judges.runs.services.control import pause_at_once
from judges.runs.services.planning import corpus_of, decided_for, hash_corpus, own_options
from judges.runs.services.spending import (
    ClaimLost,
    NotYet,
    Request,
    Ticket,
    charge_call,
    charge_lost_calls,
    claim_call,
    fail_call,
    rest_connection,
)

if TYPE_CHECKING:
    from judges.connections.services.client import ModelClient

logger = logging.getLogger(__name__)


class Leases:
    """Renews the leases of the batches in hand from a thread of its own, which ends with the process.

    So a dead worker's batches are free again within one lease, however long a model takes over one.
    """

    def __init__(self) -> None:
        """Hold nothing yet."""
        self._held: dict[str, tuple[Claim, datetime]] = {}
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._renew_until_over, name="leases", daemon=True)

    def __enter__(self) -> "Leases":
        """Begin to renew."""
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Renew no more."""
        self._is_over.set()
        self._thread.join()

    @contextmanager
    def kept(self, claim: Claim) -> Iterator[None]:
        """Hold on to a batch."""
        self._held[claim.owner] = (claim, now())
        try:
            yield
        finally:
            del self._held[claim.owner]

    def _renew_until_over(self) -> None:
        try:
            while not self._is_over.wait(settings.ASSAY_RUN_LEASE_SECONDS / 3):
                self._renew(now())
        finally:
            connections.close_all()

    def _renew(self, at: datetime) -> None:
        for claim, since in list(self._held.values()):
            # What hangs for ever must not hold its batch for ever.
            if at - since < timedelta(seconds=LONGEST_HOLD_SECONDS):
                _try_to_renew(claim, at)


def _try_to_renew(claim: Claim, at: datetime) -> None:
    try:
        renew_lease(claim=claim, at=at)
    except DatabaseError as error:
        logger.warning("could not renew a lease: %s", type(error).__name__)
        connections.close_all()


def is_under_way(*, run_id: int) -> bool:
    """Say whether somebody still wants what a worker has in hand of a run: not once it was cancelled.

    While the database is away nobody can tell, and it stays wanted.
    """
    wanted = JudgeRun.objects.filter(pk=run_id, state__in=(*ACTIVE_STATES, JudgeRun.State.PAUSED))
    try:
        return wanted.exists()
    except DatabaseError as error:
        logger.warning("could not look at a run: %s", type(error).__name__)
        connection.close()
        return True


BROKE_OFF = "The call was interrupted."


class NetworkClient(Protocol):
    """Whoever asks a provider. revision: of a local model as it was opened, empty for any other."""

    revision: str

    def complete(self, request: CompletionRequest, *, is_wanted: Callable[[], bool]) -> Completion:
        """Ask once, and break off where nobody wants the reply any more; raises `JudgeFailed`."""
        ...


class MeteredClient:
    """Asks for one answer of a run. Each reply is kept at once: what is paid for is never asked again."""

    def __init__(self, client: NetworkClient, *, connection: Connection, ticket: Ticket) -> None:
        self._client = client
        self._connection = connection
        self._ticket = ticket

    def complete(self, request: CompletionRequest) -> Completion:
        """Ask once, or repeat the reply to an equal request; raises `JudgeFailed`."""
        call = claim_call(ticket=self._ticket, request=self._wanted(request), at=now())
        if call.state == Call.State.SETTLED:
            return _reply_of(call)
        completion = self._ask(call, request)
        charge_call(call=call, completion=completion, most_output_tokens=request.max_tokens, at=now())
        return completion

    def _wanted(self, request: CompletionRequest) -> Request:
        texts = [message.content for message in request.messages]
        return Request(
            cache_key=cache_key(self._connection, request, revision=self._client.revision),
            repeat=request.repeat,
            most_input_tokens=most_input_tokens(texts=texts, schema=request.response_schema),
            most_output_tokens=request.max_tokens,
        )

    def _ask(self, call: Call, request: CompletionRequest) -> Completion:
        try:
            return self._client.complete(request, is_wanted=self._is_wanted)
        except JudgeFailed as error:
            fail_call(call=call, reason=error.reason, may_be_billed=error.may_be_billed, at=now())
            raise
        except BaseException:
            fail_call(call=call, reason=BROKE_OFF, may_be_billed=True, at=now())
            raise

    def _is_wanted(self) -> bool:
        return is_under_way(run_id=self._ticket.run_id)


def _reply_of(call: Call) -> Completion:
    return Completion(
        text=call.reply,
        finish_reason=call.finish_reason,
        model=call.model,
        fingerprint=call.fingerprint,
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
        cached_tokens=call.cached_tokens,
        seconds=call.seconds,
        logprobs=tuple((token, value) for token, value in call.logprobs),
    )


def cache_key(connection: Connection, request: CompletionRequest, *, revision: str = "") -> str:
    """Return the SHA-256 of all that a reply depends on: the model, its address, and the request.

    revision: of a local model, as it was opened; its files may be others by now.
    """
    place = [connection.base_url, connection.endpoint, connection.model, connection.parameters]
    if connection.api != OPENAI:
        # Left out for that one, so that what was paid for before there were others is found.
        place.append(connection.api)
    if revision:
        place.append(revision)
    spelled = json.dumps([place, request._asdict()], sort_keys=True, ensure_ascii=False, default=dict)
    return hashlib.sha256(spelled.encode("utf-8", "surrogatepass")).hexdigest()


CORPUS_MOVED = (
    "Gold answers have changed since the run was started. To weight words by the current gold answers, "
    "start the judge again."
)

DECISIONS_MOVED = (
    "People have decided answers since the run was started. Start the judge again to use the current "
    "decisions."
)

PACKAGE_MOVED = (
    "This run started with {signed}, but this server has {now}. Install {signed} and resume the run, or "
    "start the judge again."
)


class Tools:
    """What a worker judges a run with; threads may share it."""

    def __init__(self, run: JudgeRun) -> None:
        """Open what the run needs; raises `JudgeFailed` where it cannot be."""
        self._entry = registry.get_entry(run.judge_key)
        _require_package(run, self._entry)
        self._options = own_options(run.options)
        self._connection = run.connection
        self._client = _open(run.connection) if run.connection else None
        self._made_with = _made_with(run, self._entry)
        self._resources = _resources(run, run.connection) if run.connection else {}

    @property
    def parallel_batches(self) -> int:
        """How many batches are worked on at the same time."""
        return self._connection.parallel_calls if self._connection else 1

    def judge_for(self, claim: Claim) -> Judge:
        """Return the judge for a batch; one that makes calls makes them for this batch's answer."""
        if self._connection is None or self._client is None:
            return _lasting_judge(self._entry.key, tuple(sorted(self._options.items())), self._made_with)
        client = _metered(self._client, self._connection, claim)
        return registry.make_judge(self._entry, self._options, client=client, **self._resources)

    def close(self) -> None:
        """Let go of the network."""
        if self._client is not None:
            self._client.close()


def _require_package(run: JudgeRun, entry: registry.JudgeEntry) -> None:
    """Raise `JudgeFailed` where the signature names another version of a judge's package than there is."""
    signed = dict(run.stated).get("package", "")
    if registry.SEPARATOR in run.judge_key and signed != entry.package:
        raise JudgeFailed(
            PACKAGE_MOVED.format(signed=signed, now=entry.package or "no such package"), retryable=False
        )


def _open(connection: Connection) -> "ModelClient":
    # Loaded when asked: it brings the network, and most workers judge without.
    from judges.connections.services.client import open_client

    return open_client(connection)


def _resources(run: JudgeRun, connection: Connection) -> dict[str, Any]:
    if run.purpose == JudgeRun.Purpose.TAGS:
        return {"choices": tag_choices(run_id=run.pk), "endpoint": connection.endpoint}
    try:
        found = find_resources(
            project=run.project, options=run.options, stated=dict(run.stated), connection=connection
        )
    except LocalModelUnusable as error:
        raise JudgeFailed(str(error), retryable=False, pauses_run=True) from None
    return {**found._asdict(), "endpoint": connection.endpoint}


# What a judge is made with once for all its batches, by the names of its constructor.
MadeWith = tuple[tuple[str, tuple[Any, ...]], ...]


def _made_with(run: JudgeRun, entry: registry.JudgeEntry) -> MadeWith:
    found = {"corpus": _corpus(run, entry), "decided": _decided(run, entry)}
    return tuple((name, value) for name, value in found.items() if value is not None)


def _decided(run: JudgeRun, entry: registry.JudgeEntry) -> tuple[DecidedAnswer, ...] | None:
    decided = decided_for(run.project, entry, run.options, gold_version=run.gold_version)
    if decided is not None and hash_decided(decided) != dict(run.stated).get("decisions"):
        raise JudgeFailed(DECISIONS_MOVED, retryable=False)
    return decided


def _corpus(run: JudgeRun, entry: registry.JudgeEntry) -> tuple[str, ...] | None:
    options = own_options(run.options)
    corpus = corpus_of(run.project, entry, options, gold_version=run.gold_version)
    if corpus is not None and hash_corpus(corpus) != dict(run.stated).get("corpus"):
        raise JudgeFailed(CORPUS_MOVED, retryable=False)
    return corpus


def _metered(client: NetworkClient, connection: Connection, claim: Claim) -> MeteredClient:
    (candidate_id,) = claim.candidate_ids
    ticket = Ticket(
        run_id=claim.run_id, connection_id=connection.pk, candidate_id=candidate_id, owner=claim.owner
    )
    return MeteredClient(client, connection=connection, ticket=ticket)


@lru_cache(maxsize=1)
def _lasting_judge(key: str, options: tuple[tuple[str, Any], ...], made_with: MadeWith) -> Judge:
    # A model takes seconds to load: kept until another judge is at work.
    return registry.make_judge(registry.get_entry(key), dict(options), **dict(made_with))


NO_VERDICTS = "The judge {judge} did not return usable verdicts: {fault}."
GOLD_MOVED = "The gold list changed during the run. Start the judge again to use the new list."
REFUSED = (
    "The provider refused the same call {times} times in a row because of its rate limit. Resume the run "
    "later."
)
OUTAGE = "All calls to the provider have failed for a while. Resume the run later."
# So many failed calls in a row are no accident; a call a rest finds out when it is over.
OUTAGE_CALLS = 10
# A doorbell for what only waited is worth nothing once the next one rings.
WAKE_SECONDS = 2


class Turn(NamedTuple):
    """How much a worker does before others come in: batches in each thread; until when, by monotonic time."""

    batches: int
    ends_at: float

    @property
    def is_over(self) -> bool:
        """Whether its time is up."""
        return time.monotonic() >= self.ends_at


def work_on_run(*, run_id: int, batches: int, seconds: float = math.inf, rings: bool = True) -> int:
    """Judge up to so many batches of a run (of a run over a connection, so many in each thread).

    After so many seconds it is enough, too: the batch in hand is parted, and its rest is judged another
    time; not so over a connection, where batches are small and calls are waited for. Rings again if more
    may be free and `rings` says so, and returns how many batches were taken up.
    """
    run = JudgeRun.objects.select_related("project", "connection").filter(pk=run_id).first()
    if run is None or not waiting_runs(at=now()).filter(pk=run_id).exists():
        finish_if_done(run_id, at=now())
        return 0
    try:
        tools = Tools(run)
    except JudgeFailed as error:
        pause_at_once(run_id=run_id, reason=error.reason)
        return 0
    try:
        turn = Turn(batches, math.inf if run.connection_id else time.monotonic() + seconds)
        done = _work_in_parallel(run_id, tools, turn)
    finally:
        tools.close()
    if rings and done and (turn.is_over or done == turn.batches * tools.parallel_batches):
        enqueue_on_commit(WORK_TASK, run_id)
    finish_if_done(run_id, at=now())
    return done


def _work_in_parallel(run_id: int, tools: Tools, turn: Turn) -> int:
    with Leases() as leases:
        if tools.parallel_batches == 1:
            return _work_through(run_id, tools, leases, turn)
        with ThreadPoolExecutor(tools.parallel_batches, thread_name_prefix="batches") as pool:
            turns = [
                pool.submit(_work_in_thread, run_id, tools, leases, turn)
                for _ in range(tools.parallel_batches)
            ]
            return sum(turn.result() for turn in turns)


def _work_in_thread(run_id: int, tools: Tools, leases: Leases, turn: Turn) -> int:
    try:
        return _work_through(run_id, tools, leases, turn)
    finally:
        connections.close_all()


def _work_through(run_id: int, tools: Tools, leases: Leases, turn: Turn) -> int:
    done = 0
    goes_on = True
    while goes_on and done < turn.batches and (claim := claim_batch(run_id=run_id, at=now())):
        with leases.kept(claim):
            goes_on = _work_on_batch(claim, tools, turn) and not turn.is_over
        done += 1
    return done


def _work_on_batch(claim: Claim, tools: Tools, turn: Turn) -> bool:
    """Judge a batch; return whether it makes sense to take another one now."""
    run = JudgeRun.objects.select_related("project", "connection").get(pk=claim.run_id)
    if has_gold_moved(run):
        _stop(run, at=now())
        return False
    if run.connection_id and is_taken_over(attempt=claim.attempt, waits=claim.waits):
        charge_lost_calls(at=now(), run_id=run.pk, candidate_ids=claim.candidate_ids)
    try:
        with looking(partial(_require_held, claim)):
            _judge_and_settle(run, claim, tools, turn)
    except JudgeFailed as error:
        return _handle_failure(run, claim, error)
    except NotWanted:
        return True
    except IntegrityError:
        # An import was undone meanwhile: the next attempt reads what is left.
        put_back_batch(claim=claim, reason="Some answers were removed during the run.", at=now(), chance=0.0)
    except DatabaseError:
        # No fault of the judge, and no way to write it down: the batch is free when its lease ends.
        raise
    except Exception:
        # A bug of one judge must not hold the batch until its lease ends three times.
        reference = secrets.token_hex(4)
        logger.exception("bug %s in judge %s", reference, run.judge_key)
        fail_batch(
            claim=claim,
            reason=f"The judge failed because of an error on the server. Reference: {reference}",
            at=now(),
        )
    return True


def _judge_and_settle(run: JudgeRun, claim: Claim, tools: Tools, turn: Turn) -> None:
    read_at = now()
    inputs = judge_inputs(run, claim.candidate_ids)
    judge = tools.judge_for(claim)
    verdicts: dict[int, Verdict] = {}
    for share in split_into_slices(inputs):
        if verdicts and not is_held(claim=claim):
            return
        verdicts |= _judge(run, judge, share)
        if turn.is_over:
            break
    rest = [pk for pk in inputs if pk not in verdicts]
    # By the time the input was read: gold that came in meanwhile is newer than the verdict.
    keep = store_verdicts if run.purpose == JudgeRun.Purpose.VERDICTS else _hand_over
    close_batch(claim=claim, verdicts=verdicts, at=read_at, keep=keep, rest=rest)


def _require_held(claim: Claim) -> None:
    if not is_held(claim=claim):
        raise NotWanted


def _hand_over(*, run_id: int, verdicts: Mapping[int, Verdict], at: datetime) -> None:
    """Give a model's replies to whoever asked for tags."""
    publish(TagsProposed(run_id=run_id, replies=verdicts, at=at))


def _handle_failure(run: JudgeRun, claim: Claim, error: JudgeFailed) -> bool:
    if isinstance(error, ClaimLost):
        # Ours still, where it is only the run that was paused.
        let_batch_wait(claim=claim, until=None)
        return False
    if isinstance(error, NotYet):
        let_batch_wait(claim=claim, until=error.until)
        return not error.is_for_all
    if error.pauses_run:
        let_batch_wait(claim=claim, until=None)
        pause_at_once(run_id=run.pk, reason=error.reason)
        return False
    if error.retry_after_seconds is not None:
        refused = REFUSED.format(times=claim.refusals + 1)
        _rest(run, claim, error.retry_after_seconds, refused, at=now())
        return False
    asked = run.connection_id
    if error.retryable and asked and is_out_of_order(connection_id=asked, calls=OUTAGE_CALLS):
        # Else every answer would be tried three times, and failed, while the provider is away.
        _rest(run, claim, settings.ASSAY_OUTAGE_REST_SECONDS, f"{OUTAGE} {error.reason}", at=now())
        return False
    if error.retryable:
        put_back_batch(claim=claim, reason=error.reason, at=now(), chance=random.random())
    else:
        fail_batch(claim=claim, reason=error.reason, at=now())
    return True


def _rest(run: JudgeRun, claim: Claim, seconds: float, reason: str, *, at: datetime) -> None:
    """Let everybody leave the provider alone for so long; this batch rests by itself meanwhile.

    reason: why the run is paused where it never ends.
    """
    if run.connection_id:
        rest_connection(connection_id=run.connection_id, until=at + timedelta(seconds=seconds))
    own = timedelta(seconds=pause_seconds(attempt=claim.refusals, chance=random.random()))
    let_batch_wait(claim=claim, until=at + own, is_refused=True)
    if claim.refusals + 1 >= MAX_REFUSALS:
        pause_at_once(run_id=run.pk, reason=reason)


def _judge(run: JudgeRun, judge: Judge, inputs: dict[int, JudgeInput]) -> dict[int, Verdict]:
    entry = registry.get_entry(run.judge_key)
    is_original = run.gold_version == ORIGINAL_VERSION
    verdicts = {pk: _without_judge(item, entry=entry, is_original=is_original) for pk, item in inputs.items()}
    asked = [pk for pk, verdict in verdicts.items() if verdict is None]
    replies = _ask(judge, [inputs[pk] for pk in asked], entry=entry) if asked else []
    if run.purpose == JudgeRun.Purpose.VERDICTS:
        _require_verdicts(replies, asked=len(asked), entry=entry)
    judged = dict(zip(asked, replies, strict=True))
    return {pk: verdict or judged[pk] for pk, verdict in verdicts.items()}


def _ask(judge: Judge, inputs: list[JudgeInput], *, entry: registry.JudgeEntry) -> list[Verdict]:
    try:
        return judge.judge(inputs)
    except SystemExit as error:
        # A kind of its own is a worker's that is told to stop; this one is a judge's that ended the program.
        if type(error) is not SystemExit:
            raise
        fault = "it exited the process instead of judging"
        raise JudgeFailed(NO_VERDICTS.format(judge=_named(entry), fault=fault), retryable=False) from None


def _require_verdicts(replies: list[Verdict], *, asked: int, entry: registry.JudgeEntry) -> None:
    """Raise `JudgeFailed` for what cannot be kept: a wrong verdict is worse than none."""
    if fault := fault_of_verdicts(replies, asked=asked, entry=entry):
        raise JudgeFailed(NO_VERDICTS.format(judge=_named(entry), fault=fault), retryable=False)


def _named(entry: registry.JudgeEntry) -> str:
    return f"{entry.key} ({entry.package})" if entry.package else entry.key


def _without_judge(item: JudgeInput, *, entry: registry.JudgeEntry, is_original: bool) -> Verdict | None:
    reason = reason_not_to_ask(item, entry=entry, is_original=is_original)
    return Verdict(accepted=None, unscored_reason=reason) if reason else None


@transaction.atomic
def _stop(run: JudgeRun, *, at: datetime) -> None:
    active = JudgeRun.objects.filter(pk=run.pk, state__in=ACTIVE_STATES)
    if active.update(state=JudgeRun.State.FAILED, message=GOLD_MOVED, finished_at=at):
        publish(RunStopped(run_id=run.pk))
    run.batches.filter(state__in=PENDING_STATES).delete()


def sweep_runs(*, at: datetime) -> int:
    """Ring for every run whose batches wait for a worker, end those with none, and return how many waited.

    Calls that were in flight when their worker died are charged, and what nobody plans on is planned.
    """
    charge_lost_calls(at=at)
    plan_on(at=at)
    waiting = list(waiting_runs(at=at).values_list("pk", flat=True))
    for run_id in waiting:
        enqueue_on_commit(WORK_TASK, run_id)
    idle = JudgeRun.objects.filter(state__in=ACTIVE_STATES).exclude(pk__in=waiting)
    for run_id in idle.order_by("pk").values_list("pk", flat=True):
        finish_if_done(run_id, at=at)
    return len(waiting)


def wake_runs(*, at: datetime) -> int:
    """Ring for runs whose wait for their connection is over, and return how many there are."""
    due = list(due_runs(at=at).values_list("pk", flat=True))
    for run_id in due:
        enqueue_on_commit(WORK_TASK, run_id, expires_seconds=WAKE_SECONDS)
    return len(due)


class Seats:
    """Places for those of a worker's processes that wait for models: one fewer than there are processes.

    The places are bytes of a file, each locked by who has it, so a process that is killed gives its place up.
    """

    def __init__(self) -> None:
        """Let everybody sit, until there are processes to tell apart."""
        self._file: IO[bytes] | None = None
        self._count = 0

    def set_up(self, *, processes: int) -> None:
        """Make the places, before the processes are forked."""
        if self._file is not None:
            self._file.close()
        self._file = TemporaryFile()  # noqa: SIM115 (as long as the worker lives)
        self._count = max(1, processes - 1)

    @contextmanager
    def taken(self) -> Iterator[bool]:
        """Take a place, and say whether there was one."""
        if self._file is None:
            yield True
            return
        place = self._take(self._file)
        try:
            yield place is not None
        finally:
            if place is not None:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)

    def _take(self, file: IO[bytes]) -> int | None:
        for place in range(self._count):
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except OSError:
                continue
            return place
        return None


SEATS = Seats()


def take_turn(*, run_id: int, batches: int, seconds: float) -> int:
    """Work on the run that rings, or on that of a project for which fewer are at work.

    Over a connection only where a place is left: calls cannot be cut short, and somebody must be there for
    imports, exports and whatever people wait for. Who has the place rings again, as does the sweeper.
    """
    refresh_statistics()
    with SEATS.taken() as is_seated:
        run = whose_turn(run_id=run_id, at=now(), may_call=is_seated)
        if run is not None and run.connection_id is not None:
            return _work(run.pk, run_id, batches=batches)
    if run is None:
        finish_if_done(run_id, at=now())
        return 0
    return _work(run.pk, run_id, batches=batches, seconds=seconds)


def _work(chosen_id: int, run_id: int, **turn: Any) -> int:
    if chosen_id == run_id:
        return work_on_run(run_id=run_id, **turn)
    # The one chosen has a doorbell of its own; this one is to be rung for again.
    enqueue_on_commit(WORK_TASK, run_id)
    return work_on_run(run_id=chosen_id, rings=False, **turn)


def note_sweep(*, at: datetime) -> None:
    """Write down that the sweeper came round."""
    if not LastSweep.objects.filter(pk=1).update(swept_at=at):
        LastSweep.objects.bulk_create([LastSweep(pk=1, swept_at=at)], ignore_conflicts=True)
