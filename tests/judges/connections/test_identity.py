"""What signatures and paid calls of a connection were before there were several APIs, they stay."""

import pytest

from judges.connections.models import Connection
from judges.connections.rules.apis import OPENAI
from judges.connections.selectors import describe_connection
from judges.methods.llm.client import CompletionRequest, Message
from judges.runs.services.worker import cache_key

REQUEST = CompletionRequest(
    (Message("system", "You judge."), Message("user", "Is it so?")),
    "chat",
    max_tokens=20,
    temperature=0.0,
    response_schema={"type": "object"},
    repeat=1,
)
# Computed by the version before connections had an API.
KEY_BEFORE = "ea8f1e9721f1b05bab9a2f05c917993e648644239097a83f3a8f98a3c298a951"


def connection(api: str) -> Connection:
    return Connection(
        api=api, base_url="https://models.example.org/v1", model="small-1", parameters={"top_p": 0.5}
    )


class TestIdentity:
    def test_signatures_over_openais_api_do_not_name_it(self) -> None:
        assert describe_connection(connection(OPENAI)) == {
            "model": "small-1",
            "host": "models.example.org",
            "endpoint": "chat",
            "parameters": '{"top_p":0.5}',
        }

    def test_calls_over_openais_api_are_found_by_the_key_they_had(self) -> None:
        assert cache_key(connection(OPENAI), REQUEST) == KEY_BEFORE

    @pytest.mark.parametrize("api", ["anthropic", "gemini"])
    def test_another_api_makes_other_signatures_and_other_calls(self, api: str) -> None:
        assert describe_connection(connection(api))["api"].startswith(api)
        assert cache_key(connection(api), REQUEST) != KEY_BEFORE
