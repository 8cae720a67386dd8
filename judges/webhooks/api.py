"""HTTP for webhooks, for leads. A secret leaves once, when it is made."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import LeadView
from common.clock import now
from common.web.replies import choice_of, operation, reply
from judges.webhooks import selectors
from judges.webhooks.models import Webhook
from judges.webhooks.rules import LONGEST_URL, WebhookEvent
from judges.webhooks.selectors import DeliveryRecord, Endpoint, EndpointWithSecret
from judges.webhooks.services import changes


class WebhookSerializer(serializers.Serializer[Any]):
    """A webhook to add: an HTTPS address and the events to send to it."""

    url = serializers.CharField(max_length=LONGEST_URL)
    events = serializers.ListField(child=choice_of(WebhookEvent), min_length=1, max_length=len(WebhookEvent))


class WebhookChangeSerializer(serializers.Serializer[Any]):
    """Changes to a webhook: which events to send, and whether it is on."""

    events = serializers.ListField(
        child=choice_of(WebhookEvent), min_length=1, max_length=len(WebhookEvent), required=False
    )
    is_on = serializers.BooleanField(required=False)


class OfWebhooksView(LeadView):
    """A view of webhooks: what is changed here decides what leaves the server."""

    write_scope = "manage"

    def described(self, webhook: Webhook) -> Endpoint:
        """Return a webhook as it leaves."""
        return selectors.describe_webhook(webhook, at=now())


class WebhooksView(OfWebhooksView):
    """The webhooks of a project."""

    @operation("list_webhooks", gives=list[Endpoint])
    def get(self, request: Request, slug: str) -> Response:
        """List the webhooks in the order in which they were added."""
        return reply([self.described(webhook) for webhook in selectors.webhooks_of(self.project)])

    @operation("add_webhook", takes=WebhookSerializer, gives=EndpointWithSecret, status=201)
    def post(self, request: Request, slug: str) -> Response:
        """Add a webhook; the reply shows its secret, once."""
        form = self.read(WebhookSerializer)
        webhook, secret = changes.add_webhook(project=self.project, by=self.user, **form)
        return reply(EndpointWithSecret(self.described(webhook), secret), status=201)


class WebhookView(OfWebhooksView):
    """One webhook."""

    # Exports of archived projects are told of, too.
    works_archived = True

    @operation("get_webhook", gives=Endpoint)
    def get(self, request: Request, slug: str, webhook: str) -> Response:
        """Return the webhook."""
        return reply(self.described(selectors.get_webhook(project=self.project, public_id=webhook)))

    @operation("change_webhook", takes=WebhookChangeSerializer, gives=Endpoint)
    def patch(self, request: Request, slug: str, webhook: str) -> Response:
        """Choose other events, or turn the webhook on or off."""
        form = self.read(WebhookChangeSerializer)
        return reply(self.described(changes.change_webhook(project=self.project, public_id=webhook, **form)))

    @operation("delete_webhook", status=204)
    def delete(self, request: Request, slug: str, webhook: str) -> Response:
        """Delete the webhook and its deliveries."""
        changes.delete_webhook(project=self.project, public_id=webhook)
        return Response(status=204)


class WebhookRotateView(OfWebhooksView):
    """A webhook's secret."""

    works_archived = True

    @operation("rotate_webhook_secret", gives=EndpointWithSecret)
    def post(self, request: Request, slug: str, webhook: str) -> Response:
        """Replace the secret; the reply contains the new one, which is shown only once.

        For one day, messages are signed with both secrets.
        """
        found, secret = changes.rotate_secret(project=self.project, public_id=webhook)
        return reply(EndpointWithSecret(self.described(found), secret))


class WebhookTestView(OfWebhooksView):
    """Whether a webhook works."""

    @operation("test_webhook", gives=DeliveryRecord, status=201, is_whole=True)
    def post(self, request: Request, slug: str, webhook: str) -> Response:
        """Send a test message; its delivery shows the result."""
        delivery = changes.send_test(project=self.project, public_id=webhook)
        return reply(selectors.describe_delivery(delivery), status=201)


class WebhookDeliveriesView(OfWebhooksView):
    """What was sent to a webhook."""

    @operation("list_webhook_deliveries", gives=list[DeliveryRecord])
    def get(self, request: Request, slug: str, webhook: str) -> Response:
        """List the last 50 messages, newest first."""
        found = selectors.get_webhook(project=self.project, public_id=webhook)
        return reply([selectors.describe_delivery(each) for each in selectors.last_deliveries(found)])


class WebhookRetryView(OfWebhooksView):
    """A message that was given up."""

    @operation("retry_webhook_delivery", gives=DeliveryRecord)
    def post(self, request: Request, slug: str, webhook: str, delivery: str) -> Response:
        """Try the message again."""
        found = changes.retry_delivery(project=self.project, public_id=webhook, delivery_id=delivery)
        return reply(selectors.describe_delivery(found))
