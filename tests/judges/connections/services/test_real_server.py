"""OpenAI's real client against a real server: llama.cpp's, with a tiny random model."""

import json

import pytest

from judges.connections.models import Connection
from judges.connections.services.client import open_client, try_connection
from judges.methods.llm.client import COMPLETION
from judges.methods.llm.judge import LlmJudge, LlmOptions
from judges.methods.llm.parsing import LABEL_SCHEMA, LABELS
from judges.methods.llm.prompts import BUILT_IN
from judges.protocol import JudgeFailed, JudgeInput
from tests.judges.connections.conftest import MakeConnection, ask_once


@pytest.fixture
def connection(tiny_server: str, make_connection: MakeConnection) -> Connection:
    return make_connection(base_url=tiny_server, model="tiny", timeout_seconds=30)


class TestChat:
    def test_replies_with_its_count_of_tokens(self, connection: Connection) -> None:
        completion = ask_once(connection, max_tokens=5)
        assert completion.finish_reason == "length"
        assert completion.output_tokens == 5
        assert completion.input_tokens > 5
        assert completion.fingerprint

    def test_says_the_same_again_at_temperature_0(self, connection: Connection) -> None:
        assert ask_once(connection).text == ask_once(connection).text

    def test_keeps_to_a_schema(self, connection: Connection) -> None:
        completion = ask_once(connection, response_schema=LABEL_SCHEMA, max_tokens=200)
        assert json.loads(completion.text)["verdict"] in LABELS

    def test_offers_probabilities(self, connection: Connection) -> None:
        logprobs = ask_once(connection, wants_logprobs=True).logprobs
        assert len(logprobs) >= 1
        assert all(logprob <= 0 for _, logprob in logprobs)

    def test_takes_every_parameter_of_the_list_that_it_knows(
        self, tiny_server: str, make_connection: MakeConnection
    ) -> None:
        parameters = {"top_p": 0.5, "top_k": 3, "min_p": 0.1, "enable_thinking": False}
        assert ask_once(make_connection(base_url=tiny_server, parameters=parameters)).output_tokens

    def test_a_prompt_beyond_its_context_fails_that_request_only(self, connection: Connection) -> None:
        from judges.methods.llm.client import Message

        with pytest.raises(JudgeFailed, match="400") as failed:
            ask_once(connection, messages=(Message("user", "long " * 3000),))
        assert (failed.value.retryable, failed.value.pauses_run) == (False, False)


class TestCompletion:
    def test_replies_with_probabilities(self, tiny_server: str, make_connection: MakeConnection) -> None:
        connection = make_connection(base_url=tiny_server, endpoint=COMPLETION)
        completion = ask_once(connection, wants_logprobs=True, max_tokens=4)
        assert completion.output_tokens == 4
        assert completion.logprobs


class TestLlmJudge:
    ITEM = JudgeInput("who wrote hamlet", "Marlowe", ("Shakespeare", "William Shakespeare"))

    def test_gets_a_verdict_where_a_schema_is_enforced(self, connection: Connection) -> None:
        with open_client(connection) as client:
            judge = LlmJudge(LlmOptions(), client=client, template=BUILT_IN["structured"])
            (verdict,) = judge.judge([self.ITEM])
        assert (verdict.accepted, verdict.unscored_reason) in {(True, ""), (False, ""), (None, "abstained")}
        assert verdict.raw_reply

    def test_gets_none_from_babble(self, connection: Connection) -> None:
        options = LlmOptions(prompt="kamalloo", max_tokens=8)
        with open_client(connection) as client:
            judge = LlmJudge(options, client=client, template=BUILT_IN["kamalloo"])
            (verdict,) = judge.judge([self.ITEM])
        assert (verdict.accepted, verdict.unscored_reason) == (None, "truncated")


class TestTryConnection:
    def test_says_that_it_works(self, connection: Connection) -> None:
        trial = try_connection(connection=connection)
        assert trial.works
        assert trial.model
        assert trial.output_tokens > 0
