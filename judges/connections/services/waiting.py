"""Wait for a call for as long as somebody wants its reply, and no longer."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait

from judges.methods.llm.client import Completion
from judges.protocol import JudgeFailed

LOOK_SECONDS = 1.0
# A call that was cut off comes back at once, unless it has not even found the server yet.
PARTING_SECONDS = 1.0
UNWANTED = "The run was ended while the call was in flight."


def wait_for(
    call: Callable[[], Completion], *, is_wanted: Callable[[], bool], cut: Callable[[], None]
) -> Completion:
    """Return what the call returns, or raise what it raises; it is made in a thread of its own.

    is_wanted is asked every `LOOK_SECONDS`. Once it says no, `cut` must break off whatever the call
    waits for; a call that does not end even so is left to itself, and `JudgeFailed` says that it may be
    billed.
    """
    reply: Future[Completion] = Future()
    threading.Thread(target=_make, args=(call, reply), name="call", daemon=True).start()
    while not _is_there(reply, LOOK_SECONDS):
        if not is_wanted():
            cut()
            return _parting(reply)
    return reply.result()


def _make(call: Callable[[], Completion], reply: "Future[Completion]") -> None:
    try:
        reply.set_result(call())
    except BaseException as error:
        reply.set_exception(error)


def _parting(reply: "Future[Completion]") -> Completion:
    # What came in at the last moment is paid like any reply, and kept.
    if _is_there(reply, PARTING_SECONDS) and reply.exception() is None:
        return reply.result()
    failure = reply.exception() if reply.done() else None
    may_be_billed = failure.may_be_billed if isinstance(failure, JudgeFailed) else True
    raise JudgeFailed(UNWANTED, retryable=False, may_be_billed=may_be_billed)


def _is_there(reply: "Future[Completion]", seconds: float) -> bool:
    return bool(wait([reply], timeout=seconds).done)
