"""Providers' own libraries against a provider that misbehaves in their APIs: one call, one outcome."""

import logging
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from judges.connections.models import Connection
from judges.connections.rules.apis import APIS
from judges.connections.services.client import open_client
from judges.methods.llm.client import Completion
from judges.protocol import JudgeFailed
from tests.hostile import Provider
from tests.judges.connections.conftest import KEY, MakeConnection, ask_once, make_request

Start = Callable[[str], Provider]
NATIVE = ("anthropic", "gemini")
SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["correct", "incorrect"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}


class Asked(NamedTuple):
    """A provider that follows a script, and a connection to it in an API of its own."""

    provider: Provider
    connection: Connection

    def once(self, **fields: Any) -> Completion:
        return ask_once(self.connection, **fields)

    def failure(self) -> JudgeFailed:
        with pytest.raises(JudgeFailed) as failed:
            self.once()
        return failed.value


Ask = Callable[..., Asked]


@pytest.fixture(params=NATIVE)
def api(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ask(api: str, start_provider: Start, make_connection: MakeConnection) -> Ask:
    def to(script: str, **fields: Any) -> Asked:
        provider = start_provider(script)
        return Asked(provider, make_connection(api=api, base_url=provider.origin, **fields))

    return to


class TestAsk:
    def test_brings_text_tokens_and_who_said_it(self, ask: Ask) -> None:
        asked = ask("good:Yes")
        completion = asked.once()
        assert (completion.text, completion.finish_reason, completion.model) == ("Yes", "stop", "hostile-1")
        (entry,) = asked.provider.entries()
        # All that is billed: also what was read from a cache, and what was thought.
        assert (completion.input_tokens, completion.cached_tokens) == (entry.input_tokens, 1)
        assert completion.output_tokens == entry.output_tokens

    def test_sends_system_and_user_text_apart(self, ask: Ask) -> None:
        asked = ask("good:Yes")
        asked.once()
        (entry,) = asked.provider.entries()
        assert entry.prompt == "You judge.\n\nIs it so?"

    def test_sends_the_key_as_the_api_wants_it(self, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
            monkeypatch.setenv(name, "of-the-environment")
        asked = ask("good:Yes")
        asked.once()
        assert [entry.authorization for entry in asked.provider.entries()] == [KEY]

    def test_sends_no_key_where_there_is_none(self, ask: Ask) -> None:
        asked = ask("good:Yes", key="")
        asked.once()
        assert [entry.authorization for entry in asked.provider.entries()] == [""]

    def test_goes_where_the_connection_leads_whatever_the_environment_says(
        self, ask: Ask, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:1")
        monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
        monkeypatch.setenv("GOOGLE_GENAI_CLIENT_MODE", "replay")
        monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-api-key: of-the-environment")
        assert ask("good:Yes").once().text == "Yes"

    def test_asks_for_the_form_of_the_reply(self, ask: Ask) -> None:
        assert ask("good").once(response_schema=SCHEMA).text == '{"verdict": "correct"}'

    def test_asks_for_no_form_where_the_model_knows_none(self, ask: Ask) -> None:
        asked = ask("good", parameters={"structured_output": "none"})
        assert asked.once(response_schema=SCHEMA).text == "Yes"

    def test_says_when_a_reply_was_cut_off(self, ask: Ask) -> None:
        assert ask("length:Yes").once().finish_reason == "length"

    @pytest.mark.parametrize("said", ["", ":Yes"])
    def test_says_when_a_reply_was_held_back(self, ask: Ask, said: str) -> None:
        completion = ask(f"refused{said}").once()
        assert (completion.text, completion.finish_reason) == (said[1:], "content_filter")

    def test_silence_is_an_empty_reply(self, ask: Ask) -> None:
        assert ask("empty").once().text == ""

    def test_a_reply_without_a_count_of_tokens_counts_none(self, ask: Ask) -> None:
        completion = ask("no-usage:Yes").once()
        assert (completion.input_tokens, completion.output_tokens) == (0, 0)

    def test_the_address_may_end_in_the_version(self, ask: Ask, api: str) -> None:
        asked = ask("good:Yes")
        asked.connection.base_url += {"anthropic": "/v1", "gemini": "/v1beta"}[api]
        asked.connection.encrypted_key = ""
        assert asked.once().text == "Yes"


class TestFailures:
    @pytest.mark.parametrize(
        "step", ["429", "500", "503", "529", "half", "broken", "garbage", "html", "error", "cut", "huge"]
    )
    def test_of_which_another_try_may_be_better(self, ask: Ask, step: str) -> None:
        asked = ask(step)
        failure = asked.failure()
        assert (failure.retryable, failure.pauses_run) == (True, False)
        # The try is ours: the library asked once.
        assert len(asked.provider.entries()) == 1

    @pytest.mark.parametrize(
        ("step", "is_billed"), [("429", False), ("529", False), ("500", True), ("cut", True)]
    )
    def test_say_whether_they_may_be_billed(self, ask: Ask, step: str, is_billed: bool) -> None:
        assert ask(step).failure().may_be_billed is is_billed

    @pytest.mark.parametrize("step", ["hang", "drip"])
    def test_of_one_who_takes_too_long(self, ask: Ask, step: str) -> None:
        failure = ask(step, timeout_seconds=1).failure()
        assert "in time" in failure.reason
        assert (failure.retryable, failure.may_be_billed) == (True, True)

    @pytest.mark.parametrize("step", ["401", "402", "403", "404", "redirect"])
    def test_that_wait_for_a_person(self, ask: Ask, step: str) -> None:
        failure = ask(step).failure()
        assert (failure.retryable, failure.pauses_run) == (False, True)

    def test_of_one_request(self, ask: Ask) -> None:
        failure = ask("400:prompt+is+too+long").failure()
        assert failure.reason.endswith("400: prompt is too long")
        assert (failure.retryable, failure.pauses_run) == (False, False)

    @pytest.mark.parametrize(("step", "seconds"), [("429:7", 7), ("429", 5), ("529", 5)])
    def test_tell_how_long_the_provider_wants_silence(self, ask: Ask, step: str, seconds: float) -> None:
        assert ask(step).failure().retry_after_seconds == seconds

    def test_of_a_server_that_is_not_there(self, ask: Ask) -> None:
        asked = ask("good")
        asked.connection.base_url = "http://127.0.0.1:1"
        asked.connection.encrypted_key = ""
        failure = asked.failure()
        assert "could not be reached" in failure.reason
        assert (failure.retryable, failure.may_be_billed) == (True, False)


class TestWayOut:
    def test_a_name_that_leads_inside_is_not_called(
        self, api: str, make_connection: MakeConnection, reached: list[str]
    ) -> None:
        connection = make_connection(api=api, base_url="https://models.example.org")
        with (
            open_client(connection, resolve=lambda host, port: ["10.0.0.7"]) as client,
            pytest.raises(JudgeFailed, match="does not allow") as failed,
        ):
            client.complete(make_request())
        assert failed.value.pauses_run
        assert reached == []

    def test_the_reply_of_another_address_is_not_fetched(self, ask: Ask) -> None:
        asked = ask("redirect")
        asked.failure()
        assert [entry.step for entry in asked.provider.entries()] == ["redirect"]

    def test_a_call_can_be_broken_off(self, ask: Ask) -> None:
        asked = ask("hang", timeout_seconds=60)
        with open_client(asked.connection) as client, pytest.raises(JudgeFailed) as failed:
            client.complete(make_request(), is_wanted=lambda: not asked.provider.entries())
        assert (failed.value.retryable, failed.value.may_be_billed) == (False, True)


class TestSecrecy:
    def test_a_key_that_the_provider_repeats_goes_no_further(
        self, ask: Ask, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        failure = ask(f"401:Wrong+key+{KEY}").failure()
        assert KEY not in failure.reason
        assert KEY not in caplog.text
        assert failure.__suppress_context__

    def test_a_key_in_a_reply_goes_no_further(self, ask: Ask) -> None:
        assert KEY not in repr(ask(f"echo:{KEY}").once())

    def test_no_text_and_no_key_is_logged(self, ask: Ask, caplog: pytest.LogCaptureFixture) -> None:
        logging.getLogger().setLevel(logging.DEBUG)
        with caplog.at_level(logging.DEBUG):
            ask("good:Yes").once()
        assert "Is it so?" not in caplog.text
        assert KEY not in caplog.text

    def test_signs_that_no_database_keeps_are_left_out(self, ask: Ask) -> None:
        completion = ask("unstorable").once()
        assert "\0" not in completion.model
        assert len(completion.model) <= 200


class TestMissingLibrary:
    def test_is_told_with_what_installs_it(
        self, api: str, make_connection: MakeConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        connection = make_connection(api=api, base_url="https://models.example.org")
        monkeypatch.setitem(APIS, api, APIS[api]._replace(library="not_there.at_all"))
        with pytest.raises(JudgeFailed, match=f"not installed .* make {api}") as failed:
            open_client(connection)
        assert failed.value.pauses_run


class TestAnthropic:
    @pytest.mark.parametrize("parameters", [{}, {"sends_temperature": False}, {"sends_temperature": True}])
    def test_sends_a_temperature_only_in_the_version_that_takes_one(
        self, parameters: dict[str, Any], start_provider: Start, make_connection: MakeConnection
    ) -> None:
        provider = start_provider("good:Yes")
        connection = make_connection(api="anthropic", base_url=provider.origin, parameters=parameters)
        assert ask_once(connection).text == "Yes"

    @pytest.mark.parametrize(
        "step",
        [
            "429:limit@enforced_spend_limit_reached",
            "400:Your+credit+balance+is+too+low",
            "400:on+hold@organization_on_hold",
        ],
    )
    def test_a_limit_of_the_account_waits_for_a_person(
        self, step: str, start_provider: Start, make_connection: MakeConnection
    ) -> None:
        status, _, words = step.partition(":")
        step = step if status != "429" else f"limited:{words}"
        connection = make_connection(api="anthropic", base_url=start_provider(step).origin)
        with pytest.raises(JudgeFailed) as failed:
            ask_once(connection)
        assert (failed.value.retryable, failed.value.pauses_run) == (False, True)


class TestGemini:
    @pytest.fixture
    def ask_gemini(self, start_provider: Start, make_connection: MakeConnection) -> Ask:
        def to(script: str, **fields: Any) -> Asked:
            provider = start_provider(script)
            return Asked(provider, make_connection(api="gemini", base_url=provider.origin, **fields))

        return to

    def test_asks_for_probabilities(self, ask_gemini: Ask) -> None:
        assert ask_gemini("good:Yes").once(wants_logprobs=True).logprobs == (("Yes", -0.1), ("other", -2.5))

    def test_sends_what_the_connection_adds(self, ask_gemini: Ask) -> None:
        parameters = {"top_p": 0.5, "top_k": 3, "thinking_budget": 0, "sends_temperature": False}
        assert ask_gemini("good:Yes", parameters=parameters).once().text == "Yes"
        effort = {"reasoning_effort": "low"}
        assert ask_gemini("good:Yes", name="Another", parameters=effort).once().text == "Yes"

    @pytest.mark.parametrize(
        "step",
        ["400:key@API_KEY_INVALID", "400:country@FAILED_PRECONDITION", "limited:quota@PerDay"],
    )
    def test_what_a_person_must_change_pauses_the_run(self, ask_gemini: Ask, step: str) -> None:
        failure = ask_gemini(step).failure()
        assert (failure.retryable, failure.pauses_run) == (False, True)

    @pytest.mark.parametrize(("step", "seconds"), [("RetryInfo", 34.5), ("PerMinute", 5)])
    def test_tells_how_long_the_provider_wants_silence(
        self, ask_gemini: Ask, step: str, seconds: float
    ) -> None:
        failure = ask_gemini(f"limited:quota@{step}").failure()
        assert (failure.retryable, failure.retry_after_seconds) == (True, seconds)

    @pytest.mark.parametrize("model", ["../../v1/models/x", "x?key=1", "x&y", "x y", ""])
    def test_a_name_that_leads_elsewhere_is_no_model(self, ask_gemini: Ask, model: str) -> None:
        asked = ask_gemini("good")
        asked.connection.model = model
        assert asked.failure().pauses_run
        assert asked.provider.entries() == []

    def test_a_reply_to_be_continued_is_not_continued(self, ask_gemini: Ask) -> None:
        asked = ask_gemini("continued:Yes")
        assert asked.once().finish_reason == "length"
        assert len(asked.provider.entries()) == 1
