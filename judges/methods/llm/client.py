"""What the LLM judge asks of whoever talks to a model, and what it gets back."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

CHAT = "chat"
COMPLETION = "completion"


class Message(NamedTuple):
    """One message to the model; `role` is system, user or assistant."""

    role: str
    content: str


class CompletionRequest(NamedTuple):
    """One call. Equal requests may be answered from a cache, so `repeat` tells repetitions apart.

    endpoint: "chat", or "completion", which gets the contents joined by blank lines.
    response_schema: a JSON schema that the reply must follow, where the server can enforce one.
    """

    messages: tuple[Message, ...]
    endpoint: str
    max_tokens: int
    temperature: float
    response_schema: Mapping[str, Any] | None = None
    wants_logprobs: bool = False
    repeat: int = 0


class Completion(NamedTuple):
    """What the model said, and what it cost.

    finish_reason: "stop" where the model ended by itself, "length" where it was cut off.
    logprobs: natural logarithms, of the tokens that could have stood where the verdict stands, best first.
    cached_tokens: those of the input that the provider read from its own cache.
    """

    text: str
    finish_reason: str
    model: str = ""
    fingerprint: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    logprobs: tuple[tuple[str, float], ...] = ()
    cached_tokens: int = 0


class CompletionClient(Protocol):
    """Whoever talks to a model."""

    def complete(self, request: CompletionRequest) -> Completion:
        """Ask once; raises `JudgeFailed`."""
        ...


def joined_messages(messages: tuple[Message, ...]) -> str:
    """Return the one text that a completion endpoint gets."""
    return "\n\n".join(message.content for message in messages if message.content)
