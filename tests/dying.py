"""Whoever works in shares dies in the middle of them, as if the process had been killed."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from common.database import shares


@contextmanager
def killed_at(call: int, *modules: Any, share: int = 3) -> Iterator[None]:
    """Let work that these modules do in small shares die before so many of them are written."""
    seen = 0
    original = shares.in_shares

    def dying(rows: Sequence[Any], *, of: int) -> Iterator[Sequence[Any]]:
        nonlocal seen
        for each in original(rows, of=of):
            seen += 1
            if seen == call:
                raise KeyboardInterrupt
            yield each

    with ExitStack() as patches:
        patches.enter_context(patch.object(shares, "LARGEST", share))
        for module in modules:
            patches.enter_context(patch.object(module, "in_shares", dying))
        try:
            yield
        except KeyboardInterrupt:
            return
    pytest.fail("it was done before anybody could die")
