"""Whatever test asks the API: no reply has a status that the schema does not promise of the operation."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

from common.web.replies import View
from tests.requests_from_schema import SCHEMA
from tests.routes import METHODS, PARAMETER

BUG = 500


@cache
def statuses_of(method: str, route: str) -> frozenset[int]:
    """Return what the schema promises; route: as Django has it, `api/projects/<slug:slug>`.

    Nothing where the address has no such method: who may not use the address is told that first.
    """
    said = SCHEMA["paths"]["/" + PARAMETER.sub(r"{\1}", route)].get(method.lower(), {})
    return frozenset(map(int, said.get("responses", ())))


@contextmanager
def statuses_checked() -> Iterator[None]:
    """Fail where a view of ours replies with another status; in this process alone."""
    as_it_is = View.finalize_response

    def finalize(view: Any, request: Any, response: Any, /, *args: Any, **kwargs: Any) -> Any:
        found, status = request.resolver_match, response.status_code
        if found and request.method in METHODS and status != BUG:
            promised = statuses_of(request.method, found.route)
            assert not promised or status in promised, (
                f"{request.method} /{found.route}: {status} is not in the schema"
            )
        return as_it_is(view, request, response, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(View, "finalize_response", finalize)
        yield
