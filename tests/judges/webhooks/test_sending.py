"""Messages sent to a receiver that is there, is not, or misbehaves."""

import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, connection, transaction

from annotation.projects.models import Project
from common.clock import now
from judges.connections.selectors import decrypt_key
from judges.webhooks.models import Delivery, Webhook
from judges.webhooks.rules import MOST_FAILURES, MOST_TRIES
from judges.webhooks.services import sending
from judges.webhooks.services.changes import change_webhook, retry_delivery, rotate_secret, send_test
from judges.webhooks.services.noting import note_test
from judges.webhooks.services.sending import send_due, sweep_webhooks
from tests.judges.webhooks.conftest import AddWebhook
from tests.judges.webhooks.receiver import Receiver, is_signed

State = Delivery.State


def send(webhook: Webhook) -> Delivery:
    """Send a test message once and return what became of it."""
    delivery = note_test(webhook)
    send_due(webhook_id=webhook.pk)
    delivery.refresh_from_db()
    return delivery


class TestSendDue:
    def test_a_message_arrives_signed(self, add: AddWebhook) -> None:
        with Receiver() as receiver:
            webhook = add(receiver.url)
            delivery = send(webhook)
        (message,) = receiver.messages
        secret = decrypt_key(encrypted=webhook.encrypted_secret, base_url=webhook.url)
        assert (delivery.state, delivery.status, delivery.tries) == (State.DELIVERED, 204, 1)
        assert (message.path, message.body) == ("/hook/", delivery.body)
        assert message.headers["webhook-id"] == delivery.public_id
        assert abs(int(message.headers["webhook-timestamp"]) - time.time()) < 60
        assert is_signed(secret, message.headers, message.body)
        assert not is_signed(secret, message.headers, message.body + " ")
        assert not is_signed(secret, {**message.headers, "webhook-timestamp": "1"}, message.body)
        assert "authorization" not in message.headers

    def test_both_secrets_sign_for_a_day_after_rotation(self, add: AddWebhook, project: Project) -> None:
        with Receiver() as receiver:
            webhook = add(receiver.url)
            former = decrypt_key(encrypted=webhook.encrypted_secret, base_url=webhook.url)
            _, secret = rotate_secret(project=project, public_id=webhook.public_id)
            send(webhook)
            Webhook.objects.update(former_until=now() - timedelta(seconds=1))
            sweep_webhooks()
            send(webhook)
        first, second = receiver.messages
        assert is_signed(secret, first.headers, first.body)
        assert is_signed(former, first.headers, first.body)
        assert is_signed(secret, second.headers, second.body)
        assert not is_signed(former, second.headers, second.body)
        assert Webhook.objects.get().former_secret == ""

    def test_rotation_mends_a_secret_that_this_server_cannot_read(
        self, add: AddWebhook, project: Project
    ) -> None:
        with Receiver() as receiver:
            webhook = add(receiver.url)
            Webhook.objects.update(encrypted_secret="sealed by another server")
            assert "Rotate the webhook’s secret" in send(webhook).error
            _, secret = rotate_secret(project=project, public_id=webhook.public_id)
            assert send(webhook).state == State.DELIVERED
        assert is_signed(secret, receiver.messages[0].headers, receiver.messages[0].body)

    @pytest.mark.parametrize("status", [302, 307, 400, 500])
    def test_another_status_is_tried_again_later_and_no_redirect_followed(
        self, add: AddWebhook, status: int
    ) -> None:
        with Receiver(status) as receiver:
            delivery = send(add(receiver.url))
        assert len(receiver.messages) == 1
        assert (delivery.state, delivery.status, delivery.tries) == (State.WAITING, status, 1)
        assert str(status) in delivery.error
        assert delivery.next_try_at > now()

    def test_what_the_receiver_says_is_not_read(self, add: AddWebhook) -> None:
        with Receiver(200, size=10_000_000) as receiver:
            assert send(add(receiver.url)).state == State.DELIVERED

    @pytest.mark.parametrize("status", [200, 500])
    def test_a_compressed_reply_is_told_by_its_status(self, add: AddWebhook, status: int) -> None:
        with Receiver(status, size=10, encoding="gzip") as receiver:
            delivery = send(add(receiver.url))
        assert delivery.status == status
        assert delivery.state == (State.DELIVERED if status == 200 else State.WAITING)

    def test_a_name_that_is_looked_up_for_too_long_ends_at_the_deadline(
        self, add: AddWebhook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        over = threading.Event()

        def look_up(host: str, port: int) -> list[str]:
            over.wait(60)
            return ["93.184.215.14"]

        monkeypatch.setattr("judges.webhooks.services.posting.resolve_host", look_up)
        monkeypatch.setattr(sending, "TIMEOUT_SECONDS", 0.2)
        delivery = send(add("https://slow.example/hook"))
        assert not over.is_set()
        over.set()
        assert (delivery.state, delivery.error) == (
            State.WAITING,
            "The receiver did not respond within 0.2 seconds.",
        )

    def test_a_receiver_that_is_gone_is_tried_again(self, add: AddWebhook) -> None:
        with Receiver() as receiver:
            url = receiver.url
        delivery = send(add(url))
        assert (delivery.state, delivery.status) == (State.WAITING, None)
        assert "could not be reached" in delivery.error

    def test_a_receiver_that_never_replies_ends_at_the_deadline(
        self, add: AddWebhook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sending, "TIMEOUT_SECONDS", 0.2)
        with Receiver(hang=True) as receiver:
            delivery = send(add(receiver.url))
        assert (delivery.state, delivery.error) == (
            State.WAITING,
            "The receiver did not respond within 0.2 seconds.",
        )

    def test_what_the_administrator_no_longer_allows_is_not_called(
        self, add: AddWebhook, settings: LazySettings
    ) -> None:
        with Receiver() as receiver:
            webhook = add(receiver.url)
            settings.ASSAY_LLM_ALLOWED_HOSTS = ["public"]
            assert send(webhook).state == State.WAITING
        assert receiver.messages == []

    def test_a_name_with_a_private_address_is_not_called(
        self, add: AddWebhook, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        webhook = add("https://rebound.example/hook")
        settings.ASSAY_LLM_ALLOWED_HOSTS = ["public"]
        monkeypatch.setattr(
            "judges.webhooks.services.posting.resolve_host", lambda host, port: ["93.184.215.14", "10.0.0.1"]
        )
        assert "does not allow" in send(webhook).error

    def test_after_six_tries_it_is_given_up(self, add: AddWebhook) -> None:
        with Receiver(500) as receiver:
            webhook = add(receiver.url)
            delivery = note_test(webhook)
            for _ in range(MOST_TRIES + 2):
                Delivery.objects.update(next_try_at=now())
                send_due(webhook_id=webhook.pk)
        delivery.refresh_from_db()
        assert (delivery.state, delivery.tries, len(receiver.messages)) == (State.GIVEN_UP, 6, 6)
        bodies = {(message.headers["webhook-id"], message.body) for message in receiver.messages}
        assert bodies == {(delivery.public_id, delivery.body)}

    def test_the_next_ones_are_rung_for_once_the_endpoint_is_free(
        self, add: AddWebhook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        owners: list[str] = []
        monkeypatch.setattr(
            sending, "enqueue_on_commit", lambda *_: owners.append(Webhook.objects.get().owner)
        )
        with Receiver() as receiver:
            webhook = add(receiver.url)
            for _ in range(sending.AT_ONCE + 1):
                note_test(webhook)
            send_due(webhook_id=webhook.pk)
        assert (len(receiver.messages), owners) == (sending.AT_ONCE, [""])

    def test_nothing_is_sent_before_its_time(self, add: AddWebhook) -> None:
        with Receiver(500) as receiver:
            webhook = add(receiver.url)
            send(webhook)
            send_due(webhook_id=webhook.pk)
        assert len(receiver.messages) == 1

    def test_a_try_over_which_the_worker_died_counts(self, add: AddWebhook) -> None:
        with Receiver() as receiver:
            webhook = add(receiver.url)
            delivery = note_test(webhook)
            # As it is left: the try is counted, and the endpoint held until the lease ends.
            Delivery.objects.update(tries=1)
            Webhook.objects.update(owner="dead", lease_expires_at=now() + timedelta(seconds=60))
            send_due(webhook_id=webhook.pk)
            assert receiver.messages == []
            Webhook.objects.update(lease_expires_at=now())
            send_due(webhook_id=webhook.pk)
        delivery.refresh_from_db()
        assert (delivery.state, delivery.tries) == (State.DELIVERED, 2)

    def test_failures_in_a_row_turn_it_off_and_the_rest_is_given_up(self, add: AddWebhook) -> None:
        with Receiver(500) as receiver:
            webhook = add(receiver.url)
            Webhook.objects.update(failures=MOST_FAILURES - 1, failing_since=now())
            waiting = note_test(webhook)
            Delivery.objects.update(next_try_at=now() + timedelta(hours=1))
            send(webhook)
        webhook.refresh_from_db()
        waiting.refresh_from_db()
        assert webhook.switched_off_at is not None
        assert webhook.off_reason == sending.FAILED_OFTEN
        assert (waiting.state, waiting.error) == (State.GIVEN_UP, sending.TURNED_OFF)

    def test_a_success_ends_the_row_of_failures(self, add: AddWebhook) -> None:
        with Receiver() as receiver:
            webhook = add(receiver.url)
            Webhook.objects.update(failures=MOST_FAILURES - 1, failing_since=now())
            send(webhook)
        webhook.refresh_from_db()
        assert (webhook.failures, webhook.failing_since, webhook.switched_off_at) == (0, None, None)

    def test_it_fails_since_the_first_of_the_row(self, add: AddWebhook, project: Project) -> None:
        with Receiver(500) as receiver:
            webhook = add(receiver.url)
            send(webhook)
            webhook.refresh_from_db()
            since = webhook.failing_since
            send(webhook)
        webhook.refresh_from_db()
        assert since is not None
        assert (webhook.failures, webhook.failing_since) == (2, since)
        turned_on = change_webhook(project=project, public_id=webhook.public_id, is_on=True)
        assert (turned_on.failures, turned_on.failing_since) == (0, None)

    def test_410_turns_it_off_at_once(self, add: AddWebhook) -> None:
        with Receiver(410) as receiver:
            webhook = add(receiver.url)
            delivery = send(webhook)
        webhook.refresh_from_db()
        assert (webhook.off_reason, delivery.state) == (sending.SAID_GONE, State.GIVEN_UP)

    def test_nothing_is_sent_while_it_is_off(self, add: AddWebhook, project: Project) -> None:
        with Receiver() as receiver:
            webhook = add(receiver.url)
            delivery = note_test(webhook)
            change_webhook(project=project, public_id=webhook.public_id, is_on=False)
            send_due(webhook_id=webhook.pk)
            assert receiver.messages == []
            change_webhook(project=project, public_id=webhook.public_id, is_on=True)
            retry_delivery(project=project, public_id=webhook.public_id, delivery_id=delivery.public_id)
            send_due(webhook_id=webhook.pk)
        delivery.refresh_from_db()
        assert (delivery.state, len(receiver.messages)) == (State.DELIVERED, 1)


class TestSweepWebhooks:
    def test_what_nobody_was_rung_for_is_rung_for(
        self, add: AddWebhook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        webhook = add()
        note_test(webhook)
        rung: list[Any] = []
        monkeypatch.setattr(sending, "enqueue_on_commit", lambda *asked: rung.append(asked))
        sweep_webhooks()
        assert rung == [(sending.SEND_TASK, webhook.pk)]

    def test_old_messages_are_forgotten(self, add: AddWebhook) -> None:
        old = note_test(add())
        long_ago = now() - timedelta(days=31)
        Delivery.objects.filter(pk=old.pk).update(state=State.DELIVERED, finished_at=long_ago)
        sweep_webhooks()
        assert not Delivery.objects.exists()


class TestConstraints:
    def test_a_message_waits_or_is_over(self, add: AddWebhook) -> None:
        note_test(add())
        with pytest.raises(IntegrityError), transaction.atomic():
            Delivery.objects.update(state=State.DELIVERED)

    def test_it_fails_since_a_time_or_not_at_all(self, add: AddWebhook) -> None:
        add()
        with pytest.raises(IntegrityError), transaction.atomic():
            Webhook.objects.update(failures=1)

    def test_there_is_no_sixth_endpoint(self, add: AddWebhook) -> None:
        add()
        with pytest.raises(IntegrityError), transaction.atomic():
            Webhook.objects.update(number=6)


@pytest.mark.django_db(transaction=True)
class TestTwoWorkers:
    def test_two_at_once_send_once(self, add: AddWebhook, project: Project) -> None:
        with Receiver(hang=True) as receiver:
            webhook = add(receiver.url)
            send_test(project=project, public_id=webhook.public_id)
            first = threading.Thread(target=_send_elsewhere, args=(webhook.pk,))
            first.start()
            assert receiver.arrived.wait(10)
            # The first one waits for the reply: the endpoint is its own.
            send_due(webhook_id=webhook.pk)
            assert len(receiver.messages) == 1
            receiver.closing.set()
            first.join(20)
        delivery = Delivery.objects.get()
        assert (delivery.tries, len(receiver.messages)) == (1, 1)
        assert Webhook.objects.get().owner == ""


def _send_elsewhere(webhook_id: int) -> None:
    try:
        send_due(webhook_id=webhook_id)
    finally:
        connection.close()
