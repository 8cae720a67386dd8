"""A client that says what it was told to, and keeps what it was asked."""

import pytest

from judges.methods.llm.client import Completion, CompletionRequest


class ScriptedClient:
    """Answers with the given replies in turn, then with the last one again."""

    def __init__(self, *replies: Completion | str) -> None:
        self.replies = [Completion(each, "stop") if isinstance(each, str) else each for each in replies]
        self.requests: list[CompletionRequest] = []

    def complete(self, request: CompletionRequest) -> Completion:
        place = min(len(self.requests), len(self.replies) - 1)
        self.requests.append(request)
        return self.replies[place]


@pytest.fixture
def scripted() -> type[ScriptedClient]:
    return ScriptedClient
