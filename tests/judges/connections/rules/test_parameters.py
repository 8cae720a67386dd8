"""What a connection may add to a request."""

from typing import Any

import pytest

from judges.connections.rules.apis import parse_parameters
from judges.connections.rules.calls import UnusableParameter
from judges.connections.rules.openai import sent_fields


class TestParseParameters:
    def test_sorts_what_it_takes(self) -> None:
        given = {"top_p": 0.9, "reasoning_effort": "low", "enable_thinking": False}
        assert list(parse_parameters(given)) == ["enable_thinking", "reasoning_effort", "top_p"]

    @pytest.mark.parametrize(
        "given",
        [
            {"tools": []},
            {"model": "another"},
            {"base_url": "https://evil.example"},
            {"extra_headers": {"Authorization": "x"}},
            {"n": 100},
            {"top_p": 1.1},
            {"top_p": "0.5"},
            {"top_p": True},
            {"sends_temperature": "yes"},
            {"sends_temperature": 1},
            {"reasoning_effort": "endless"},
            {"top_p": {"$ne": 1}},
        ],
    )
    def test_refuses_what_is_not_on_the_list(self, given: dict[str, Any]) -> None:
        with pytest.raises(UnusableParameter):
            parse_parameters(given)


class TestSentFields:
    def test_puts_what_only_some_servers_know_into_the_body(self) -> None:
        fields = sent_fields({"top_p": 0.5, "top_k": 3, "enable_thinking": False, "max_tokens_field": "x"})
        body = {"top_k": 3, "chat_template_kwargs": {"enable_thinking": False}}
        assert fields == {"top_p": 0.5, "extra_body": body}
