"""Start runs, go on with them, pause, resume, retry and cancel them; take verdicts from a file."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, Q

from annotation.accounts.models import User
from annotation.items.models import DataImport
from annotation.items.rules import RecordedVerdict
from annotation.projects.models import Project
from common.clock import now
from common.database.rows import in_chunks
from common.errors import Conflict, Invalid
from common.events import publish
from common.identifiers import hash_signature
from judges import registry
from judges.connections.models import Connection
from judges.connections.rules.calls import usd_from_pico
from judges.connections.selectors import describe_connection
from judges.methods.recorded import Recorded, RecordedOptions
from judges.prompts.services import keep_examples
from judges.runs.events import RunStopped
from judges.runs.models import Call, JudgeRun, RunBatch, Verdict
from judges.runs.rules import UNLIMITED, Scope
from judges.runs.selectors.work import (
    ACTIVE_STATES,
    AS_RECORDED,
    PENDING_STATES,
    FollowingNote,
    find_following_note,
    has_gold_moved,
    has_patterns,
    is_extended,
    is_following,
    lacks_cap,
)
from judges.runs.services.batches import (
    add_batches,
    begin_extending,
    carry_out,
    failed_batches,
    finish_if_done,
    let_waiting_end,
    queue_run,
    reopen,
    reopen_in_chunks,
)
from judges.runs.services.planning import (
    Plan,
    complete_scope,
    find_connection,
    make_plan,
    scope_fields,
    take_scope,
)
from judges.runs.services.spending import CAP_WITHOUT_PRICES, can_be_capped, lacks_prices


class CapTooLow(Invalid):
    """More than the new cap is spent, or reserved for calls in flight."""


class CapNeedsPrices(Invalid):
    """A cap is set, and the connection's prices are not: it would never be reached."""


class OrganizationNeedsPrices(Invalid):
    """The organization has a limit, and the connection's prices are not set: it would never be reached."""


class CannotFollow(Conflict):
    """The run cannot judge new answers as they arrive, or cannot but do so."""


class FollowingNeedsCap(Invalid):
    """The run is to judge new answers as they arrive, its calls cost money, and nothing limits it."""


class NothingLeft(Conflict):
    """The run has no sample to go on from."""


def start_run(
    *,
    project: Project,
    judge_key: str,
    options: Mapping[str, Any],
    connection_id: str = "",
    spend_cap: int | None = None,
    sample_size: int | None = None,
    sample_seed: int = 0,
    scope: Scope = UNLIMITED,
    follows: bool | None = None,
    started_by: User | None = None,
    at: datetime | None = None,
) -> JudgeRun:
    """Set a judge to work on every answer of the project that it has not judged yet, or on a sample of them.

    The same judge with the same options on the same gold list is the same run: started again it only
    takes what is new or failed, and where nothing is, nothing changes. A cancelled or paused run goes on;
    a run that was a sample goes on with the rest unless a sample is named again. scope: which answers it
    takes at all, see `complete_scope`; the last one named counts, but a run that judged every answer stays
    one of every answer. spend_cap: in pico-USD. follows: whether it judges new answers as they arrive. None
    leaves either as it is. Raises what `make_plan` and `complete_scope` raise, `CapTooLow`, `CapNeedsPrices`,
    `OrganizationNeedsPrices`, `CannotFollow` and `FollowingNeedsCap`.
    """
    plan = make_plan(
        project=project, judge_key=judge_key, options=options, connection_id=connection_id, by=started_by
    )
    scope = complete_scope(project=project, entry=plan.entry, scope=scope)
    at = at or now()
    # The plan is made before the transaction: choosing examples takes a while, and SQLite has one writer.
    with transaction.atomic():
        if plan.prepared is not None:
            keep_examples(project=project, examples=plan.prepared.examples)
        run, _ = JudgeRun.objects.get_or_create(
            project=project,
            signature_hash=hash_signature(plan.signature),
            defaults={
                **_described(plan),
                **scope_fields(scope),
                "sample_size": sample_size,
                "sample_seed": sample_seed,
                "created_by": started_by,
                "created_at": at,
            },
        )
        run = JudgeRun.objects.select_for_update().get(pk=run.pk)
        _set_terms(run, plan, sample_size)
        if take_scope(run, scope):
            run.save(update_fields=list(scope_fields(scope)))
        if spend_cap is not None:
            set_cap(run=run, spend_cap=spend_cap)
        require_prices(run)
        token = begin_extending(run, goes_on=True)
        if follows is not None:
            # A run that was cancelled works again by now.
            run.refresh_from_db()
            _set_follows(run, follows)
        _require_cap_to_follow(run)
    return carry_out(run, token=token, at=at, forgets=True)


def _described(plan: Plan) -> dict[str, Any]:
    return {
        "judge_key": plan.entry.key,
        "options": plan.options,
        "gold_version": plan.gold_version,
        "connection": plan.connection,
        "stated": plan.stated,
        "signature": plan.signature,
    }


def _set_terms(run: JudgeRun, plan: Plan, sample_size: int | None) -> None:
    """Take the connection named last (one to the same model), and the sample's new size or its end."""
    run.connection = plan.connection
    if run.sample_size is not None:
        run.sample_size = sample_size
    run.save(update_fields=["connection", "sample_size"])


def set_cap(*, run: JudgeRun, spend_cap: int | None) -> None:
    """Change what a run may spend, None for any amount; raises `CapTooLow`."""
    affordable = Q() if spend_cap is None else Q(spent__lte=spend_cap - F("reserved"))
    if not JudgeRun.objects.filter(affordable, pk=run.pk).update(spend_cap=spend_cap):
        gone = usd_from_pico(run.spent + run.reserved)
        raise CapTooLow(
            f"{gone:f} USD has already been spent or reserved for calls in progress. Enter at least this "
            "amount.",
            details={"fields": {"spend_cap": ["This is less than the amount already spent."]}},
        )
    run.spend_cap = spend_cap


def require_prices(run: JudgeRun) -> None:
    """Refuse what no limit would end; raises `CapNeedsPrices` and `OrganizationNeedsPrices`."""
    connection = run.connection
    if connection is None or can_be_capped(connection):
        return
    if run.spend_cap is not None or connection.spend_cap is not None:
        raise CapNeedsPrices(CAP_WITHOUT_PRICES, details={"fields": {"spend_cap": [CAP_WITHOUT_PRICES]}})
    if reason := lacks_prices(connection):
        raise OrganizationNeedsPrices(reason)


def continue_run(*, run: JudgeRun, at: datetime | None = None) -> JudgeRun:
    """Judge the rest after a sample; raises `NothingLeft` where the run is no sample."""
    with transaction.atomic():
        sampled = JudgeRun.objects.filter(pk=run.pk).exclude(sample_size=None)
        if not sampled.exclude(state=JudgeRun.State.CANCELLED).update(sample_size=None):
            raise NothingLeft(
                "This run was canceled or is not limited to a sample, so it cannot be continued."
            )
        token = begin_extending(run, goes_on=True)
    return carry_out(run, token=token, at=at or now(), forgets=True)


WHY_NOT_FOLLOWING = {
    FollowingNote.ALWAYS: "This judge always judges new answers as they arrive.",
    FollowingNote.RECORDED: "These verdicts came from a file, so no judge can judge new answers.",
    FollowingNote.TAGS: "This run proposes tags, so it cannot judge new answers.",
    FollowingNote.MEMBERS: "A jury cannot judge new answers as they arrive, because its members judge them "
    "first. Start it again when they have finished.",
    FollowingNote.DECISIONS: "This judge uses people’s decisions, so it cannot judge new answers as they "
    "arrive. Start it again to use the current decisions.",
    FollowingNote.CORPUS: "A judge that weights words by the gold answers cannot judge new answers as they "
    "arrive. Start it again to use the current gold answers.",
    FollowingNote.SAMPLE: "A run that is limited to a sample cannot judge new answers as they arrive. Judge "
    "all answers instead.",
    FollowingNote.ARCHIVED: "This run’s connection is archived. Start the judge with another connection to "
    "the same model so that it judges new answers.",
    FollowingNote.CANCELLED: "This run was stopped. Start the judge again so that it judges new answers.",
}
NEEDS_CAP = (
    "A run that judges new answers as they arrive needs a spending limit of its own. Enter one, or turn this "
    "off."
)


def change_run(*, run: JudgeRun, changes: Mapping[str, Any], at: datetime | None = None) -> JudgeRun:
    """Change what a run may spend, and whether it judges new answers as they arrive.

    changes: a new `spend_cap` in pico-USD, None for no cap of the run's own; `follows`, and where that is
    new, what came since is judged at once. What is left out stays. Raises `CapTooLow`, `CapNeedsPrices`,
    `CannotFollow`, `FollowingNeedsCap`, and `NotRepeatable` where its gold list is another by now.
    """
    if changes.get("follows") and has_gold_moved(run):
        raise NotRepeatable(GOLD_HAS_MOVED)
    token = None
    with transaction.atomic():
        run = JudgeRun.objects.select_for_update().get(pk=run.pk)
        if "spend_cap" in changes:
            set_cap(run=run, spend_cap=changes["spend_cap"])
            require_prices(run)
        was_following = is_following(run)
        if "follows" in changes:
            _set_follows(run, changes["follows"])
        _require_cap_to_follow(run)
        if is_following(run) and not was_following:
            token = begin_extending(run, goes_on=False)
    return carry_out(run, token=token, at=at or now(), forgets=True)


def _set_follows(run: JudgeRun, follows: bool) -> None:
    """Store the choice in the run's row, which the caller has locked; raises `CannotFollow`."""
    note = find_following_note(run)
    refusal = WHY_NOT_FOLLOWING.get(note) if note else None
    if refusal and follows is not (note is FollowingNote.ALWAYS):
        raise CannotFollow(refusal, details={"fields": {"follows": [refusal]}})
    run.follows = follows and not refusal
    run.save(update_fields=["follows"])


def _require_cap_to_follow(run: JudgeRun) -> None:
    if run.follows and lacks_cap(run):
        raise FollowingNeedsCap(NEEDS_CAP, details={"fields": {"spend_cap": [NEEDS_CAP]}})


def extend_runs(*, project_id: int) -> None:
    """Let the runs that judge new answers as they arrive judge what is new.

    These are all runs of lexical judges against the original gold answers, of which the automatic ones are
    started with their defaults where they never were, and those for which it was chosen. They judge again
    where an import (or its undoing) brought or took a question's gold answers. What a person cancelled stays
    cancelled, what is paused stays paused, and a run whose amended gold list has changed stays as it is. Run
    by run, in chunks; safe to repeat.
    """
    project = Project.objects.get(pk=project_id)
    runs = project.judge_runs.order_by("pk")
    for run in runs.select_related("connection"):
        if is_extended(run) and not has_gold_moved(run):
            _follow(run)
    hashes = set(runs.values_list("signature_hash", flat=True))
    for key in _automatic_judges(project):
        plan = make_plan(project=project, judge_key=key, options={})
        if hash_signature(plan.signature) not in hashes:
            start_run(project=project, judge_key=key, options={})


def _follow(run: JudgeRun) -> None:
    with transaction.atomic():
        locked = JudgeRun.objects.select_for_update().get(pk=run.pk)
        # Asked again: it may have been cancelled, or told to stay as it is.
        if not is_extended(locked):
            return
        _free_claimed(locked)
        token = begin_extending(locked, goes_on=False)
    carry_out(run, token=token, at=now(), forgets=True)


def _automatic_judges(project: Project) -> list[str]:
    reads_patterns = has_patterns(project)
    return [
        entry.key
        for entry in registry.JUDGES.values()
        if entry.is_automatic and (reads_patterns or entry.reads is not registry.Reads.PATTERNS)
    ]


def _free_claimed(run: JudgeRun) -> None:
    # What a worker has in hand may have been read before the gold came: it is judged again, too.
    in_hand = run.batches.filter(state=RunBatch.State.CLAIMED)
    in_hand.update(state=RunBatch.State.OPEN, owner="", attempt=0, waits=0, refusals=0, lease_expires_at=None)


class Proposer(NamedTuple):
    """A model that is to propose tags, and what of its connection may change what it says."""

    connection: Connection
    described: dict[str, str]


def find_proposer(*, project: Project, connection_id: str) -> Proposer:
    """Return who is to propose, outside any transaction: a local model's files are read for it.

    Raises `ConnectionNeeded` and `LocalModelUnusable`.
    """
    connection = find_connection(project, registry.get_entry(registry.TAG_PROPOSER), connection_id)
    assert connection is not None
    return Proposer(connection, describe_connection(connection))


def start_proposing(
    *,
    project: Project,
    proposer: Proposer,
    about: dict[str, str],
    scope: str,
    candidate_ids: Sequence[int],
    spend_cap: int | None,
    by: User,
    at: datetime,
) -> JudgeRun:
    """Let a model propose tags for these answers, inside the caller's transaction.

    about: what its signature names besides model and options. scope: whose tags they are; the same model
    asked for another scope is another run, whose equal requests cost nothing. spend_cap: in pico-USD.
    Raises `CapTooLow`, `CapNeedsPrices` and `OrganizationNeedsPrices`.
    """
    entry = registry.get_entry(registry.TAG_PROPOSER)
    options = registry.make_options(entry, {})
    stated = registry.state_judge(entry.key, options, **about, **proposer.described)
    signature = registry.sign(stated)
    run = JudgeRun.objects.create(
        project=project,
        purpose=JudgeRun.Purpose.TAGS,
        connection=proposer.connection,
        judge_key=entry.key,
        stated=stated,
        signature=signature,
        signature_hash=hash_signature(f"{signature}|{scope}"),
        created_by=by,
        created_at=at,
    )
    set_cap(run=run, spend_cap=spend_cap)
    require_prices(run)
    add_batches(run, candidate_ids)
    queue_run(run)
    return run


@transaction.atomic
def apply_recorded_verdicts(
    *, data_import: DataImport, judge: str, verdicts: Sequence[RecordedVerdict], at: datetime
) -> JudgeRun:
    """Add verdicts of one judge to the run that stands for it; called for each chunk of a file.

    Probabilities are read anew, yes and no are taken from the file's own column, and the reply is kept.
    An answer that has its verdict keeps it.
    """
    # A chunk may be without probabilities only where the whole file is: the column is obligatory.
    is_scored = any(verdict.record.score is not None for verdict in verdicts)
    options = RecordedOptions(parser="probability" if is_scored else "column")
    run = _run_for(data_import, f"{registry.RECORDED_PREFIX}{judge}", options, at)
    reader = Recorded(options)
    Verdict.objects.bulk_create(
        (_verdict(run, reader, verdict, at) for verdict in verdicts), ignore_conflicts=True
    )
    return run


def _run_for(data_import: DataImport, key: str, options: RecordedOptions, at: datetime) -> JudgeRun:
    files = ",".join(sorted(str(file["sha256"])[:16] for file in data_import.files))
    stated = registry.state_judge(key, options, gold=AS_RECORDED, files=files)
    signature = registry.sign(stated)
    run, _ = JudgeRun.objects.get_or_create(
        project=data_import.project,
        signature_hash=hash_signature(signature),
        defaults={
            "data_import": data_import,
            "judge_key": key,
            "options": {"parser": options.parser, "threshold": options.threshold},
            "gold_version": AS_RECORDED,
            "stated": stated,
            "signature": signature,
            "state": JudgeRun.State.FINISHED,
            "created_by": data_import.created_by,
            "created_at": at,
            "started_at": at,
            "finished_at": now(),
        },
    )
    return run


def _verdict(run: JudgeRun, reader: Recorded, recorded: RecordedVerdict, at: datetime) -> Verdict:
    record = recorded.record
    verdict = reader.read(raw_reply=record.raw_reply, column=record.verdict)
    return Verdict(
        run=run,
        candidate_id=recorded.candidate_id,
        accepted=verdict.accepted,
        score=verdict.score,
        unscored_reason=verdict.unscored_reason,
        raw_reply=verdict.raw_reply,
        judged_at=at,
    )


def discard_recorded_verdicts(*, data_import: DataImport) -> None:
    """Take recorded verdicts out again, with the runs that stand for them.

    Chunk by chunk, each in a transaction of its own; safe to repeat.
    """
    verdicts = Verdict.objects.filter(run__data_import=data_import)
    for chunk in in_chunks(list(verdicts.order_by("pk").values_list("pk", flat=True))):
        Verdict.objects.filter(pk__in=chunk).delete()
    JudgeRun.objects.filter(data_import=data_import).delete()


PAUSED_BY_HAND = "Paused. You can resume the run at any time."


GOLD_HAS_MOVED = "The gold list has changed. Start the judge again to use the new list."


class RunIsOver(Conflict):
    """The run is not at work, so there is nothing to stop."""


class RunNotPaused(Conflict):
    """The run is not paused, so there is nothing to resume."""


class NotRepeatable(Conflict):
    """The answers cannot be judged again: a file holds the verdicts, or the gold list is another."""


class NothingFailed(Conflict):
    """No part of the run failed, so there is nothing to try again."""


def pause_run(*, run: JudgeRun) -> JudgeRun:
    """Let no worker begin anything more; what one has in hand is finished. Raises `RunIsOver`."""
    if not pause_at_once(run_id=run.pk, reason=PAUSED_BY_HAND):
        raise RunIsOver("This run is not active. Reload the page.")
    run.refresh_from_db()
    return run


@transaction.atomic
def pause_at_once(*, run_id: int, reason: str) -> bool:
    """Pause a run at work, saying why; the first reason stays. False where it was not at work."""
    active = JudgeRun.objects.filter(pk=run_id, state__in=ACTIVE_STATES)
    if not active.update(state=JudgeRun.State.PAUSED, message=reason):
        return False
    publish(RunStopped(run_id=run_id))
    return True


@transaction.atomic
def resume_run(
    *, run: JudgeRun, changes: Mapping[str, int | None] | None = None, at: datetime | None = None
) -> JudgeRun:
    """Let a paused run go on; raises `RunNotPaused`, `CapTooLow`, `FollowingNeedsCap`.

    changes: a new `spend_cap` in pico-USD, None for no cap of the run's own; left out, it stays.
    """
    run = JudgeRun.objects.select_for_update().get(pk=run.pk)
    if run.state != JudgeRun.State.PAUSED:
        raise RunNotPaused("This run is not paused. Reload the page.")
    if changes:
        set_cap(run=run, **changes)
        _require_cap_to_follow(run)
    let_waiting_end(run)
    queue_run(run)
    finish_if_done(run.pk, at=at or now())
    run.refresh_from_db()
    return run


def retry_failed(*, run: JudgeRun, reason: str | None = None, at: datetime | None = None) -> JudgeRun:
    """Judge again what has no verdict: all of it, or what shares one reason.

    Raises `NotRepeatable` and `NothingFailed`; then everything stays as it was.
    Failed batches begin from their first attempt. Answers that a model's reply left unscored are asked
    anew; other judges would say the same again, and are only asked where a reason is given. In chunks: where
    this process dies over it, what is left stays failed or unscored, and can be judged again.
    """
    run.refresh_from_db()
    if run.purpose != JudgeRun.Purpose.VERDICTS:
        return _retry_batches(run, reason)
    _require_repeatable(run)
    failed = list(failed_batches(run, reason=reason).order_by("pk").values_list("pk", flat=True))
    unscored = _unscored(run, reason) if reason is not None or run.connection_id else []
    if not failed and not unscored:
        raise NothingFailed("Nothing in this run failed, so there is nothing to retry.")
    with transaction.atomic():
        token = begin_extending(run, goes_on=False)
        queue_run(JudgeRun.objects.select_for_update().get(pk=run.pk))
    for chunk in in_chunks(unscored):
        _forget_unscored(run, chunk)
    held = reopen_in_chunks(run, failed, token=token)
    return carry_out(run, token=held, at=at or now(), forgets=True)


@transaction.atomic
def _retry_batches(run: JudgeRun, reason: str | None) -> JudgeRun:
    """Ask again what was never answered; a reply that proposes nothing stands. No round has many batches."""
    run = JudgeRun.objects.select_for_update().get(pk=run.pk)
    if not reopen(failed_batches(run, reason=reason)):
        raise NothingFailed("Nothing in this run failed, so there is nothing to retry.")
    queue_run(run)
    return run


def _require_repeatable(run: JudgeRun) -> None:
    if not registry.get_entry(run.judge_key).is_startable:
        raise NotRepeatable("These verdicts came from a file, so no judge can be asked again.")
    if has_gold_moved(run):
        raise NotRepeatable(GOLD_HAS_MOVED)


def _unscored(run: JudgeRun, reason: str | None) -> list[int]:
    """Return the answers that have a verdict and no score, for one reason or any."""
    unscored = Verdict.objects.filter(run=run, accepted=None)
    if reason is not None:
        unscored = unscored.filter(unscored_reason=reason)
    return list(unscored.order_by("candidate_id").values_list("candidate_id", flat=True))


@transaction.atomic
def _forget_unscored(run: JudgeRun, candidate_ids: Sequence[int]) -> None:
    _ask_anew(run, candidate_ids)
    Verdict.objects.filter(run=run, accepted=None, candidate__in=candidate_ids).delete()


def _ask_anew(run: JudgeRun, candidate_ids: Sequence[int]) -> None:
    """Let no earlier reply serve for these answers: it is what could not be scored."""
    own = Call.objects.filter(run=run, candidate__in=candidate_ids)
    keys = own.values_list("cache_key", flat=True).distinct()
    replied = Call.objects.filter(connection=run.connection_id, state=Call.State.SETTLED, is_counted=True)
    replied.filter(cache_key__in=list(keys)).update(is_counted=False)


def cancel_run(*, run: JudgeRun, at: datetime | None = None) -> JudgeRun:
    """Stop a run; verdicts stay, and what a worker has in hand is dropped. Raises `RunIsOver`."""
    active = JudgeRun.objects.filter(pk=run.pk, state__in=(*ACTIVE_STATES, JudgeRun.State.PAUSED))
    if not active.update(
        # Whoever plans more of it stops, too.
        state=JudgeRun.State.CANCELLED,
        message="",
        finished_at=at or now(),
        planning_until=None,
    ):
        raise RunIsOver("This run is not active. Reload the page.")
    # Nobody takes up a batch of a run that is over: in chunks, and what is left does no harm.
    pending = RunBatch.objects.filter(run=run, state__in=PENDING_STATES, run__state=JudgeRun.State.CANCELLED)
    for chunk in in_chunks(list(pending.order_by("pk").values_list("pk", flat=True))):
        # Asked again: the run may have been started anew meanwhile.
        pending.filter(pk__in=chunk).delete()
    run.refresh_from_db()
    return run
