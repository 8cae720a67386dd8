"""The doctor says of every part that it works, or what helps."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import OperationalError

from annotation.accounts.sso import discovery
from annotation.accounts.sso.provider import Provider
from annotation.projects.models import Project
from commands.management.commands import doctor
from judges.connections.rules.apis import APIS
from judges.runs.selectors.progress import Lack
from tests.judges.runs.asking import make_connection
from tests.scripted_provider import CLIENT_ID, CLIENT_SECRET, ScriptedProvider

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _all_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "is_queue_there", lambda: True)
    monkeypatch.setattr(doctor, "background_lack", lambda: Lack.NOTHING)
    monkeypatch.setattr(doctor, "missing_migrations", list)


def ask() -> tuple[str, list[str]]:
    """Return what it prints, and the parts that it names as not working."""
    said = io.StringIO()
    try:
        call_command("doctor", stdout=said)
    except CommandError as error:
        return said.getvalue(), str(error).removeprefix("not working: ").split(", ")
    return said.getvalue(), []


class TestDoctor:
    def test_names_every_part_that_works(self) -> None:
        said, wrong = ask()
        assert wrong == []
        assert [line.split()[:2] for line in said.splitlines()] == [["ok", part] for part in doctor.PARTS]

    @pytest.mark.parametrize(
        ("name", "value", "parts", "cure"),
        [
            ("is_queue_there", lambda: False, ["queue"], "REDIS_URL"),
            ("background_lack", lambda: Lack.WORKER, ["worker", "sweeper"], "celery"),
            ("background_lack", lambda: Lack.CLOCK, ["sweeper"], "celery"),
            ("missing_migrations", lambda: ["judges.0999_later"], ["database"], "manage.py migrate"),
            ("LEAST_FREE_BYTES", 10**18, ["storage"], "Free up space"),
        ],
    )
    def test_names_what_does_not_work_and_what_helps(
        self, name: str, value: Any, parts: list[str], cure: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(doctor, name, value)
        said, wrong = ask()
        assert wrong == parts
        assert cure in said

    def test_ends_with_1_where_something_does_not_work(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(doctor, "is_queue_there", lambda: False)
        with pytest.raises(CommandError) as raised:
            call_command("doctor", stdout=io.StringIO())
        assert raised.value.returncode == 1

    def test_looks_on_where_the_database_is_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail() -> Any:
            raise OperationalError("connection refused")

        monkeypatch.setattr(doctor, "missing_migrations", fail)
        monkeypatch.setattr(doctor, "background_lack", fail)
        said, wrong = ask()
        assert wrong == ["database", "worker", "sweeper"]
        assert "does not respond" in said
        assert len([line for line in said.splitlines() if line.startswith(("ok", "ERROR"))]) == len(
            doctor.PARTS
        )

    def test_says_why_the_data_folder_is_of_no_use(self, settings: LazySettings, tmp_path: Path) -> None:
        settings.DATA_DIR = tmp_path / "nowhere"
        said, wrong = ask()
        assert wrong == ["storage"]
        assert "ASSAY_DATA" in said

    def test_names_local_models_whose_folder_is_missing(self, settings: LazySettings, tmp_path: Path) -> None:
        (tmp_path / "model.safetensors").touch()
        settings.ASSAY_LOCAL_MODELS = [
            f"small={tmp_path}",
            "gone=/no/such/folder",
            f"hub=lab/big@{'0123456789' * 4}",
        ]
        said, wrong = ask()
        assert wrong == ["models"]
        assert "weights: gone (/no/such/folder)\n" in said
        assert "ASSAY_LOCAL_MODELS" in said

    def test_names_apis_that_lack_their_library_and_is_content_while_none_is_used(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lack_anthropic(monkeypatch)
        said, wrong = ask()
        assert wrong == []
        assert "Anthropic (make anthropic)" in said

    def test_finds_a_connection_whose_api_lacks_its_library(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make_connection(project, api="anthropic")
        lack_anthropic(monkeypatch)
        said, wrong = ask()
        assert wrong == ["apis"]
        assert "Install it: make anthropic" in said


def lack_anthropic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(APIS, "anthropic", APIS["anthropic"]._replace(library="not_there.at_all"))


class TestSingleSignOn:
    @pytest.fixture
    def provider(self, settings: LazySettings) -> Iterator[ScriptedProvider]:
        with ScriptedProvider() as started:
            settings.ASSAY_SSO = Provider(started.issuer, CLIENT_ID, CLIENT_SECRET, "Example University")
            discovery.KEPT.forget()
            yield started
        discovery.KEPT.forget()

    def test_is_asked_for_its_addresses_and_keys(self, provider: ScriptedProvider) -> None:
        said, wrong = ask()
        assert wrong == []
        assert "Example University responds" in said
        assert provider.seen == ["/.well-known/openid-configuration", "/keys"]

    @pytest.mark.parametrize(
        ("path", "words"),
        [("/.well-known/openid-configuration", "something other than a JSON object"), ("/keys", "503")],
    )
    def test_is_named_where_it_does_not_work(self, path: str, words: str, provider: ScriptedProvider) -> None:
        provider.broken[path] = (503, b"" if "well" in path else b"{}")
        said, wrong = ask()
        assert wrong == ["sign-on"]
        assert words in said
        assert f"open {provider.issuer}/.well-known/openid-configuration" in said

    def test_must_have_the_name_that_the_setting_says(self, provider: ScriptedProvider) -> None:
        provider.metadata_changes = {"issuer": "https://elsewhere.example"}
        said, wrong = ask()
        assert wrong == ["sign-on"]
        assert "'https://elsewhere.example'" in said
        assert "exactly the same" in said

    def test_needs_keys(self, provider: ScriptedProvider) -> None:
        provider.keys = []
        assert ask()[1] == ["sign-on"]
