"""Local models: only those that the administrator offers, for nothing, and without address or key."""

from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from annotation.projects.models import Project
from judges.connections import selectors
from judges.connections.models import Connection
from judges.connections.rules.apis import LOCAL, OPENAI
from judges.connections.selectors import describe_connection, list_apis
from judges.connections.services.changes import UnusableConnection, change_connection, create_connection
from judges.connections.services.client import open_client, try_connection
from judges.connections.services.local import ABANDONED, NOT_GREEDY
from judges.protocol import JudgeFailed
from tests.conftest import ClientOf
from tests.judges.connections.conftest import MakeConnection, make_request
from tests.judges.methods.tiny_models import save_writer

COMMIT = "0123456789abcdef" * 2 + "01234567"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like a model's, which the administrator offers; and a library for it."""
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    settings.ASSAY_LOCAL_MODELS = [f"small={tmp_path}", f"big=lab/big@{COMMIT}"]
    monkeypatch.setattr(selectors, "_is_there", lambda library: True)
    return tmp_path


def make_local(project: Project, **fields: Any) -> Connection:
    given = {"name": "Own", "api": LOCAL, "model": "small", **fields}
    return create_connection(project=project, by=project.created_by, **given)


class TestCreate:
    def test_takes_no_address_no_key_and_no_prices(self, project: Project) -> None:
        given = {"base_url": "https://models.example.org", "key": "sk-0123456789", "input_price": 5}
        connection = make_local(project, **given, spend_cap=7, parallel_calls=9)
        assert (connection.base_url, connection.encrypted_key, connection.key_last_four) == ("", "", "")
        assert (connection.input_price, connection.spend_cap, connection.parallel_calls) == (0, None, 1)

    @pytest.mark.parametrize("model", ["huge", "lab/big", f"lab/big@{COMMIT}", "/etc", ""])
    def test_refuses_a_model_that_is_not_offered(self, project: Project, model: str) -> None:
        with pytest.raises(UnusableConnection, match="does not offer a local model") as told:
            make_local(project, model=model)
        assert "model" in told.value.details["fields"]

    def test_refuses_parameters_of_other_apis(self, project: Project) -> None:
        with pytest.raises(UnusableConnection, match="top_p"):
            make_local(project, parameters={"top_p": 0.5})
        assert make_local(project, parameters={"enable_thinking": False}).parameters

    def test_says_what_installs_the_libraries(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(selectors, "_is_there", lambda library: library != "torch")
        with pytest.raises(UnusableConnection, match="The library for local models is not installed"):
            make_local(project)

    def test_offers_models_by_name_alone(self, folder: Path) -> None:
        offered = {api.key: api.models for api in list_apis()}
        assert offered == {"openai": (), "anthropic": (), "gemini": (), "transformers": ("big", "small")}

    def test_is_possible_over_http_without_an_address(self, project: Project) -> None:
        client = ClientOf(project.created_by)
        address = f"/api/projects/{project.slug}/connections"
        given = {"name": "Own", "model": "small", "api": LOCAL}
        assert client.post(address, given, format="json").status_code == 201
        reply = client.post(address, {**given, "name": "B", "api": OPENAI}, format="json")
        assert (reply.status_code, list(reply.json()["error"]["details"]["fields"])) == (400, ["base_url"])


class TestChange:
    def test_forgets_the_key_of_a_server(self, make_connection: MakeConnection) -> None:
        connection = make_connection()
        changed = change_connection(
            project=connection.project,
            public_id=connection.public_id,
            changes={"api": LOCAL, "model": "small"},
        )
        assert (changed.encrypted_key, changed.base_url) == ("", "")

    def test_to_a_server_needs_an_address(self, project: Project) -> None:
        connection = make_local(project)
        with pytest.raises(UnusableConnection):
            change_connection(project=project, public_id=connection.public_id, changes={"api": OPENAI})


class TestDescribe:
    def test_names_the_commit(self, project: Project) -> None:
        described = describe_connection(make_local(project, model="big"))
        assert described == {"api": LOCAL, "model": "big", "weights": COMMIT, "parameters": "{}"}

    def test_names_the_files_and_not_the_folder(self, project: Project, folder: Path) -> None:
        connection = make_local(project)
        first = describe_connection(connection)
        assert str(folder) not in str(first)
        (folder / "model.safetensors").write_bytes(b"other weights")
        assert describe_connection(connection)["weights"] != first["weights"]


class TestTry:
    def test_looks_whether_the_model_is_there(self, project: Project, folder: Path) -> None:
        connection = make_local(project)
        trial = try_connection(connection=connection)
        assert (trial.works, trial.model, trial.seconds) == (True, "small", None)
        (folder / "model.safetensors").unlink()
        assert "cannot be read" in try_connection(connection=connection).error

    def test_reads_no_weights(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(folder: str) -> str:
            raise AssertionError(folder)

        connection = make_local(project)
        monkeypatch.setattr(selectors, "hash_model", fail)
        assert try_connection(connection=connection).works

    def test_says_where_the_model_is_offered_no_longer(self, project: Project, settings: Settings) -> None:
        connection = make_local(project)
        settings.ASSAY_LOCAL_MODELS = []
        assert "does not offer" in try_connection(connection=connection).error


class TestAsk:
    @pytest.fixture
    def connection(self, project: Project, tmp_path: Path, settings: Settings) -> Connection:
        pytest.importorskip("torch")
        pytest.importorskip("transformers")
        settings.ASSAY_LOCAL_MODELS = [f"writer={save_writer(tmp_path / 'writer')}"]
        return make_local(project, model="writer")

    def test_brings_what_the_model_says(self, connection: Connection) -> None:
        with open_client(connection) as client:
            completion = client.complete(make_request(wants_logprobs=True), is_wanted=lambda: True)
        assert (completion.text, completion.finish_reason, completion.model) == ("yes", "stop", "writer")
        assert completion.fingerprint == selectors.revision_of("writer")
        assert (completion.input_tokens > 3, completion.output_tokens) == (True, 2)
        assert completion.logprobs[0][0] == "yes"

    def test_says_that_a_reply_was_cut_off(self, connection: Connection) -> None:
        with open_client(connection) as client:
            assert client.complete(make_request(max_tokens=1)).finish_reason == "length"

    def test_refuses_a_temperature_that_would_do_nothing(self, connection: Connection) -> None:
        with open_client(connection) as client, pytest.raises(JudgeFailed) as told:
            client.complete(make_request(temperature=0.5))
        assert (told.value.reason, told.value.pauses_run) == (NOT_GREEDY, True)

    def test_ends_at_the_time_limit(self, connection: Connection) -> None:
        connection.timeout_seconds = 0
        with open_client(connection) as client, pytest.raises(JudgeFailed, match="within 0 seconds") as told:
            client.complete(make_request())
        assert (told.value.retryable, told.value.may_be_billed) == (False, False)

    def test_ends_where_nobody_wants_it(self, connection: Connection) -> None:
        with open_client(connection) as client:
            client._cut()
            with pytest.raises(JudgeFailed) as told:
                client.complete(make_request())
        assert told.value.reason == ABANDONED

    def test_pauses_the_run_where_the_files_are_no_model(
        self, connection: Connection, folder: Path, settings: Settings
    ) -> None:
        settings.ASSAY_LOCAL_MODELS = [f"writer={folder}"]
        with open_client(connection) as client, pytest.raises(JudgeFailed) as told:
            client.complete(make_request())
        assert "model “writer” has no files that the Transformers library can read" in told.value.reason
        assert str(folder) not in told.value.reason
        assert told.value.pauses_run
