"""ARCHITECTURE.md names only what is there."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "ARCHITECTURE.md").read_text()
# Where a path in the page may begin.
TOPS = ("", "annotation/", "judges/", "frontend/src/")
CODE = ("analysis", "annotation", "assay", "benchmarks", "commands", "common", "config", "judges", "tools")
MOST_MODULES = 7
# The page says what these hold, of every feature at once; `schema` and the like are written by a tool.
BY_RULE = re.compile(
    r"[\w-]+-(page|section|chart|table|columns|form|controls|dialogs?|words|commands)\.tsx?"
    r"|(words|commands|columns)\.ts|(main|setup|pseudo-locale|saved-lines|figures|schema|terms|annotators-terms|help-places|\w+-env)(\.d)?\.tsx?"
)
# Django wants a file for each command and each migration; tests, one for each subject of what they mirror.
EXEMPT = re.compile(r"commands/management/commands|\w+/migrations")


def paths(text: str) -> Iterator[str]:
    """Yield what looks like a file or folder of ours."""
    for named in re.findall(r"`([\w./-]+/[\w./*-]*|[\w-]+\.(?:py|tsx?))`", text):
        yield named.rstrip("/*").strip("/")


def is_there(path: str) -> bool:
    found = chain.from_iterable((ROOT / top).glob(path) for top in TOPS if (ROOT / top).is_dir())
    return any(found) or any(ROOT.glob(f"*/**/{path}"))


def modules() -> Iterator[tuple[str, str]]:
    """Yield each package whose modules the page lists, with one of them."""
    rows = re.findall(r"^\| `((?:annotation|judges)/\w+/\w+)` \| (`.*) \|$", PAGE, flags=re.MULTILINE)
    for package, cell in rows:
        # What stands in brackets explains the module before it.
        yield from ((package, name) for name in re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", cell)))


class TestArchitecture:
    @pytest.mark.parametrize("path", sorted(set(paths(PAGE))))
    def test_names_only_files_and_folders_that_are_there(self, path: str) -> None:
        assert is_there(path)

    @pytest.mark.parametrize(("package", "name"), sorted(set(modules())))
    def test_names_only_modules_that_are_there(self, package: str, name: str) -> None:
        assert (ROOT / package / f"{name}.py").is_file()

    def test_names_every_module_of_the_packages_of_every_step(self) -> None:
        packages = {
            found.parent
            for top in ("annotation", "judges")
            for found in (ROOT / top).glob("*/*/__init__.py")
            if found.parent.name in {"rules", "selectors", "services", "models", "api"}
            # Its rooms are listed once, for all three.
            and found.parent.parent.name != "comparison"
        }
        there = {
            (str(package.relative_to(ROOT)), found.stem)
            for package in packages
            for found in package.glob("*.py")
            if found.stem != "__init__"
        }
        assert there == set(modules())

    def test_names_every_file_of_the_pages_that_its_own_rule_does_not(self) -> None:
        files = {path for path in (ROOT / "frontend/src").rglob("*.ts*") if ".test." not in path.name}
        named = set(re.findall(r"`(?:[\w./-]+/)?([\w-]+)(?:\.tsx?)?`", PAGE))
        unnamed = {path.name for path in files if path.name.split(".")[0] not in named}
        assert {name for name in unnamed if not BY_RULE.fullmatch(name)} == set()

    def test_no_package_has_more_than_seven_modules(self) -> None:
        modules = chain.from_iterable((ROOT / top).rglob("*.py") for top in CODE)
        packages = Counter(module.parent for module in modules if module.stem != "__init__")
        large = {str(package.relative_to(ROOT)) for package, size in packages.items() if size > MOST_MODULES}
        assert {package for package in large if not EXEMPT.fullmatch(package)} == set()
