"""Try a connection with one tiny call."""

from typing import TYPE_CHECKING, NamedTuple

from judges.connections.models import Connection
from judges.connections.services.opening import open_client
from judges.methods.llm.client import CompletionRequest, Message
from judges.protocol import JudgeFailed

if TYPE_CHECKING:
    from judges.connections.services.transport import Resolve

LONGEST_TRIAL_SECONDS = 20
_REQUEST = CompletionRequest(
    messages=(Message("user", "Reply with the word Yes."),), endpoint="", max_tokens=16, temperature=0.0
)


class Trial(NamedTuple):
    """How one call went; `error` says in words why it did not."""

    works: bool
    error: str = ""
    model: str = ""
    reply: str = ""
    seconds: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0


def try_connection(*, connection: Connection, resolve: "Resolve | None" = None) -> Trial:
    """Make one call of a few tokens, outside any run and its accounts; never raises for a failed call."""
    connection.timeout_seconds = min(connection.timeout_seconds, LONGEST_TRIAL_SECONDS)
    try:
        with open_client(connection, resolve=resolve) as client:
            completion = client.complete(_REQUEST._replace(endpoint=connection.endpoint))
    except JudgeFailed as failure:
        return Trial(works=False, error=failure.reason)
    return Trial(
        works=True,
        model=completion.model or connection.model,
        reply=completion.text[:100],
        seconds=completion.seconds,
        input_tokens=completion.input_tokens,
        output_tokens=completion.output_tokens,
    )
