"""Try a connection with one tiny call."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F, Q

from judges.connections.models import Connection
from judges.connections.rules.money import cost_of
from judges.connections.services.opening import open_client
from judges.methods.llm.client import Completion, CompletionRequest, Message
from judges.protocol import JudgeFailed

if TYPE_CHECKING:
    from judges.connections.services.transport import Resolve

LONGEST_TRIAL_SECONDS = 20
# More than any tokenizer makes of the question below.
MOST_INPUT_TOKENS = 128
CAP_REACHED = "The connection’s spend cap leaves nothing for a call. Raise it first."
_REQUEST = CompletionRequest(
    messages=(Message("user", "Reply with the word Yes."),), endpoint="", max_tokens=16, temperature=0.0
)


@dataclass(frozen=True)
class Trial:
    """How one call went; `error` says in words why it did not."""

    works: bool
    error: str = ""
    model: str = ""
    reply: str = ""
    seconds: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0


def try_connection(*, connection: Connection, resolve: "Resolve | None" = None) -> Trial:
    """Make one call of a few tokens, outside any run; never raises for a failed call.

    It counts against the connection's cap: charged at its bound beforehand, so that it is paid whatever
    happens, and given back what it did not cost.
    """
    connection.timeout_seconds = min(connection.timeout_seconds, LONGEST_TRIAL_SECONDS)
    bound = _cost(connection, MOST_INPUT_TOKENS, _REQUEST.max_tokens)
    row = Connection.objects.filter(pk=connection.pk)
    has_room = Q(spend_cap=None) | Q(spend_cap__gte=F("spent") + F("reserved") + bound)
    if not row.filter(has_room).update(spent=F("spent") + bound):
        return Trial(works=False, error=CAP_REACHED)
    try:
        with open_client(connection, resolve=resolve) as client:
            completion = client.complete(_REQUEST._replace(endpoint=connection.endpoint))
    except JudgeFailed as failure:
        row.update(spent=F("spent") - (0 if failure.may_be_billed else bound))
        return Trial(works=False, error=failure.reason)
    row.update(spent=F("spent") - max(0, bound - _charge(connection, completion, bound)))
    return Trial(
        works=True,
        model=completion.model or connection.model,
        reply=completion.text[:100],
        seconds=completion.seconds,
        input_tokens=completion.input_tokens,
        output_tokens=completion.output_tokens,
    )


def _cost(connection: Connection, input_tokens: int, output_tokens: int) -> int:
    return cost_of(
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        input_price=connection.input_price,
        output_price=connection.output_price,
    )


def _charge(connection: Connection, completion: Completion, bound: int) -> int:
    # A server that counts no tokens may have counted them for the bill.
    if not completion.input_tokens:
        return bound
    return _cost(connection, completion.input_tokens, completion.output_tokens or _REQUEST.max_tokens)
