"""Connections over HTTP: keys come in and never go out."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.projects.models import Project
from judges.connections.models import Connection
from tests.conftest import ClientOf
from tests.hostile import Provider
from tests.judges.connections.conftest import KEY

ADDRESS = "/api/projects/small/connections"
GIVEN = {
    "name": "Own model",
    "base_url": "https://models.example.org/v1",
    "model": "small-1",
    "key": KEY,
    "input_price": "0.15",
    "output_price": "0.6",
    "spend_cap": "12.5",
}


@pytest.fixture
def client(lead: User, project: Project, allowed_here: None) -> ClientOf:
    return ClientOf(lead)


def create(client: ClientOf, **fields: Any) -> dict[str, Any]:
    reply = client.post(ADDRESS, {**GIVEN, **fields}, format="json")
    assert reply.status_code == 201, reply.content
    body: dict[str, Any] = reply.json()
    return body


class TestConnections:
    def test_money_comes_and_goes_as_usd(self, client: ClientOf) -> None:
        body = create(client)
        assert (body["input_price"], body["output_price"], body["spend_cap"]) == ("0.15", "0.6", "12.5")
        assert Connection.objects.get().input_price == 150_000
        assert Connection.objects.get().spend_cap == 12_500_000_000_000

    def test_no_reply_holds_the_key(self, client: ClientOf) -> None:
        body = create(client)
        address = f"{ADDRESS}/{body['id']}"
        stored = Connection.objects.get().encrypted_key
        replies = [
            client.get(ADDRESS),
            client.get(address),
            client.patch(address, {"name": "B"}, format="json"),
            client.patch(address, {"base_url": "https://sink.example"}, format="json"),
            client.patch(address, {"key": "with space in " + KEY}, format="json"),
            client.post(ADDRESS, {**GIVEN, "name": ""}, format="json"),
            client.post(f"{address}/archive"),
        ]
        assert body["has_key"]
        assert body["key_last_four"] == KEY[-4:]
        for reply in replies:
            assert KEY.encode() not in reply.content
            assert stored.encode() not in reply.content

    def test_another_address_asks_for_the_key(self, client: ClientOf) -> None:
        address = f"{ADDRESS}/{create(client)['id']}"
        keyless = {name: value for name, value in GIVEN.items() if name != "key"}
        for body in (
            {"base_url": "https://sink.example/v1"},
            {**keyless, "base_url": "https://sink.example/v1"},
        ):
            reply = client.patch(address, body, format="json")
            assert (reply.status_code, reply.json()["error"]["code"]) == (400, "key_required")
        known = {"base_url": "https://sink.example/v1", "has_key": True, "key_last_four": "wxyz"}
        assert client.patch(address, known, format="json").status_code == 400
        assert client.get(address).json()["base_url"] == GIVEN["base_url"]

    def test_what_is_read_only_is_not_written(self, client: ClientOf) -> None:
        address = f"{ADDRESS}/{create(client)['id']}"
        before = Connection.objects.values().get()
        sent = {"encrypted_key": "x", "spent": "0", "reserved": "9", "project": 1, "archived_at": None}
        reply = client.patch(address, sent, format="json")
        assert (reply.status_code, set(reply.json()["error"]["details"]["fields"])) == (400, {*sent})
        assert Connection.objects.values().get() == before

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("base_url", "http://10.0.0.1/v1"),
            ("input_price", "-1"),
            ("input_price", "0.0000001"),
            ("spend_cap", "NaN"),
            ("parallel_calls", 0),
            ("timeout_seconds", 100_000),
            ("requests_per_minute", 0),
            ("parameters", {"tools": []}),
            ("endpoint", "responses"),
            ("api", "telepathy"),
        ],
    )
    def test_a_wrong_field_is_named(self, client: ClientOf, field: str, value: Any) -> None:
        reply = client.post(ADDRESS, {**GIVEN, field: value}, format="json")
        assert reply.status_code == 400
        assert field in reply.json()["error"]["details"]["fields"]

    def test_trying_tells_model_and_time(
        self, client: ClientOf, start_provider: Callable[[str], Provider]
    ) -> None:
        body = create(client, base_url=start_provider("good:Yes").base_url)
        trial = client.post(f"{ADDRESS}/{body['id']}/test").json()
        assert (trial["works"], trial["model"], trial["reply"]) == (True, "hostile-1", "Yes")
        assert trial["seconds"] > 0

    def test_the_operators_list_can_be_read(self, client: ClientOf) -> None:
        told = client.get("/api/projects/small/allowed-hosts").json()
        assert told == {"public": True, "named": ["127.0.0.1/32"]}

    def test_openais_api_is_meant_where_none_is_named(self, client: ClientOf) -> None:
        assert create(client)["api"] == "openai"

    def test_the_apis_can_be_read(self, client: ClientOf) -> None:
        told = client.get("/api/projects/small/model-apis").json()
        (openai,) = [api for api in told if api["key"] == "openai"]
        assert (openai["name"], openai["cure"]) == ("OpenAI-compatible", "")
        assert "top_p" in openai["parameters"]
