"""Webhooks over HTTP, for leads alone; a secret leaves once."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings

from annotation.accounts.models import User
from annotation.projects.models import Membership, Project
from annotation.projects.services.making import set_state
from judges.webhooks.models import Delivery, Webhook
from judges.webhooks.services.noting import note_test

Client = Callable[[User], Any]
ADDRESS = "/api/projects/small/webhooks"
FIELDS = {"url": "https://hooks.example.org/assay", "events": ["run.finished", "item.decided"]}


def add(client: Any, **fields: Any) -> Any:
    return client.post(ADDRESS, {**FIELDS, **fields}, format="json")


class TestWebhooksView:
    def test_the_secret_is_shown_once(self, client_of: Client, lead: User, project: Project) -> None:
        made = add(client_of(lead))
        assert made.status_code == 201
        secret = made.json()["secret"]
        assert secret.startswith("whsec_")
        listed = client_of(lead).get(ADDRESS)
        assert listed.json() == [made.json()["webhook"]]
        assert secret not in listed.content.decode()
        row = Webhook.objects.get()
        assert secret not in row.encrypted_secret
        assert listed.json()[0]["events"] == ["item.decided", "run.finished"]

    @pytest.mark.parametrize(
        "url",
        [
            "http://hooks.example.org/assay",
            "https://127.0.0.1/hook",
            "https://10.0.0.1/hook",
            "https://[::1]/hook",
            "https://169.254.169.254/latest",
            "https://a:b@hooks.example.org/",
            "ftp://hooks.example.org/",
            "hooks",
        ],
    )
    def test_addresses_that_are_not_allowed_are_refused(
        self, client_of: Client, lead: User, project: Project, url: str
    ) -> None:
        reply = add(client_of(lead), url=url)
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "unusable_webhook")
        assert list(reply.json()["error"]["details"]["fields"]) == ["url"]

    def test_http_goes_where_the_administrator_named_it(
        self, client_of: Client, lead: User, project: Project, settings: LazySettings
    ) -> None:
        settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1:8000"]
        assert add(client_of(lead), url="http://127.0.0.1:8000/hook").status_code == 201
        assert add(client_of(lead), url="http://127.0.0.1:8001/hook").status_code == 400

    def test_there_are_five_and_no_more(self, client_of: Client, lead: User, project: Project) -> None:
        replies = [add(client_of(lead), url=f"https://a.example/{number}") for number in range(6)]
        assert [reply.status_code for reply in replies] == [201] * 5 + [409]
        assert replies[-1].json()["error"]["code"] == "too_many_webhooks"
        first = replies[0].json()["webhook"]["id"]
        assert client_of(lead).delete(f"{ADDRESS}/{first}").status_code == 204
        assert add(client_of(lead), url="https://a.example/5").status_code == 201

    def test_an_address_is_there_once(self, client_of: Client, lead: User, project: Project) -> None:
        add(client_of(lead))
        reply = add(client_of(lead))
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "webhook_url_taken")

    @pytest.mark.parametrize("events", [[], ["webhook.test"], ["no.event"]])
    def test_events_are_of_the_list(
        self, client_of: Client, lead: User, project: Project, events: list[str]
    ) -> None:
        assert add(client_of(lead), events=events).status_code == 400

    def test_others_than_leads_do_not_see_them(
        self,
        client_of: Client,
        lead: User,
        annotators: list[Membership],
        adjudicator: Membership,
        outsider: User,
    ) -> None:
        add(client_of(lead))
        for user, status in ((annotators[0].user, 403), (adjudicator.user, 403), (outsider, 404)):
            assert client_of(user).get(ADDRESS).status_code == status
            assert add(client_of(user)).status_code == status


class TestWebhookView:
    def test_it_is_turned_off_and_on_and_rotated(
        self, client_of: Client, lead: User, project: Project
    ) -> None:
        made = add(client_of(lead)).json()
        address = f"{ADDRESS}/{made['webhook']['id']}"
        client = client_of(lead)
        off = client.patch(address, {"is_on": False}, format="json").json()
        assert (off["is_on"], off["off_reason"]) == (False, "")
        refused = client.post(f"{address}/test")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "webhook_off")
        changed = client.patch(address, {"is_on": True, "events": ["queue.grew"]}, format="json").json()
        assert (changed["is_on"], changed["events"]) == (True, ["queue.grew"])
        rotated = client.post(f"{address}/rotate").json()
        assert rotated["secret"] != made["secret"]
        assert rotated["webhook"]["former_secret_until"] is not None

    def test_of_an_archived_project_it_is_rotated_turned_off_and_deleted(
        self, client_of: Client, lead: User, project: Project
    ) -> None:
        client = client_of(lead)
        address = f"{ADDRESS}/{add(client).json()['webhook']['id']}"
        set_state(project=project, state=Project.State.ARCHIVED)
        assert add(client, url="https://a.example/1").status_code == 409
        assert client.post(f"{address}/rotate").status_code == 200
        assert client.patch(address, {"is_on": False}, format="json").json()["is_on"] is False
        assert client.delete(address).status_code == 204


class TestDeliveries:
    def test_a_test_is_listed_and_tried_again_only_once_it_was_given_up(
        self, client_of: Client, lead: User, project: Project
    ) -> None:
        made = add(client_of(lead)).json()
        address = f"{ADDRESS}/{made['webhook']['id']}"
        client = client_of(lead)
        sent = client.post(f"{address}/test")
        assert (sent.status_code, sent.json()["state"]) == (201, "waiting")
        assert client.get(f"{address}/deliveries").json() == [sent.json()]
        again = f"{address}/deliveries/{sent.json()['id']}/retry"
        refused = client.post(again)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "delivery_not_given_up")
        Delivery.objects.update(state="given_up", tries=6, finished_at=sent.json()["created_at"])
        assert client.post(again).json()["tries"] == 0

    def test_the_last_fifty_are_listed(self, client_of: Client, lead: User, project: Project) -> None:
        made = add(client_of(lead)).json()
        webhook = Webhook.objects.select_related("project").get()
        last = [note_test(webhook) for _ in range(52)][-1]
        listed = client_of(lead).get(f"{ADDRESS}/{made['webhook']['id']}/deliveries").json()
        assert (len(listed), listed[0]["id"]) == (50, last.public_id)
