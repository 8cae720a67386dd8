"""ARCHITECTURE.md names only what is there."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "ARCHITECTURE.md").read_text()
# Where a path in the page may begin.
TOPS = ("", "annotation/", "judges/", "frontend/src/")


def paths(text: str) -> Iterator[str]:
    """Yield what looks like a file or folder of ours."""
    for named in re.findall(r"`([\w./-]+/[\w./*-]*|[\w-]+\.(?:py|tsx?))`", text):
        yield named.rstrip("/*").strip("/")


def is_there(path: str) -> bool:
    found = chain.from_iterable((ROOT / top).glob(path) for top in TOPS if (ROOT / top).is_dir())
    return any(found) or any(ROOT.glob(f"*/**/{path}"))


def modules() -> Iterator[tuple[str, str]]:
    """Yield each step with a module of its services that the page names."""
    for row in re.findall(r"^\| `((?:annotation|judges)/\w+)` \| (`.*) \|$", PAGE, flags=re.MULTILINE):
        step, cell = row
        if (ROOT / step / "services").is_dir() and cell.startswith("`"):
            yield from ((step, name) for name in re.findall(r"`(\w+)`", cell))


class TestArchitecture:
    @pytest.mark.parametrize("path", sorted(set(paths(PAGE))))
    def test_names_only_files_and_folders_that_are_there(self, path: str) -> None:
        assert is_there(path)

    @pytest.mark.parametrize(("step", "name"), sorted(set(modules())))
    def test_names_only_modules_of_services_that_are_there(self, step: str, name: str) -> None:
        assert (ROOT / step / "services" / f"{name}.py").is_file()

    def test_names_every_module_of_the_services_it_lists(self) -> None:
        named = set(modules())
        steps = {step for step, _ in named}
        there = {
            (step, found.stem)
            for step in steps
            for found in (ROOT / step / "services").glob("*.py")
            if found.stem != "__init__"
        }
        assert there - named == set()
