"""Start, extend, retry and cancel runs."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction

from annotation.accounts.models import User
from annotation.gold.selectors import ORIGINAL_VERSION, gold_version
from annotation.projects.models import Project
from common.clock import now
from common.errors import Conflict, Invalid
from common.tasks import enqueue_on_commit
from judges import registry
from judges.protocol import OptionDescription, UnusableOption
from judges.runs.models import JudgeRun, RunBatch
from judges.runs.rules import split_into_batches
from judges.runs.selectors import (
    ACTIVE_STATES,
    PENDING_STATES,
    has_patterns,
    outdated_verdicts,
    unplanned_candidates,
)
from judges.runs.services.batches import finish_if_done

WORK_TASK = "judges.runs.work"
GOLD_OPTION = OptionDescription(
    name="gold",
    type="str",
    default="original",
    choices=("original", "amended"),
    help="Judge against the gold answers of the files, or against the list as people amended it.",
)


class UnknownJudgeKey(Invalid):
    """There is no judge of this key that could be started."""

    code = "unknown_judge"


class BadJudgeOption(Invalid):
    """An option the judge does not have, or a value it cannot take; details name it."""

    code = "bad_judge_option"


class JudgeNotInstalled(Conflict):
    """What the judge needs is not installed."""

    code = "judge_not_installed"


class RunIsOver(Conflict):
    """The run is not at work, so there is nothing to stop."""

    code = "run_is_over"


class NothingFailed(Conflict):
    """No part of the run failed, so there is nothing to try again."""

    code = "nothing_failed"


class _Plan(NamedTuple):
    """What a run is started with."""

    entry: registry.JudgeEntry
    options: dict[str, Any]
    gold_version: str
    signature: str


@transaction.atomic
def start_run(
    *,
    project: Project,
    judge_key: str,
    options: Mapping[str, Any],
    started_by: User | None = None,
    at: datetime | None = None,
) -> JudgeRun:
    """Set a judge to work on every answer of the project that it has not judged yet.

    The same judge with the same options on the same gold list is the same run: started again it only
    takes what is new, and where nothing is, nothing changes. A cancelled run goes on.
    Raises `UnknownJudgeKey`, `BadJudgeOption`, `JudgeNotInstalled`.
    """
    plan = _make_plan(project, judge_key, options)
    run, _ = JudgeRun.objects.get_or_create(
        project=project,
        signature_hash=registry.hash_signature(plan.signature),
        defaults={
            "judge_key": judge_key,
            "options": plan.options,
            "gold_version": plan.gold_version,
            "signature": plan.signature,
            "created_by": started_by,
            "created_at": at or now(),
        },
    )
    return _extend(run, at=at or now())


def _make_plan(project: Project, judge_key: str, options: Mapping[str, Any]) -> _Plan:
    entry = _startable_entry(judge_key)
    own = {name: value for name, value in options.items() if name != GOLD_OPTION.name}
    gold = options.get(GOLD_OPTION.name, GOLD_OPTION.default)
    try:
        if gold not in (GOLD_OPTION.choices or ()):
            raise UnusableOption(GOLD_OPTION.name, "it is original or amended")
        made = registry.make_options(entry, own)
    except UnusableOption as error:
        raise BadJudgeOption(str(error), details={"fields": {error.option: [error.reason]}}) from None
    version = gold_version(project, gold == "amended")
    spelled = {described.name: getattr(made, described.name) for described in registry.options_of(entry)}
    return _Plan(
        entry=entry,
        options={**spelled, GOLD_OPTION.name: gold},
        gold_version=version,
        signature=registry.make_signature(judge_key, made, gold=version),
    )


def _startable_entry(key: str) -> registry.JudgeEntry:
    entry = registry.JUDGES.get(key)
    if entry is None or not entry.is_startable:
        known = ", ".join(each.key for each in registry.JUDGES.values() if each.is_startable)
        raise UnknownJudgeKey(f"“{key}” is no judge that can be started. There are: {known}.")
    if not registry.is_available(entry):
        raise JudgeNotInstalled(f"“{key}” needs more to be installed: pip install 'assay[{entry.extra}]'")
    return entry


def _extend(run: JudgeRun, *, at: datetime) -> JudgeRun:
    """Plan batches for what the run has not judged; the run's row is the lock under which this is done."""
    run = JudgeRun.objects.select_for_update().get(pk=run.pk)
    batches = split_into_batches(unplanned_candidates(run), size=registry.get_entry(run.judge_key).batch_size)
    if batches:
        _add_batches(run, batches)
    if batches or run.state == JudgeRun.State.CANCELLED:
        _queue(run)
    finish_if_done(run.pk, at=at)
    run.refresh_from_db()
    return run


def _add_batches(run: JudgeRun, batches: list[list[int]]) -> None:
    last = run.batches.order_by("-number").values_list("number", flat=True).first() or 0
    RunBatch.objects.bulk_create(
        RunBatch(run=run, number=number, candidate_ids=ids, size=len(ids))
        for number, ids in enumerate(batches, start=last + 1)
    )


def _queue(run: JudgeRun) -> None:
    if run.state != JudgeRun.State.RUNNING:
        run.state = JudgeRun.State.QUEUED
        run.started_at = run.finished_at = None
        run.message = ""
        run.save(update_fields=["state", "started_at", "finished_at", "message"])
    enqueue_on_commit(WORK_TASK, run.pk)


@transaction.atomic
def extend_lexical_runs(*, project_id: int) -> None:
    """Let the lexical judges judge what is new, against the original gold answers.

    The automatic ones are started with their defaults where they never were; further runs of all of them
    are extended as well, and judge again where an import (or its undoing) brought or took a question's gold
    answers. What a person cancelled stays cancelled.
    """
    project = Project.objects.get(pk=project_id)
    lexical = [entry.key for entry in registry.JUDGES.values() if entry.is_lexical]
    runs = project.judge_runs.filter(judge_key__in=lexical, gold_version=ORIGINAL_VERSION).order_by("pk")
    for run in runs.exclude(state=JudgeRun.State.CANCELLED):
        _judge_again_by_new_gold(run)
        _extend(run, at=now())
    hashes = set(runs.values_list("signature_hash", flat=True))
    for key in _automatic_judges(project):
        if registry.hash_signature(_make_plan(project, key, {}).signature) not in hashes:
            start_run(project=project, judge_key=key, options={})


def _automatic_judges(project: Project) -> list[str]:
    reads_patterns = has_patterns(project)
    return [
        entry.key
        for entry in registry.JUDGES.values()
        if entry.is_automatic and (reads_patterns or entry.reads is not registry.Reads.PATTERNS)
    ]


def _judge_again_by_new_gold(run: JudgeRun) -> None:
    # What a worker has in hand may have been read before the gold came: it is judged again, too.
    in_hand = run.batches.filter(state=RunBatch.State.CLAIMED)
    in_hand.update(state=RunBatch.State.OPEN, owner="", attempt=0, lease_expires_at=None)
    outdated_verdicts(run).delete()


@transaction.atomic
def retry_failed(*, run: JudgeRun) -> JudgeRun:
    """Try the failed batches of a run again, from their first attempt on; raises `NothingFailed`."""
    run = JudgeRun.objects.select_for_update().get(pk=run.pk)
    failed = run.batches.filter(state=RunBatch.State.FAILED)
    if not failed.update(state=RunBatch.State.OPEN, attempt=0, owner="", not_before=None, error=""):
        raise NothingFailed("No part of this run failed.")
    _queue(run)
    return run


@transaction.atomic
def cancel_run(*, run: JudgeRun, at: datetime | None = None) -> JudgeRun:
    """Stop a run; verdicts stay, and what a worker has in hand is dropped. Raises `RunIsOver`."""
    active = JudgeRun.objects.filter(pk=run.pk, state__in=ACTIVE_STATES)
    if not active.update(state=JudgeRun.State.CANCELLED, finished_at=at or now()):
        raise RunIsOver("This run is not at work.")
    RunBatch.objects.filter(run=run, state__in=PENDING_STATES).delete()
    run.refresh_from_db()
    return run
