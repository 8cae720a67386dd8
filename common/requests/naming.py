"""What a request is called: in its reply, in every line of the log, and in the work that it starts.

Why it is so: docs/decisions/0054.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from celery.signals import task_postrun, task_prerun
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from common.requests.peers import is_trusted

HEADER = "X-Request-ID"
# What a message of the queue calls it, and a line of the log.
FIELD = "request_id"
ALLOWED = re.compile(r"[A-Za-z0-9._-]{1,64}")
# Where it lies in the head of a request, once it was named.
_PLACE = "assay.request_id"
_current: ContextVar[str] = ContextVar(FIELD, default="")


def new_request_id() -> str:
    """Return 16 characters; not by `secrets`, whose draws tests foresee and no request must shift."""
    return os.urandom(8).hex()


def current_request_id() -> str:
    """Return the id of the request that is answered here, or that started this work; nothing for none."""
    return _current.get()


def name_request(environ: dict[str, Any]) -> str:
    """Return the id of a request, the same whenever it is asked for: a trusted proxy's, or a new one."""
    if _PLACE not in environ:
        sent = environ.get("HTTP_X_REQUEST_ID", "")
        is_taken = ALLOWED.fullmatch(sent) and is_trusted(
            environ.get("REMOTE_ADDR", ""), settings.ASSAY_TRUSTED_PROXIES
        )
        environ[_PLACE] = sent if is_taken else new_request_id()
    name: str = environ[_PLACE]
    return name


@contextmanager
def named(request_id: str) -> Iterator[None]:
    """Call by this id what is logged and started until the block ends."""
    token = _current.set(request_id)
    try:
        yield
    finally:
        _current.reset(token)


class NamesRequests:
    """Middleware around all others: names the request, and tells its reply."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Take what comes after."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer."""
        request_id = name_request(request.META)
        with named(request_id):
            reply = self.get_response(request)
        reply.headers[HEADER] = request_id
        return reply


@task_prerun.connect
def _begin_task(task: Any, **_: object) -> None:
    sent = (task.request.headers or {}).get(FIELD)
    _current.set(sent if isinstance(sent, str) and ALLOWED.fullmatch(sent) else "")


@task_postrun.connect
def _end_task(**_: object) -> None:
    _current.set("")
