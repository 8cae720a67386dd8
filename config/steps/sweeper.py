"""The sweeper: what may be left open, and who sees to it, once every `ASSAY_SWEEP_SECONDS` or once an hour.

The rows are the truth: whatever nobody was rung for, or somebody died over, is found here. Each entry is a
service of the step whose rows they are, and safe to repeat.
"""

from collections.abc import Callable

from celery import shared_task
from celery.signals import worker_ready

from annotation.accounts.idempotency import claims
from annotation.accounts.mailboxes import digests, resetting
from annotation.accounts.outbox import sending as mail
from annotation.accounts.sign_ins import noting
from annotation.accounts.sso import attempts
from annotation.items.services import applying, uploads
from annotation.judgments.services import settling
from annotation.projects.services import upkeep
from annotation.release import services as release
from common.clock import now
from common.database.rows import refresh_statistics
from common.tasks import enqueue_on_commit
from judges.prejudging.services import certificates
from judges.prejudging.services import policies as prejudging
from judges.runs.services import worker
from judges.webhooks.services import sending

SWEPT: dict[str, Callable[[], object]] = {
    "runs": lambda: worker.sweep_runs(at=now()),
    "leads' choices": upkeep.sweep_upkeep,
    "changes": upkeep.merge_changes,
    "imports": applying.sweep_imports,
    # Web servers settle what raters handed in after their replies, unless they are killed.
    "judgments": settling.settle_due,
    "exports": release.ring_for_open_exports,
    "deletions": release.sweep_deletions,
    "policies": prejudging.sweep_applications,
    "certificates": certificates.sweep_lapses,
    "webhooks": sending.sweep_webhooks,
    "idempotency keys": claims.sweep_keys,
    "password requests": resetting.sweep_requests,
    "email": mail.sweep_mail,
    # Web servers see to it while people judge, too.
    "statistics": refresh_statistics,
}
# What nobody waits for.
SWEPT_HOURLY: dict[str, Callable[[], object]] = {
    "uploads": uploads.sweep_uploads,
    "sign-ins": noting.sweep_events,
    "finished sign-ins": attempts.sweep_spent,
    "digests": digests.write_due_digests,
}


@shared_task(name="config.sweep")
def sweep() -> None:
    """Ring for each of them: one that fails or takes long keeps nobody from the others."""
    for what in SWEPT:
        enqueue_on_commit("config.see_to", what)


@shared_task(name="config.sweep_hourly")
def sweep_hourly() -> None:
    """Ring for each of those that have time."""
    for what in SWEPT_HOURLY:
        enqueue_on_commit("config.see_to", what)


@shared_task(name="config.see_to")
def see_to(what: str) -> None:
    """See to what is left open of one sort."""
    {**SWEPT, **SWEPT_HOURLY}[what]()


@worker_ready.connect
def _sweep_at_start(**_: object) -> None:
    sweep.delay()
    sweep_hourly.delay()
