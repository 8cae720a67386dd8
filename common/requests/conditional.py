"""Replies that need not be sent again: their ETag, and whether a client says that it has them.

Never for annotators: when it changes would tell of other people's work.
"""

from collections.abc import Callable, Hashable
from hashlib import blake2b
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpResponseNotModified
from django.utils.http import parse_etags
from rest_framework.request import Request

# What the schema says of a method, once it is marked: that it has an ETag, and knows who has it already.
CONDITIONAL = "is_conditional"

Method = TypeVar("Method", bound=Callable[..., Any])


def conditional(method: Method) -> Method:
    """Mark a view's method whose reply has an ETag; `operation` stands above it."""
    vars(method)[CONDITIONAL] = True
    return method


def etag_of(state: Hashable) -> str:
    """Return the weak ETag of what this code replies to a question in a state; both are told by `repr`."""
    name = repr((settings.ASSAY_CODE, state)).encode()
    return f'W/"{blake2b(name, digest_size=16).hexdigest()}"'


def find_known(request: Request, etag: str) -> HttpResponseNotModified | None:
    """Return the reply to a client that has this one already, by its `If-None-Match`; None for all others.

    "*" names no reply: whoever sends it gets what is there, or why there is nothing.
    """
    known = {_opaque(each) for each in parse_etags(request.headers.get("If-None-Match", ""))}
    if _opaque(etag) not in known:
        return None
    return HttpResponseNotModified(headers={"ETag": etag})


def _opaque(etag: str) -> str:
    # Read again or not: RFC 9110 compares weakly here, and proxies that compress make tags weak.
    return etag.removeprefix("W/")
