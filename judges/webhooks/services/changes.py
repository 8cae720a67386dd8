"""Add, change, rotate and delete webhooks, and ask for a test or another try."""

from collections.abc import Collection
from datetime import datetime

from django.db import IntegrityError, transaction

from annotation.accounts.models import User
from annotation.projects.models import Project
from common.clock import now
from common.errors import Conflict, Invalid
from common.outgoing.addresses import UnusableAddress, require_allowed
from common.tasks import enqueue_on_commit
from judges.connections.selectors import address_policy, encrypt_key
from judges.webhooks.models import Delivery, Webhook
from judges.webhooks.rules import BOTH_SIGN, GATHERED, MOST_ENDPOINTS, WebhookEvent, new_secret, read_address
from judges.webhooks.selectors import get_delivery, get_webhook, tally
from judges.webhooks.services.noting import SEND_TASK, note_test, start_from_here, told_to
from judges.webhooks.services.sending import switch_off

# Neither who sends just now nor its secrets.
CHANGED = (
    *("events", "switched_off_at", "off_reason", "failures", "failing_since"),
    *("told_decisions", "told_newest", "told_waiting", "looked_at"),
)


class UnusableWebhook(Invalid):
    """The address may not be called; details name the field."""


class TooManyWebhooks(Conflict):
    """The project has as many webhooks as it may have."""


class WebhookUrlTaken(Conflict):
    """The project has a webhook of this address."""


class WebhookOff(Conflict):
    """The webhook is turned off: nothing is sent."""


class DeliveryNotGivenUp(Conflict):
    """The delivery arrived, or is still being tried."""


class DeliveryAlreadyWaits(Conflict):
    """A newer message of this kind waits already, and says the same and more."""


def add_webhook(
    *, project: Project, by: User, url: str, events: Collection[WebhookEvent], at: datetime | None = None
) -> tuple[Webhook, str]:
    """Add a webhook and return it with its secret, which is never shown again.

    Raises `UnusableWebhook`, `TooManyWebhooks`, `WebhookUrlTaken`.
    """
    url, secret = _callable(url), new_secret()
    webhook = Webhook(
        project=project,
        url=url,
        events=_ordered(events),
        encrypted_secret=encrypt_key(key=secret, base_url=url),
        created_by=by,
        created_at=at or now(),
    )
    # Counted before anything is locked.
    start_from_here(webhook, tally(project))
    with transaction.atomic():
        # The project's row is the lock under which numbers are given.
        Project.objects.locked(project.pk)
        webhook.number = _free_number(project)
        try:
            with transaction.atomic():
                webhook.save()
        except IntegrityError:
            message = "This project already has a webhook with this address."
            raise WebhookUrlTaken(message, details={"fields": {"url": [message]}}) from None
    return webhook, secret


def _free_number(project: Project) -> int:
    taken = set(Webhook.objects.filter(project=project).values_list("number", flat=True))
    for number in range(1, MOST_ENDPOINTS + 1):
        if number not in taken:
            return number
    raise TooManyWebhooks(
        f"This project has {MOST_ENDPOINTS} webhooks, which is the maximum. Delete one first."
    )


def change_webhook(
    *,
    project: Project,
    public_id: str,
    events: Collection[WebhookEvent] | None = None,
    is_on: bool | None = None,
    at: datetime | None = None,
) -> Webhook:
    """Choose other events, or turn a webhook on or off; what is None stays. Raises `WebhookNotFound`.

    Events that are new to it are told from now on, and the others from where it was; turned on, it begins
    anew.
    """
    known = told_to(get_webhook(project=project, public_id=public_id))
    # Counted before anything is locked; whoever only turns it off needs no count.
    seen = tally(project) if is_on or events else None
    with transaction.atomic():
        webhook = _locked(project, public_id)
        was_on = webhook.switched_off_at is None
        new = set(events or ()) & set(GATHERED) - set(webhook.events)
        if events is not None:
            webhook.events = _ordered(events)
        if is_on:
            webhook.switched_off_at, webhook.off_reason = None, ""
            webhook.failures, webhook.failing_since = 0, None
        if is_on and not was_on:
            new = set(GATHERED)
        # What somebody else counted meanwhile is newer: from there on it is told, and nothing twice.
        if seen is not None and told_to(webhook) == known:
            start_from_here(webhook, seen, events=new)
        webhook.save(update_fields=CHANGED)
        if is_on is False and was_on:
            switch_off(webhook, reason="", at=at or now())
    return get_webhook(project=project, public_id=public_id)


@transaction.atomic
def rotate_secret(*, project: Project, public_id: str, at: datetime | None = None) -> tuple[Webhook, str]:
    """Give a webhook a new secret and return both; the former one signs, too, for a day."""
    webhook = _locked(project, public_id)
    secret = new_secret()
    webhook.former_secret, webhook.former_until = webhook.encrypted_secret, (at or now()) + BOTH_SIGN
    webhook.encrypted_secret = encrypt_key(key=secret, base_url=webhook.url)
    webhook.save(update_fields=["encrypted_secret", "former_secret", "former_until"])
    return webhook, secret


@transaction.atomic
def delete_webhook(*, project: Project, public_id: str) -> None:
    """Delete a webhook with all that was or is to be delivered. Raises `WebhookNotFound`."""
    _locked(project, public_id).delete()


@transaction.atomic
def send_test(*, project: Project, public_id: str) -> Delivery:
    """Have a test message sent; raises `WebhookNotFound`, `WebhookOff`."""
    webhook = _locked(project, public_id)
    _require_on(webhook)
    return note_test(webhook)


@transaction.atomic
def retry_delivery(
    *, project: Project, public_id: str, delivery_id: str, at: datetime | None = None
) -> Delivery:
    """Try a delivery that was given up again, from its first try on.

    Raises `WebhookNotFound`, `DeliveryNotFound`, `WebhookOff`, `DeliveryNotGivenUp`, `DeliveryAlreadyWaits`.
    """
    webhook = _locked(project, public_id)
    delivery = get_delivery(webhook=webhook, public_id=delivery_id)
    _require_on(webhook)
    given_up = Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.GIVEN_UP)
    try:
        with transaction.atomic():
            is_open = given_up.update(
                state=Delivery.State.WAITING, tries=0, next_try_at=at or now(), finished_at=None
            )
    except IntegrityError:
        raise DeliveryAlreadyWaits("A newer message of this kind is still waiting to be sent.") from None
    if not is_open:
        raise DeliveryNotGivenUp("This message was delivered or is still being sent. Reload the page.")
    enqueue_on_commit(SEND_TASK, webhook.pk)
    return get_delivery(webhook=webhook, public_id=delivery_id)


def _locked(project: Project, public_id: str) -> Webhook:
    found = get_webhook(project=project, public_id=public_id)
    return Webhook.objects.select_for_update(of=("self",)).select_related("project").get(pk=found.pk)


def _require_on(webhook: Webhook) -> None:
    if webhook.switched_off_at is not None:
        raise WebhookOff("This webhook is turned off. Turn it on first.")


def _callable(text: str) -> str:
    try:
        address = read_address(text)
        require_allowed(address.destination, address_policy())
    except UnusableAddress as error:
        raise UnusableWebhook(str(error), details={"fields": {"url": [str(error)]}}) from None
    return address.url


def _ordered(events: Collection[WebhookEvent]) -> list[str]:
    return [str(event) for event in WebhookEvent if event in events]
