"""Whoever works in chunks dies in the middle of them, as if the process had been killed."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from common.database import rows


@contextmanager
def killed_at(call: int, *modules: Any, chunk: int = 3) -> Iterator[None]:
    """Let work that these modules do in small chunks die before so many of them are written."""
    seen = 0
    original = rows.in_chunks

    def dying(found: Sequence[Any]) -> Iterator[Sequence[Any]]:
        nonlocal seen
        for each in original(found):
            seen += 1
            if seen == call:
                raise KeyboardInterrupt
            yield each

    with ExitStack() as patches:
        patches.enter_context(patch.object(rows, "LARGEST", chunk))
        for module in modules:
            patches.enter_context(patch.object(module, "in_chunks", dying))
        try:
            yield
        except KeyboardInterrupt:
            return
    pytest.fail("it was done before anybody could die")
