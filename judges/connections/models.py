"""Connections to servers that speak one of the APIs."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotation.projects.models import Project
from common.identifiers import new_public_id
from judges.connections.rules import apis
from judges.methods.llm.client import CHAT, COMPLETION


class Connection(models.Model):
    """A model at an address, with its key, prices and limits. All money is integer pico-USD (1e-12 USD)."""

    class Api(models.TextChoices):
        """What the server speaks."""

        OPENAI = apis.OPENAI, apis.APIS[apis.OPENAI].name
        ANTHROPIC = apis.ANTHROPIC, apis.APIS[apis.ANTHROPIC].name
        GEMINI = apis.GEMINI, apis.APIS[apis.GEMINI].name
        LOCAL = apis.LOCAL, apis.APIS[apis.LOCAL].name

    class Endpoint(models.TextChoices):
        """Which of the two ways to ask."""

        CHAT = CHAT
        COMPLETION = COMPLETION

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="connections")
    name = models.CharField(max_length=100)
    # Empty for a model in the worker itself.
    base_url = models.CharField(max_length=500, blank=True)
    api = models.CharField(max_length=20, choices=Api, default=Api.OPENAI)
    endpoint = models.CharField(max_length=20, choices=Endpoint, default=Endpoint.CHAT)
    model = models.CharField(max_length=200)
    # Further fields of the request, from the closed list of its API in `rules.apis`.
    parameters = models.JSONField(default=dict, blank=True)
    # Names the address it was entered for: of no use with another. Empty where the server asks for none.
    encrypted_key = models.TextField(blank=True)
    key_last_four = models.CharField(max_length=4, blank=True)
    # Per token: 1 USD per million tokens is 1,000,000.
    input_price = models.BigIntegerField(default=0)
    output_price = models.BigIntegerField(default=0)
    requests_per_minute = models.PositiveIntegerField(null=True)
    parallel_calls = models.PositiveIntegerField(default=4)
    timeout_seconds = models.PositiveIntegerField(default=60)
    spend_cap = models.BigIntegerField(null=True)
    spent = models.BigIntegerField(default=0)
    reserved = models.BigIntegerField(default=0)
    # Until then the provider asked for silence.
    rests_until = models.DateTimeField(null=True)
    next_call_at = models.DateTimeField(null=True)
    archived_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], condition=Q(archived_at=None), name="connection_name_once"
            ),
            models.CheckConstraint(
                condition=Q(input_price__gte=0, output_price__gte=0, spent__gte=0, reserved__gte=0),
                name="connection_money_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(spend_cap=None) | Q(spend_cap__gte=F("spent") + F("reserved")),
                name="connection_never_past_its_cap",
            ),
            models.CheckConstraint(condition=Q(parallel_calls__gte=1), name="connection_calls_at_least_one"),
            models.CheckConstraint(
                condition=Q(api=apis.OPENAI) | Q(endpoint=CHAT), name="connection_completes_only_openai"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.model})"
