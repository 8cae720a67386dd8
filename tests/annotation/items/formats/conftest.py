"""Files made for a test, and what a reader makes of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from annotation.items.formats.records import Limits, Problem, Source
from annotation.items.formats.registry import FORMATS


class Reading(NamedTuple):
    records: list[Any]
    errors: list[Problem]
    warnings: list[Problem]

    @property
    def codes(self) -> list[str]:
        return [error.code for error in self.errors]


Read = Callable[..., Reading]


def read_source(source: Source, format_key: str = "generic", **options: Any) -> Reading:
    found = list(FORMATS[format_key].read(source, options))
    problems = [each for each in found if isinstance(each, Problem)]
    return Reading(
        records=[each for each in found if not isinstance(each, Problem)],
        errors=[problem for problem in problems if problem.is_error],
        warnings=[problem for problem in problems if not problem.is_error],
    )


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Write content to a file of this name and read it."""

    def write_and_read(
        name: str,
        content: str | bytes,
        format_key: str = "generic",
        limits: Limits | None = None,
        **options: Any,
    ) -> Reading:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_source(Source(name, path, limits or Limits()), format_key, **options)

    return write_and_read
