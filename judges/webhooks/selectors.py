"""Read the webhooks of a project and what was delivered; secrets never leave here."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.selectors.queue import count_waiting
from annotation.items.models import Candidate
from annotation.projects.models import Project
from annotation.projects.rules import Area
from annotation.projects.selectors import read_revision
from common.errors import NotFound
from judges.webhooks.models import Delivery, Webhook
from judges.webhooks.rules import WebhookEvent

# Of an endpoint, newest first.
SHOWN_DELIVERIES = 50


class WebhookNotFound(NotFound):
    """The project has no such webhook."""


class DeliveryNotFound(NotFound):
    """The webhook has no such delivery."""


@dataclass(frozen=True)
class Endpoint:
    """A webhook as leads see it.

    `off_since`: null while it is on. `off_reason`: empty if a lead turned it off. `failures`: consecutive
    failed attempts. `failing_since`: when the first of these failed; null if there are none.
    `former_secret_until`: the time until which messages are also signed with the previous secret, or null.
    """

    id: str
    url: str
    events: list[WebhookEvent]
    is_on: bool
    off_since: datetime | None
    off_reason: str
    failures: int
    failing_since: datetime | None
    former_secret_until: datetime | None
    created_at: datetime


@dataclass(frozen=True)
class EndpointWithSecret:
    """A webhook and its new secret, which is shown only once."""

    webhook: Endpoint
    secret: str


@dataclass(frozen=True)
class DeliveryRecord:
    """A message to a webhook, and the result of the latest attempt.

    `status`: the HTTP status of the reply, or null if there was none; `error` says why.
    """

    id: str
    event: str
    state: Delivery.State
    tries: int
    status: int | None
    error: str
    created_at: datetime
    next_try_at: datetime | None
    finished_at: datetime | None


def webhooks_of(project: Project) -> QuerySet[Webhook]:
    """Return a project's webhooks in the order in which they were added."""
    return Webhook.objects.filter(project=project).select_related("project").order_by("created_at", "pk")


def get_webhook(*, project: Project, public_id: str) -> Webhook:
    """Return one webhook; raises `WebhookNotFound`."""
    found = webhooks_of(project).filter(public_id=public_id).first()
    if found is None:
        raise WebhookNotFound("This project has no such webhook.")
    return found


def last_deliveries(webhook: Webhook) -> QuerySet[Delivery]:
    """Return what was sent last or is to be sent, newest first."""
    return webhook.deliveries.order_by("-created_at", "-pk")[:SHOWN_DELIVERIES]


def get_delivery(*, webhook: Webhook, public_id: str) -> Delivery:
    """Return one delivery; raises `DeliveryNotFound`."""
    found = webhook.deliveries.filter(public_id=public_id).first()
    if found is None:
        raise DeliveryNotFound("This webhook has no such delivery.")
    return found


def describe_webhook(webhook: Webhook, *, at: datetime) -> Endpoint:
    """Return a webhook as leads get it."""
    is_double = webhook.former_until is not None and webhook.former_until > at
    return Endpoint(
        id=webhook.public_id,
        url=webhook.url,
        events=[WebhookEvent(event) for event in webhook.events],
        is_on=webhook.switched_off_at is None,
        off_since=webhook.switched_off_at,
        off_reason=webhook.off_reason,
        failures=webhook.failures,
        failing_since=webhook.failing_since,
        former_secret_until=webhook.former_until if is_double else None,
        created_at=webhook.created_at,
    )


def describe_delivery(delivery: Delivery) -> DeliveryRecord:
    """Return a delivery as leads get it."""
    waits = delivery.state == Delivery.State.WAITING
    return DeliveryRecord(
        id=delivery.public_id,
        event=delivery.event,
        state=Delivery.State(delivery.state),
        tries=delivery.tries,
        status=delivery.status,
        error=delivery.error,
        created_at=delivery.created_at,
        next_try_at=delivery.next_try_at if waits else None,
        finished_at=delivery.finished_at,
    )


@dataclass(frozen=True)
class Tally:
    """How far a project is.

    rows, newest: of the histories of decisions, how many and the last one's key. decided, open: answers with
    and without a decision among those that people judge. waiting: answers in the lead's queue.
    """

    rows: int
    newest: int
    decided: int
    open: int
    waiting: int


def tally(project: Project) -> Tally:
    """Count how far a project is."""
    history = Decision.objects.filter(candidate__project=project)
    rows = history.aggregate(rows=Count("pk"), newest=Max("pk"))
    states = Candidate.objects.filter(project=project).aggregate(
        decided=Count("pk", filter=Q(state=Candidate.State.DECIDED)),
        open=Count("pk", filter=Q(state__in=(Candidate.State.OPEN, Candidate.State.DISPUTED))),
    )
    return Tally(
        rows=rows["rows"], newest=rows["newest"] or 0, waiting=count_waiting(project=project), **states
    )


def count_rows_since(project: Project, newest: int) -> int:
    """Count the rows that the histories of decisions gained after one."""
    return Decision.objects.filter(candidate__project=project, pk__gt=newest).count()


def revision_of(project: Project) -> str:
    """Return a text that changes with whatever a tally is made of."""
    found = read_revision(project.pk, (Area.ITEMS, Area.WORK))
    return " ".join(f"{int(area)}:{total}:{mark}" for area, (total, mark) in sorted(found.items()))
