"""Write what is to be delivered: with what happened in one transaction, or gathered a while later."""

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import F

from annotation.projects.models import Project
from annotation.release.models import Export
from common.clock import now
from common.identifiers import new_public_id
from common.tasks import enqueue_on_commit
from judges.runs.models import JudgeRun, Verdict
from judges.webhooks.models import Delivery, Webhook
from judges.webhooks.rules import GATHERED, TEST, WebhookEvent, write_body
from judges.webhooks.selectors import Tally, count_rows_since, revision_of, tally

SEND_TASK = "judges.webhooks.send"


def note_run(*, run_id: int) -> None:
    """Tell of a run that has finished, failed or been paused, in the transaction that says so."""
    webhooks = _listening(WebhookEvent.RUN, project__judge_runs=run_id)
    if not webhooks:
        return
    run = JudgeRun.objects.get(pk=run_id)
    counts = {"verdicts": Verdict.objects.filter(run=run).count()}
    for webhook in webhooks:
        note(
            webhook,
            event=WebhookEvent.RUN,
            about={"run": run.public_id, "judge": run.judge_key, "state": run.state},
            counts=counts,
            links={"run": f"{_address(webhook.project)}/runs/{run.public_id}"},
        )


def note_export(*, export_id: int) -> None:
    """Tell of a file that is ready, in the transaction that says so."""
    webhooks = _listening(WebhookEvent.EXPORT, project__exports=export_id)
    if not webhooks:
        return
    export = Export.objects.get(pk=export_id)
    address = f"/api/exports/{export.public_id}"
    for webhook in webhooks:
        note(
            webhook,
            event=WebhookEvent.EXPORT,
            about={"export": export.public_id, "format": export.format},
            counts={"rows": export.rows, "bytes": export.size},
            links={"export": address, "download": f"{address}/download"},
        )


def note_test(webhook: Webhook) -> Delivery:
    """Have a message sent that says nothing but that it is one."""
    return note(webhook, event=TEST, counts={}, links={"project": _address(webhook.project)})


def note(
    webhook: Webhook,
    *,
    event: str,
    counts: Mapping[str, int],
    links: Mapping[str, str],
    about: Mapping[str, str] | None = None,
    at: datetime | None = None,
) -> Delivery:
    """Write a delivery and ring for it after the caller's transaction."""
    at, public_id = at or now(), new_public_id()
    delivery = Delivery.objects.create(
        public_id=public_id,
        webhook=webhook,
        event=str(event),
        body=write_body(
            event=str(event),
            delivery=public_id,
            at=at,
            project=webhook.project.slug,
            counts=counts,
            links=links,
            about=about or {},
        ),
        next_try_at=at,
        created_at=at,
    )
    enqueue_on_commit(SEND_TASK, webhook.pk)
    return delivery


def _listening(event: WebhookEvent, **of: int) -> list[Webhook]:
    found = Webhook.objects.filter(switched_off_at=None, **of).select_related("project").order_by("pk")
    return [webhook for webhook in found if event in webhook.events]


def _address(project: Project) -> str:
    return f"/api/projects/{project.slug}"


def start_from_here(webhook: Webhook, seen: Tally, *, events: Collection[str] = GATHERED) -> None:
    """Let an endpoint take the project as it was counted for known; it hears what comes after."""
    if WebhookEvent.DECISIONS in events:
        webhook.told_decisions, webhook.told_newest = seen.rows, seen.newest
    if WebhookEvent.QUEUE in events:
        webhook.told_waiting = seen.waiting
    if events:
        webhook.looked_at = ""


def told_to(webhook: Webhook) -> dict[str, int]:
    """Return up to where an endpoint was told of the project, by column."""
    return {
        "told_decisions": webhook.told_decisions,
        "told_newest": webhook.told_newest,
        "told_waiting": webhook.told_waiting,
    }


def gather(*, at: datetime | None = None) -> None:
    """Tell endpoints what was decided and what came into the lead's queue since they heard of it last.

    Compares counts, which costs those who judge nothing: not a query, and no time by which they could tell
    that somebody listens. What is told and up to where are saved together, so nothing is told twice or lost.
    """
    for webhook in Webhook.objects.filter(switched_off_at=None).select_related("project").order_by("pk"):
        # As it was before counting: what changes meanwhile is looked at next time.
        revision = revision_of(webhook.project)
        if webhook.looked_at != revision and not _is_behind(webhook):
            _tell(webhook, tally(webhook.project), revision=revision, at=at or now())


def _is_behind(webhook: Webhook) -> bool:
    """Whether all that could be told waits behind what was told and has not arrived."""
    return {event for event in GATHERED if event in webhook.events} <= _still_waiting(webhook)


def _still_waiting(webhook: Webhook) -> set[str]:
    return set(webhook.deliveries.filter(state=Delivery.State.WAITING).values_list("event", flat=True))


@transaction.atomic
def _tell(webhook: Webhook, seen: Tally, *, revision: str, at: datetime) -> None:
    known = told_to(webhook)
    behind, told = _still_waiting(webhook), dict(known)
    changed = _changed(webhook, seen)
    grown = seen.waiting - webhook.told_waiting
    if not changed or WebhookEvent.DECISIONS not in behind:
        told |= {"told_decisions": seen.rows, "told_newest": seen.newest}
    if grown <= 0 or WebhookEvent.QUEUE not in behind:
        told["told_waiting"] = seen.waiting
    is_all = not behind.intersection(GATHERED)
    # Whoever else told of it meanwhile has moved one of these, or the endpoint is off.
    mine = Webhook.objects.filter(pk=webhook.pk, switched_off_at=None, looked_at=webhook.looked_at, **known)
    if not mine.update(**told, looked_at=revision if is_all else F("looked_at")):
        return
    counts = {"decided": seen.decided, "open": seen.open, "waiting": seen.waiting}
    address = _address(webhook.project)
    if changed and _is_due(webhook, WebhookEvent.DECISIONS, behind):
        links = {"overview": f"{address}/overview", "decided": f"{address}/answers?state=decided"}
        note(webhook, event=WebhookEvent.DECISIONS, counts={"changed": changed, **counts}, links=links, at=at)
    if grown > 0 and _is_due(webhook, WebhookEvent.QUEUE, behind):
        links = {"queue": f"{address}/queue"}
        note(webhook, event=WebhookEvent.QUEUE, counts={"added": grown, **counts}, links=links, at=at)


def _is_due(webhook: Webhook, event: WebhookEvent, behind: set[str]) -> bool:
    return event in webhook.events and event not in behind


def _changed(webhook: Webhook, seen: Tally) -> int:
    """Return how many decisions were saved, reopened or, with their import, discarded."""
    if (seen.rows, seen.newest) == (webhook.told_decisions, webhook.told_newest):
        return 0
    # Rows that were saved late have earlier keys than some that were told of.
    return max(
        count_rows_since(webhook.project, webhook.told_newest), abs(seen.rows - webhook.told_decisions)
    )
