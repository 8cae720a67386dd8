"""Endpoints that this machine may be."""

from collections.abc import Callable

import pytest
from django.conf import LazySettings

from annotation.projects.models import Project
from judges.webhooks.models import Webhook
from judges.webhooks.rules import WebhookEvent
from judges.webhooks.services.changes import add_webhook

AddWebhook = Callable[..., Webhook]


@pytest.fixture
def add(project: Project, settings: LazySettings) -> AddWebhook:
    """Add an endpoint that hears of everything."""
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["public", "127.0.0.1"]

    def add(url: str = "https://hooks.example.org/assay", *events: WebhookEvent) -> Webhook:
        made, _ = add_webhook(project=project, by=project.created_by, url=url, events=events or WebhookEvent)
        return made

    return add
