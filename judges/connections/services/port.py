"""What every adapter to an API does, and how it says that a call failed."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

import httpx2

from common.outgoing.guard import CallRefused, ReplyTooLarge
from judges.methods.llm.client import Completion, CompletionRequest
from judges.protocol import JudgeFailed


class Line(NamedTuple):
    """What an adapter is made with.

    network: the guarded way out; it writes the key, so no adapter knows it. base_url: where calls go.
    """

    network: httpx2.Client
    base_url: str
    model: str
    parameters: Mapping[str, Any]
    timeout_seconds: float


class Adapter(Protocol):
    """One API, spoken over a line. Threads may share it."""

    def __init__(self, line: Line) -> None: ...

    def ask(self, request: CompletionRequest) -> Completion:
        """Make exactly one call; raises `Answered` for a status that is no success, else `JudgeFailed`."""
        ...

    def close(self) -> None:
        """Let go of the network."""
        ...


class Answered(Exception):
    """The provider answered with a status that is no success.

    code: the provider's word for what is wrong. retry_after: seconds or a date, as a header would say it.
    """

    def __init__(self, status: int, *, message: str = "", code: str = "", retry_after: str = "") -> None:
        super().__init__(status)
        self.status = status
        self.message = message
        self.code = code
        self.retry_after = retry_after


def failure_of_call(error: Exception) -> JudgeFailed:
    """Return what it means that a call ended without an answer."""
    causes = list(_causes(error))
    if refused := next((cause for cause in causes if isinstance(cause, CallRefused)), None):
        return JudgeFailed(str(refused), retryable=False, pauses_run=True)
    if any(isinstance(cause, ReplyTooLarge) for cause in causes):
        return JudgeFailed("The provider’s reply was too large.", retryable=True, may_be_billed=True)
    # Whoever was never reached has done no work.
    was_reached = not any(isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout) for cause in causes)
    words = "The provider could not be reached, or the connection was lost."
    if any(isinstance(cause, httpx2.TimeoutException) for cause in causes):
        words = "The provider did not respond in time."
    return JudgeFailed(words, retryable=True, may_be_billed=was_reached)


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__
