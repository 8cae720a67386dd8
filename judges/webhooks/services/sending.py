"""Send what waits: claimed beforehand, sent outside of any transaction, and noted afterwards."""

import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from common.clock import now
from common.outgoing.addresses import UnusableAddress, require_allowed
from common.tasks import enqueue_on_commit
from judges.connections.selectors import KeyUnusable, address_policy, decrypt_key
from judges.webhooks.models import Delivery, Webhook
from judges.webhooks.rules import (
    GONE,
    KEPT,
    LONGEST_ERROR,
    MOST_TRIES,
    TIMEOUT_SECONDS,
    is_too_much,
    pause_after,
    read_address,
    sign,
)
from judges.webhooks.services.noting import SEND_TASK, gather

# Longer than any try takes; whoever holds an endpoint for longer is dead.
LEASE = timedelta(seconds=60)
# So that endpoints share workers: after so many it rings again.
AT_ONCE = 5
TURNED_OFF = "The webhook was turned off."
FAILED_OFTEN = "Too many attempts in a row failed."
SAID_GONE = "The receiver responded with status 410 (Gone)."


class Outcome(NamedTuple):
    """What came of a try: the status of the reply, or None, and why it failed; no reason where it did not."""

    status: int | None
    error: str = ""


def send_due(*, webhook_id: int) -> None:
    """Send what is due at one endpoint, unless somebody else is at it or it is off."""
    owner = secrets.token_hex(16)
    if not _claim(webhook_id, owner, at=now()):
        return
    has_more = False
    try:
        has_more = all(_send_next(webhook_id, owner) for _ in range(AT_ONCE))
    finally:
        Webhook.objects.filter(pk=webhook_id, owner=owner).update(owner="", lease_expires_at=None)
    # Once the endpoint is free: whoever comes sooner goes away again.
    if has_more:
        enqueue_on_commit(SEND_TASK, webhook_id)


def sweep_webhooks() -> None:
    """Gather what is to be told, ring for whatever is due, and forget what was long ago."""
    gather()
    at = now()
    Delivery.objects.filter(finished_at__lte=at - KEPT).delete()
    Webhook.objects.filter(former_until__lte=at).update(former_secret="", former_until=None)
    due = Delivery.objects.filter(
        state=Delivery.State.WAITING, next_try_at__lte=at, webhook__switched_off_at=None
    )
    for webhook_id in due.order_by("webhook_id").values_list("webhook_id", flat=True).distinct():
        enqueue_on_commit(SEND_TASK, webhook_id)


def _claim(webhook_id: int, owner: str, *, at: datetime) -> bool:
    free = Q(lease_expires_at=None) | Q(lease_expires_at__lte=at)
    free_webhook = Webhook.objects.filter(free, pk=webhook_id, switched_off_at=None)
    return bool(free_webhook.update(owner=owner, lease_expires_at=at + LEASE))


def _send_next(webhook_id: int, owner: str) -> bool:
    """Try the delivery that is due for longest; return whether there was one."""
    at = now()
    still_mine = Webhook.objects.filter(pk=webhook_id, owner=owner, switched_off_at=None)
    if not still_mine.update(lease_expires_at=at + LEASE):
        return False
    waiting = Delivery.objects.filter(
        webhook=webhook_id, state=Delivery.State.WAITING, next_try_at__lte=at
    ).select_related("webhook")
    delivery = waiting.order_by("next_try_at", "pk").first()
    if delivery is None:
        return False
    # Before it is sent: a try over which its worker dies counts.
    if _row(delivery).update(tries=delivery.tries + 1):
        delivery.tries += 1
        _note(delivery, _try(delivery, at=at), at=now())
    return True


def _row(delivery: Delivery) -> QuerySet[Delivery]:
    return Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.WAITING, tries=delivery.tries)


def _try(delivery: Delivery, *, at: datetime) -> Outcome:
    webhook = delivery.webhook
    if delivery.tries > MOST_TRIES:
        return Outcome(None, "The server stopped during the last attempt.")
    policy = address_policy()
    try:
        address = read_address(webhook.url)
        require_allowed(address.destination, policy)
        headers = sign(
            delivery=delivery.public_id,
            timestamp=int(at.timestamp()),
            body=delivery.body,
            secrets_in_use=_secrets(webhook, at=at),
        )
    except UnusableAddress as unusable:
        return Outcome(None, str(unusable))
    except KeyUnusable:
        return Outcome(
            None,
            "The webhook’s secret cannot be read with this server’s secret key. Rotate the webhook’s secret.",
        )
    # Loaded when something is sent: it brings the network.
    from judges.webhooks.services.posting import post

    status, error = post(address, policy=policy, body=delivery.body, headers=headers, seconds=TIMEOUT_SECONDS)
    return Outcome(status, error[:LONGEST_ERROR])


def _secrets(webhook: Webhook, *, at: datetime) -> list[str]:
    """Return what signs, the newest first; raises `KeyUnusable`."""
    found = [decrypt_key(encrypted=webhook.encrypted_secret, base_url=webhook.url)]
    if webhook.former_secret and webhook.former_until is not None and webhook.former_until > at:
        # One that cannot be read may be why it was rotated.
        with suppress(KeyUnusable):
            found.append(decrypt_key(encrypted=webhook.former_secret, base_url=webhook.url))
    return found


@transaction.atomic
def _note(delivery: Delivery, outcome: Outcome, *, at: datetime) -> None:
    """Save what came of a try, unless the delivery was given up meanwhile."""
    is_over = {"status": outcome.status, "error": outcome.error, "finished_at": at}
    if not outcome.error:
        if _row(delivery).update(state=Delivery.State.DELIVERED, **is_over):
            Webhook.objects.filter(pk=delivery.webhook_id).update(failures=0, failing_since=None)
        return
    pause = pause_after(delivery.tries)
    if pause is None:
        is_noted = _row(delivery).update(state=Delivery.State.GIVEN_UP, **is_over)
    else:
        is_noted = _row(delivery).update(status=outcome.status, error=outcome.error, next_try_at=at + pause)
    if is_noted:
        _count_failure(delivery.webhook_id, outcome, at=at)


def _count_failure(webhook_id: int, outcome: Outcome, *, at: datetime) -> None:
    Webhook.objects.filter(pk=webhook_id).update(
        failures=F("failures") + 1, failing_since=Coalesce("failing_since", Value(at))
    )
    webhook = Webhook.objects.get(pk=webhook_id)
    if outcome.status == GONE:
        switch_off(webhook, reason=SAID_GONE, at=at)
    elif is_too_much(webhook.failures):
        switch_off(webhook, reason=FAILED_OFTEN, at=at)


def switch_off(webhook: Webhook, *, reason: str, at: datetime) -> None:
    """Send nothing more to an endpoint, and give up what waits; inside the caller's transaction."""
    Webhook.objects.filter(pk=webhook.pk, switched_off_at=None).update(switched_off_at=at, off_reason=reason)
    webhook.deliveries.filter(state=Delivery.State.WAITING, error="").update(error=TURNED_OFF)
    webhook.deliveries.filter(state=Delivery.State.WAITING).update(
        state=Delivery.State.GIVEN_UP, finished_at=at
    )
