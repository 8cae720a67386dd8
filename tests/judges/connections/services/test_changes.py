"""Connections are made, changed and archived; a key follows to no other address (promise P12)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F

from annotation.projects.models import Project
from common.clock import now
from judges.connections.models import Connection
from judges.connections.rules.apis import APIS
from judges.connections.selectors import ConnectionNotFound, describe_connection
from judges.connections.services.changes import (
    ConnectionArchived,
    ConnectionNameTaken,
    KeyRequired,
    UnusableConnection,
    archive_connection,
    change_connection,
)
from judges.connections.services.client import open_client
from judges.protocol import JudgeFailed
from tests.factories import make_project
from tests.hostile import Provider
from tests.judges.connections.conftest import KEY, MakeConnection, ask_once

Start = Callable[[str], Provider]


def change(connection: Connection, **changes: Any) -> Connection:
    return change_connection(project=connection.project, public_id=connection.public_id, changes=changes)


class TestCreateConnection:
    def test_keeps_the_key_unreadable_and_its_end_visible(self, make_connection: MakeConnection) -> None:
        connection = make_connection()
        assert connection.key_last_four == "wxyz"
        assert KEY not in str(vars(connection))

    def test_shows_nothing_of_a_short_key(self, make_connection: MakeConnection) -> None:
        assert make_connection(key="hunter2").key_last_four == ""

    def test_spells_the_address_in_one_way(self, make_connection: MakeConnection) -> None:
        assert make_connection(base_url="HTTPS://Models.Example.org:443/v1/").base_url == (
            "https://models.example.org/v1"
        )

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("base_url", "https://10.0.0.1/v1"),
            ("base_url", "http://models.example.org/v1"),
            ("key", "two words"),
            ("key", "line\r\nHost: evil"),
            ("parameters", {"tools": []}),
        ],
    )
    def test_names_the_field_that_cannot_be(
        self, make_connection: MakeConnection, field: str, value: Any
    ) -> None:
        with pytest.raises(UnusableConnection) as refused:
            make_connection(**{field: value})
        assert field in refused.value.details["fields"]

    def test_a_name_is_used_once_among_those_in_use(self, make_connection: MakeConnection) -> None:
        first = make_connection()
        with pytest.raises(ConnectionNameTaken):
            make_connection()
        archive_connection(project=first.project, public_id=first.public_id)
        make_connection()


class TestChangeConnection:
    @pytest.mark.parametrize(
        "base_url",
        [
            "https://sink.example/v1",
            "https://models.example.org:8443/v1",
            "https://models.example.org/v2",
            "https://models.example.org",
            "http://127.0.0.1:9/v1",
        ],
    )
    def test_another_address_asks_for_the_key_again(
        self, make_connection: MakeConnection, base_url: str
    ) -> None:
        connection = make_connection()
        with pytest.raises(KeyRequired):
            change(connection, base_url=base_url)
        with pytest.raises(KeyRequired):
            change(connection, base_url=base_url, name="Another", model="another", endpoint="completion")
        connection.refresh_from_db()
        assert (connection.base_url, connection.name) == ("https://models.example.org/v1", "Own model")

    def test_another_spelling_of_the_address_does_not(self, make_connection: MakeConnection) -> None:
        change(make_connection(), base_url="https://MODELS.example.org:443/v1/")

    def test_a_new_key_goes_with_a_new_address(self, make_connection: MakeConnection) -> None:
        changed = change(make_connection(), base_url="https://other.example/v1", key="sk-new-0123456789")
        assert changed.key_last_four == "6789"
        open_client(changed).close()

    def test_taking_the_key_out_frees_the_address(self, make_connection: MakeConnection) -> None:
        changed = change(make_connection(), base_url="https://other.example/v1", key="")
        assert (changed.encrypted_key, changed.key_last_four) == ("", "")

    def test_everything_else_keeps_the_key(self, make_connection: MakeConnection) -> None:
        connection = make_connection()
        changed = change(connection, model="m", input_price=1, spend_cap=5, parameters={"top_p": 0.5})
        assert changed.encrypted_key == connection.encrypted_key

    def test_nothing_else_can_be_changed(self, make_connection: MakeConnection) -> None:
        connection = make_connection()
        for field in ("encrypted_key", "key_last_four", "project", "spent", "archived_at", "pk"):
            with pytest.raises(TypeError):
                change(connection, **{field: "x"})

    def test_of_another_project_is_not_found(self, make_connection: MakeConnection) -> None:
        connection = make_connection()
        with pytest.raises(ConnectionNotFound):
            change_connection(project=make_project(), public_id=connection.public_id, changes={"name": "x"})


class TestSpendCap:
    @pytest.fixture
    def spent(self, make_connection: MakeConnection) -> Connection:
        connection = make_connection()
        Connection.objects.filter(pk=connection.pk).update(spent=3 * 10**12, reserved=10**12)
        return connection

    def test_is_never_set_below_what_is_spent_or_in_flight(self, spent: Connection) -> None:
        with pytest.raises(UnusableConnection, match="4 USD has already been spent or reserved") as refused:
            change(spent, spend_cap=4 * 10**12 - 1)
        assert "spend_cap" in refused.value.details["fields"]
        assert change(spent, spend_cap=4 * 10**12).spend_cap == 4 * 10**12
        assert change(spent, spend_cap=None).spend_cap is None

    def test_cannot_be_passed_in_the_database(self, spent: Connection) -> None:
        change(spent, spend_cap=4 * 10**12)
        with pytest.raises(IntegrityError, match="connection_never_past_its_cap"):
            Connection.objects.filter(pk=spent.pk).update(spent=F("spent") + 1)


class TestRests:
    @pytest.mark.parametrize(
        "changes", [{"key": KEY}, {"key": KEY, "base_url": "https://other.example.org/v1"}]
    )
    def test_end_with_another_key_or_address(
        self, make_connection: MakeConnection, changes: dict[str, str]
    ) -> None:
        connection = make_connection()
        rest = now() + timedelta(hours=1)
        Connection.objects.filter(pk=connection.pk).update(rests_until=rest)
        assert change(connection, model="other").rests_until == rest
        assert change(connection, **changes).rests_until is None


class TestArchiveConnection:
    def test_forgets_the_key_and_ends_all_change(self, make_connection: MakeConnection) -> None:
        connection = make_connection()
        archived = archive_connection(project=connection.project, public_id=connection.public_id)
        assert archived.encrypted_key == ""
        with pytest.raises(ConnectionArchived):
            change(archived, name="Again")
        with pytest.raises(JudgeFailed, match="archived"):
            open_client(archived)


class TestTheKeyStaysWithItsHost:
    """Whatever is done to a connection, the sink never sees the key (promise P12)."""

    @pytest.fixture
    def own(self, start_provider: Start) -> Provider:
        return start_provider("good")

    @pytest.fixture
    def sink(self, start_provider: Start) -> Provider:
        return start_provider("good")

    @pytest.fixture
    def connection(self, own: Provider, make_connection: MakeConnection) -> Connection:
        return make_connection(base_url=own.base_url)

    def test_it_is_sent_to_its_own_host(self, connection: Connection, own: Provider) -> None:
        ask_once(connection)
        assert [entry.authorization for entry in own.entries()] == [f"Bearer {KEY}"]

    def test_not_after_the_address_was_changed_past_the_service(
        self, connection: Connection, sink: Provider
    ) -> None:
        Connection.objects.filter(pk=connection.pk).update(base_url=sink.base_url)
        connection.refresh_from_db()
        with pytest.raises(JudgeFailed, match="another address") as failed:
            ask_once(connection)
        assert failed.value.pauses_run
        assert sink.entries() == []

    def test_not_from_a_row_that_took_over_what_another_stores(
        self, connection: Connection, sink: Provider, make_connection: MakeConnection
    ) -> None:
        thief = make_connection(name="Thief", base_url=sink.base_url, key="")
        Connection.objects.filter(pk=thief.pk).update(encrypted_key=connection.encrypted_key)
        thief.refresh_from_db()
        with pytest.raises(JudgeFailed, match="another address"):
            ask_once(thief)
        assert sink.entries() == []

    def test_not_after_the_key_was_taken_out(self, connection: Connection, sink: Provider) -> None:
        ask_once(change(connection, base_url=sink.base_url, key=""))
        assert [entry.authorization for entry in sink.entries()] == [""]

    def test_not_over_a_redirect(
        self, start_provider: Start, sink: Provider, make_connection: MakeConnection
    ) -> None:
        sender = start_provider(f"redirect:{sink.base_url}/chat/completions")
        with pytest.raises(JudgeFailed, match="redirect"):
            ask_once(make_connection(name="Sender", base_url=sender.base_url))
        assert sink.entries() == []

    def test_not_through_a_proxy_or_a_variable_of_the_environment(
        self,
        connection: Connection,
        own: Provider,
        sink: Provider,
        make_connection: MakeConnection,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{sink.port}")
        monkeypatch.setenv("OPENAI_BASE_URL", sink.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-operator")
        monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-operator")
        ask_once(connection)
        keyless = make_connection(name="Keyless", base_url=own.base_url, key="")
        ask_once(keyless)
        assert sink.entries() == []
        assert [entry.authorization for entry in own.entries()] == [f"Bearer {KEY}", ""]


class TestDescribeConnection:
    def test_names_what_may_change_a_verdict(self, make_connection: MakeConnection) -> None:
        described = describe_connection(make_connection(parameters={"top_p": 0.5, "min_p": 0.1}))
        assert described == {
            "model": "small-1",
            "host": "models.example.org",
            "endpoint": "chat",
            "parameters": '{"min_p":0.1,"top_p":0.5}',
        }

    def test_names_the_path_where_one_host_has_several_models(self, make_connection: MakeConnection) -> None:
        connection = make_connection(base_url="https://models.example.org/second/v1")
        assert describe_connection(connection)["host"] == "models.example.org/second"

    def test_a_name_a_key_and_a_price_change_nothing(
        self, make_connection: MakeConnection, project: Project
    ) -> None:
        connection = make_connection()
        before = describe_connection(connection)
        assert describe_connection(change(connection, name="B", key="sk-b", input_price=7)) == before


class TestApi:
    def test_one_whose_library_is_missing_is_refused_with_what_installs_it(
        self, make_connection: MakeConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(APIS, "anthropic", APIS["anthropic"]._replace(library="not_there.at_all"))
        with pytest.raises(UnusableConnection, match="make anthropic") as refused:
            make_connection(api="anthropic")
        assert "api" in refused.value.details["fields"]

    def test_parameters_are_those_of_the_api(self, make_connection: MakeConnection) -> None:
        with pytest.raises(UnusableConnection, match="max_tokens_field"):
            make_connection(api="anthropic", parameters={"max_tokens_field": "max_tokens"})
        connection = make_connection(api="anthropic", parameters={"thinking": "disabled"})
        assert connection.parameters == {"thinking": "disabled"}

    def test_another_one_takes_the_parameters_there_are_or_is_refused(
        self, make_connection: MakeConnection
    ) -> None:
        connection = make_connection(parameters={"top_p": 0.5})
        with pytest.raises(UnusableConnection, match="top_p"):
            change(connection, api="anthropic")
        changed = change(connection, api="anthropic", parameters={})
        assert (changed.api, changed.parameters) == ("anthropic", {})

    def test_only_openais_has_a_completion_endpoint(self, make_connection: MakeConnection) -> None:
        with pytest.raises(UnusableConnection, match="completion") as refused:
            make_connection(api="anthropic", endpoint="completion")
        assert "endpoint" in refused.value.details["fields"]
        with pytest.raises(IntegrityError), transaction.atomic():
            Connection.objects.filter(pk=make_connection(endpoint="completion").pk).update(api="anthropic")
