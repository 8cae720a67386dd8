"""The ledger of calls: what was asked of a provider, what it said, and what it cost."""

from django.db import models
from django.db.models import Q

from annotation.items.models import Candidate
from judges.connections.models import Connection
from judges.runs.models.runs import JudgeRun


class Call(models.Model):
    """One call to a provider, or one answered from an earlier equal call. Money is integer pico-USD."""

    class State(models.TextChoices):
        """Where a call stands."""

        # In flight: `reserved` is taken from what its run and its connection may spend.
        RESERVED = "reserved"
        # Paid for: by the provider's count of tokens or, where it is not known, by the bound reserved.
        SETTLED = "settled"
        # The provider surely asked nothing for it.
        RELEASED = "released"

    run = models.ForeignKey(JudgeRun, on_delete=models.CASCADE, related_name="calls")
    connection = models.ForeignKey(Connection, on_delete=models.RESTRICT, related_name="calls")
    # What was paid stays paid when an import is undone.
    candidate = models.ForeignKey(Candidate, on_delete=models.SET_NULL, null=True, related_name="calls")
    repeat = models.PositiveIntegerField(default=0)
    # Equal keys are equal requests to the same model at the same address.
    cache_key = models.CharField(max_length=64)
    # Whose batch it is for; when that claim has ended, nobody will settle it but the sweeper.
    owner = models.CharField(max_length=64)
    state = models.CharField(max_length=20, choices=State, default=State.RESERVED)
    reserved = models.BigIntegerField(default=0)
    cost = models.BigIntegerField(default=0)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    model = models.CharField(max_length=200, blank=True)
    fingerprint = models.CharField(max_length=200, blank=True)
    finish_reason = models.CharField(max_length=60, blank=True)
    reply = models.TextField(blank=True)
    # Pairs of token and natural logarithm, as the provider gave them.
    logprobs = models.JSONField(default=list, blank=True)
    is_cache_hit = models.BooleanField(default=False)
    # Whether its reply is the one that counts; not where it was lost, failed, or is to be asked anew.
    is_counted = models.BooleanField(default=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "cache_key"], condition=Q(state="reserved"), name="one_call_in_flight"
            ),
            models.UniqueConstraint(
                fields=["run", "candidate", "repeat"],
                condition=Q(state="settled", is_counted=True),
                name="one_counted_call_a_repeat",
            ),
            models.CheckConstraint(
                condition=Q(state="reserved", settled_at=None) | ~Q(state="reserved") & ~Q(settled_at=None),
                name="call_settled_or_in_flight",
            ),
            models.CheckConstraint(condition=Q(reserved__gte=0, cost__gte=0), name="call_money_not_negative"),
        ]
        indexes = [
            models.Index(fields=["connection", "cache_key"], name="calls_by_key"),
            models.Index(fields=["run", "candidate"], name="calls_of_run"),
        ]

    def __str__(self) -> str:
        return f"call {self.state} ({self.cost})"
