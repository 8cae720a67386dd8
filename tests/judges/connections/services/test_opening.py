"""OpenAI's real client against a provider that misbehaves: each failure in the judge's words."""

import logging
from collections.abc import Callable

import pytest

from judges.connections.services.client import open_client
from judges.methods.llm.client import COMPLETION, Completion
from judges.protocol import JudgeFailed
from tests.hostile import Provider
from tests.judges.connections.conftest import KEY, MakeConnection, ask_once

Ask = Callable[..., Completion]


@pytest.fixture
def ask(start_provider: Callable[[str], Provider], make_connection: MakeConnection) -> Ask:
    """Ask a provider that follows a script once."""

    def ask_script(script: str, **fields: object) -> Completion:
        return ask_once(make_connection(base_url=start_provider(script).base_url, **fields))

    return ask_script


class TestComplete:
    def test_brings_text_tokens_and_who_said_it(self, ask: Ask) -> None:
        completion = ask("good:Yes")
        assert (completion.text, completion.finish_reason) == ("Yes", "stop")
        assert (completion.model, completion.fingerprint) == ("hostile-1", "fp_hostile")
        assert completion.input_tokens > 0

    def test_asks_the_completion_endpoint(self, ask: Ask) -> None:
        assert ask("good:No", endpoint=COMPLETION).text == "No"

    def test_says_when_a_reply_was_cut_off(self, ask: Ask) -> None:
        assert ask("length:Yes").finish_reason == "length"

    def test_silence_is_an_empty_reply(self, ask: Ask) -> None:
        assert ask("empty").text == ""

    def test_a_reply_without_a_count_of_tokens_counts_none(self, ask: Ask) -> None:
        assert ask("no-usage:Yes").output_tokens == 0

    def test_asks_for_probabilities(
        self, start_provider: Callable[[str], Provider], make_connection: MakeConnection
    ) -> None:
        connection = make_connection(base_url=start_provider("good:Yes").base_url)
        completion = ask_once(connection, wants_logprobs=True)
        assert completion.logprobs[0][0].strip() == "Yes"


class TestFailures:
    @pytest.mark.parametrize(
        "step", ["429", "500", "503", "half", "broken", "garbage", "html", "error", "cut", "huge"]
    )
    def test_of_which_another_try_may_be_better(self, ask: Ask, step: str) -> None:
        with pytest.raises(JudgeFailed) as failed:
            ask(step)
        assert (failed.value.retryable, failed.value.pauses_run) == (True, False)

    @pytest.mark.parametrize("step", ["hang", "drip"])
    def test_of_one_who_takes_too_long(self, ask: Ask, step: str) -> None:
        with pytest.raises(JudgeFailed, match="in time") as failed:
            ask(step, timeout_seconds=1)
        assert failed.value.retryable

    @pytest.mark.parametrize("step", ["401", "402", "403", "404", "redirect"])
    def test_that_wait_for_a_person(self, ask: Ask, step: str) -> None:
        with pytest.raises(JudgeFailed) as failed:
            ask(step)
        assert (failed.value.retryable, failed.value.pauses_run) == (False, True)

    def test_of_one_request(self, ask: Ask) -> None:
        with pytest.raises(JudgeFailed, match="400: too long") as failed:
            ask("400:too+long")
        assert (failed.value.retryable, failed.value.pauses_run) == (False, False)

    def test_tell_how_long_the_provider_wants_silence(self, ask: Ask) -> None:
        with pytest.raises(JudgeFailed) as failed:
            ask("429:7")
        assert failed.value.retry_after_seconds == 7

    def test_tell_it_from_a_date_as_well(self, ask: Ask) -> None:
        with pytest.raises(JudgeFailed) as failed:
            ask("429:date900")
        assert 0 < (failed.value.retry_after_seconds or 0) <= 900

    def test_are_not_tried_again_by_the_library(
        self, start_provider: Callable[[str], Provider], make_connection: MakeConnection
    ) -> None:
        provider = start_provider("500")
        with pytest.raises(JudgeFailed):
            ask_once(make_connection(base_url=provider.base_url))
        assert len(provider.entries()) == 1

    def test_of_a_server_that_is_not_there(self, make_connection: MakeConnection) -> None:
        with pytest.raises(JudgeFailed, match="could not be reached") as failed:
            ask_once(make_connection(base_url="http://127.0.0.1:1/v1"))
        assert failed.value.retryable


class TestSecrecy:
    def test_a_key_that_the_provider_repeats_goes_no_further(
        self, ask: Ask, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        with pytest.raises(JudgeFailed) as failed:
            ask(f"401:Wrong+key+{KEY}")
        assert KEY not in failed.value.reason
        assert KEY not in caplog.text

    def test_no_text_and_no_key_is_logged(self, ask: Ask, caplog: pytest.LogCaptureFixture) -> None:
        logging.getLogger().setLevel(logging.DEBUG)
        with caplog.at_level(logging.DEBUG):
            ask("good:Yes")
        assert "Is it so?" not in caplog.text
        assert KEY not in caplog.text

    def test_a_failure_carries_no_key_along(self, ask: Ask) -> None:
        with pytest.raises(JudgeFailed) as failed:
            ask("401")
        assert failed.value.__suppress_context__
        assert KEY not in repr(failed.value)


class TestOpenClient:
    def test_opens_nothing_for_a_broken_address(self, make_connection: MakeConnection) -> None:
        connection = make_connection()
        connection.base_url = "https://user@models.example.org"
        with pytest.raises(JudgeFailed) as failed:
            open_client(connection)
        assert failed.value.pauses_run
