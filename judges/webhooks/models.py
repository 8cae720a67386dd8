"""Tables of webhooks: endpoints of a project, and what is to be delivered to each."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.projects.models import Project
from common.identifiers import new_public_id
from judges.webhooks.rules import GATHERED, LONGEST_ERROR, LONGEST_URL, MOST_ENDPOINTS


class Webhook(models.Model):
    """An address that hears of a project. It never changes: its secret belongs to it."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="webhooks", db_index=False)
    # From 1: that there are no more than five is a constraint, not a count.
    number = models.PositiveSmallIntegerField()
    url = models.CharField(max_length=LONGEST_URL)
    # Some of `rules.WebhookEvent`.
    events = models.JSONField()
    # Readable with this server's secret key and for this address only; the former one signs until then.
    encrypted_secret = models.TextField()
    former_secret = models.TextField(blank=True)
    former_until = models.DateTimeField(null=True)
    # Failed tries in a row.
    failures = models.PositiveSmallIntegerField(default=0)
    # When the first of them failed.
    failing_since = models.DateTimeField(null=True)
    switched_off_at = models.DateTimeField(null=True)
    # Empty where a person did it.
    off_reason = models.CharField(max_length=LONGEST_ERROR, blank=True)
    # Up to where the endpoint knows decisions (how many rows, and the newest) and the lead's queue.
    told_decisions = models.PositiveIntegerField(default=0)
    told_newest = models.PositiveBigIntegerField(default=0)
    told_waiting = models.PositiveIntegerField(default=0)
    # The revision of the project at which that was looked at: while it stands, nothing has changed.
    looked_at = models.CharField(max_length=200, blank=True)
    # Whoever sends holds the endpoint: one at a time, so that a slow one keeps one worker busy at most.
    owner = models.CharField(max_length=32, blank=True)
    lease_expires_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="webhook_number_once"),
            models.UniqueConstraint(fields=["project", "url"], name="webhook_url_once"),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=MOST_ENDPOINTS), name="webhooks_at_most_five"
            ),
            models.CheckConstraint(
                condition=Q(failures=0, failing_since=None) | Q(failures__gt=0) & ~Q(failing_since=None),
                name="webhook_fails_since_a_time",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id


class Delivery(models.Model):
    """One message to one endpoint: written with what happened, sent afterwards, tried again for a day."""

    class State(models.TextChoices):
        """Where a delivery stands."""

        WAITING = "waiting"
        DELIVERED = "delivered"
        GIVEN_UP = "given_up"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    event = models.CharField(max_length=40)
    # As it is signed: every try sends the same bytes.
    body = models.TextField()
    state = models.CharField(max_length=20, choices=State, default=State.WAITING)
    # The version of the row while it waits: whoever tries raises it first.
    tries = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField()
    # Of the last try: the status of the reply, or why there was none.
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=LONGEST_ERROR, blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "event"],
                condition=Q(state="waiting", event__in=[str(event) for event in GATHERED]),
                name="one_gathered_delivery_waits",
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", finished_at=None) | ~Q(state="waiting") & ~Q(finished_at=None),
                name="delivery_waits_or_is_over",
            ),
        ]
        indexes = [
            models.Index(fields=["webhook", "-created_at"], name="deliveries_of_webhook"),
            models.Index(fields=["next_try_at"], condition=Q(state="waiting"), name="deliveries_due"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.state}"
