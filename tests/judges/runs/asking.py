"""A model that says what the test wants, and a connection to it."""

from collections.abc import Callable
from typing import Any

from annotation.projects.models import Project
from common.clock import now
from judges.connections.models import Connection
from judges.methods.llm.client import Completion, CompletionRequest

# 1 USD per million tokens.
PRICE = 1_000_000


class Scripted:
    """A model that says what the test wants, or fails as it wants."""

    revision = ""

    def __init__(self) -> None:
        self.asked: list[CompletionRequest] = []
        self.answer: Callable[[CompletionRequest], Completion] = lambda request: reply("correct")

    def complete(self, request: CompletionRequest, *, is_wanted: Callable[[], bool]) -> Completion:
        self.asked.append(request)
        return self.answer(request)

    def close(self) -> None:
        """Nothing to let go of."""


def reply(verdict: str, **fields: Any) -> Completion:
    text = f'{{"verdict": "{verdict}"}}'
    return Completion(
        **{"text": text, "finish_reason": "stop", "input_tokens": 100, "output_tokens": 10} | fields
    )


def make_connection(project: Project, **fields: Any) -> Connection:
    """Make a connection whose calls are counted: 1 USD per million tokens, one call at a time."""
    given = {"name": "local", "model": "tiny", "parallel_calls": 1, **fields}
    return Connection.objects.create(
        project=project,
        base_url="http://127.0.0.1:9/v1",
        input_price=PRICE,
        output_price=PRICE,
        created_by=project.created_by,
        created_at=now(),
        **given,
    )
