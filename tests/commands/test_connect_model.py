"""`manage.py connect_model`: a connection from the command line, whose key is no argument."""

import io

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from annotation.projects.models import Project
from judges.connections.models import Connection
from judges.connections.selectors import decrypt_key

MODEL = ("local", "--project", "small", "--url", "http://127.0.0.1:9/v1", "--model", "tiny")
KEY = "sk-own-0123456789-wxyz"


@pytest.fixture(autouse=True)
def allowed_here(settings: LazySettings) -> None:
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1"]


def connect(*arguments: str) -> Connection:
    call_command("connect_model", *MODEL, *arguments, stdout=io.StringIO())
    return Connection.objects.get()


def key_of(connection: Connection) -> str:
    return decrypt_key(encrypted=connection.encrypted_key, base_url=connection.base_url)


@pytest.mark.usefixtures("project")
class TestConnectModel:
    def test_makes_a_connection(self) -> None:
        made = connect("--input-price", "0.15", "--output-price", "0.6", "--cap", "2.5", "--per-minute", "60")
        assert (made.name, made.model, made.endpoint, made.encrypted_key) == ("local", "tiny", "chat", "")
        assert (made.input_price, made.output_price) == (150_000, 600_000)
        assert (made.spend_cap, made.requests_per_minute) == (2_500_000_000_000, 60)

    def test_reads_the_key_from_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{KEY}\n"))
        assert key_of(connect("--key-stdin")) == KEY

    def test_reads_the_key_from_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASSAY_MODEL_KEY", KEY)
        assert key_of(connect()) == KEY

    def test_takes_no_key_as_an_argument(self) -> None:
        with pytest.raises(CommandError, match="unrecognized"):
            connect("--key", KEY)

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (("--cap", "much"), 2),
            (("--input-price", "-1"), 2),
            (("--parallel", "0"), 2),
            (("--url", "http://10.0.0.1/v1"), 2),
            (("--project", "nowhere"), 1),
            (("--try", "--timeout", "1"), 1),
        ],
    )
    def test_says_what_is_wrong(self, arguments: tuple[str, ...], code: int) -> None:
        with pytest.raises(CommandError) as caught:
            connect(*arguments)
        assert caught.value.returncode == code

    def test_makes_no_second_one_of_a_name(self, project: Project) -> None:
        connect()
        with pytest.raises(CommandError, match=r"is named “local\.”"):
            connect()

    def test_takes_the_providers_own_address_for_its_own_api(self, settings: LazySettings) -> None:
        settings.ASSAY_LLM_ALLOWED_HOSTS = ["public"]
        given = ("claude", "--project", "small", "--api", "anthropic", "--model", "claude-x")
        call_command("connect_model", *given, stdout=io.StringIO())
        made = Connection.objects.get()
        assert (made.api, made.base_url) == ("anthropic", "https://api.anthropic.com")

    def test_asks_for_an_address_where_many_servers_speak_the_api(self) -> None:
        with pytest.raises(CommandError, match="--url") as caught:
            call_command("connect_model", "local", "--project", "small", "--model", "tiny")
        assert caught.value.returncode == 2
