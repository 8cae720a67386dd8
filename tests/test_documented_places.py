"""What the documentation names of the repository: files, folders, modules, and what they have, are there."""

import json
import os
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path

import pytest

from benchmarks.__main__ import SECTIONS
from common.help.documents import FOLDER

ROOT = Path(__file__).resolve().parent.parent
TEXTS = sorted([*ROOT.glob("*.md"), *FOLDER.glob("*.md")])
# In folders that leave.
ELSEWHERE = {"DATASHEET.md"}
# What is installed or built, and what people make here.
NOT_OURS = {"node_modules", "dist", "__pycache__", "data", "build"}
CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
# A part of a path that stands for any.
ANY = re.compile(r"<[a-z]+>|\bNAME\b")
SOURCE = re.compile(r"[\w./*-]+\.(?:py|md|ts|tsx|js|toml|yml|css)")
DOTTED = re.compile(r"[a-z_]+(?:\.\w+){2,}")


@cache
def files() -> tuple[str, ...]:
    """Return all files and folders of the repository as paths from its root; folders end in a slash."""
    found = []
    for folder, names, here in os.walk(ROOT):
        names[:] = [name for name in names if name not in NOT_OURS and (name == ".ci" or name[0] != ".")]
        place = Path(folder).relative_to(ROOT)
        found += [f"{place / name}/" for name in names] + [str(place / name) for name in here]
    return tuple(found)


def words_of(path: Path) -> Iterator[str]:
    """Yield what stands as code in a text, and the lines of its commands."""
    text = path.read_text(encoding="utf-8")
    yield from CODE.findall(text)
    for block in FENCE.findall(text):
        yield from (line for line in block.splitlines() if line and not line.startswith("#"))


def is_top(name: str) -> bool:
    return name in {path.split("/")[0] for path in files() if "/" in path}


def problem_of(code: str) -> str:
    """Return what is wrong with one piece of code of a text, or nothing."""
    problems = [_problem_of_module(code), _problem_of_script(code), *map(_problem_of_path, code.split())]
    return next(filter(None, problems), "")


def _problem_of_path(word: str) -> str:
    pattern = ANY.sub("*", word.partition("#")[0]).rstrip(",;")
    if word in ELSEWHERE or pattern.startswith(("/", "..", "-")) or not re.fullmatch(r"[\w./*-]+", pattern):
        return ""
    head, *rest = pattern.split("/")
    if not SOURCE.fullmatch(pattern) and not (rest and (is_top(head) or head == ".ci")):
        return _problem_of_name(pattern)
    wanted = pattern.rstrip("/")
    # A text that is about one folder names what is in it from there on.
    there = any(
        fnmatch(path.rstrip("/"), wanted) or fnmatch(path.rstrip("/"), f"*/{wanted}") for path in files()
    )
    return "" if there else f"no such file or folder: {word}"


def _problem_of_name(name: str) -> str:
    """Return what is wrong with a dotted name of a package of ours."""
    if not DOTTED.fullmatch(name) or not (ROOT / name.split(".")[0] / "__init__.py").exists():
        return ""
    module, _, own = name.rpartition(".")
    places = [ROOT / f"{module.replace('.', '/')}.py", ROOT / module.replace(".", "/") / "__init__.py"]
    source = next((place.read_text(encoding="utf-8") for place in places if place.exists()), None)
    if source is None:
        return f"no such module: {module}"
    is_module = any((place.parent / place.stem / f"{own}.py").exists() for place in places)
    defined = re.search(rf"^(?:def|class) {own}\b|^{own}\b.*=", source, re.MULTILINE)
    return (
        ""
        if defined or is_module or (ROOT / name.replace(".", "/")).with_suffix(".py").exists()
        else f"no {own} in {module}"
    )


def _problem_of_module(code: str) -> str:
    """Return what is wrong with `python -m MODULE` or `python FILE`, with its options."""
    called = re.search(r"\bpython (?:-m (?P<module>[\w.]+)|(?P<file>[\w/]+\.py))(?P<rest>.*)", code)
    if called is None:
        return ""
    words = called["rest"].split(">")[0].split()
    if called["module"] == "benchmarks":
        # What begins with dashes, and all after it, is for the sections.
        words = list(takewhile(lambda word: not word.startswith("-"), words))
        names = [section.rpartition(".")[2] for section in SECTIONS]
        unknown = [word for word in words if names.count(word) != 1]
        return f"no one section of the benchmarks: {unknown}" if unknown else ""
    if called["module"]:
        return "" if find_spec(called["module"]) else f"no such module: {called['module']}"
    source = ROOT / called["file"]
    # `tests/test_help_texts.py` knows its commands.
    if source.name == "manage.py":
        return ""
    if not source.exists():
        return f"no such file: {called['file']}"
    text = source.read_text(encoding="utf-8")
    lost = [word for word in words if word.startswith("--") and f'"{word}"' not in text]
    return f"no such option: {lost}" if lost else ""


def _problem_of_script(code: str) -> str:
    """Return what is wrong with `npm run SCRIPT`."""
    called = re.search(r"\bnpm run ([\w:-]+)", code)
    scripts = json.loads((ROOT / "frontend/package.json").read_text(encoding="utf-8"))["scripts"]
    return "" if called is None or called[1] in scripts else f"no such script: {called[1]}"


class TestPlaces:
    @pytest.mark.parametrize("path", TEXTS, ids=[path.stem for path in TEXTS])
    def test_are_there(self, path: Path) -> None:
        assert list(filter(None, map(problem_of, words_of(path)))) == []

    @pytest.mark.parametrize(
        "code",
        [
            "judges/nowhere.py",
            "judges/nowhere/",
            "nowhere.ts",
            "tests/nowhere/<room>/test_<name>.py",
            "common.database.rows.nowhere",
            "common.nowhere.rows.snapshot",
            "python -m nowhere",
            "python -m benchmarks nowhere",
            "python -m pytest -m prove tests/nowhere.py",
            "python tools/nowhere.py",
            "python tools/strings.py --nowhere",
            "npm run nowhere",
        ],
    )
    def test_that_are_not_there_are_noticed(self, code: str) -> None:
        assert problem_of(code) != ""

    @pytest.mark.parametrize(
        "code",
        [
            "judges/registry.py",
            "tests/judges/methods/<room>/test_<name>.py",
            "judges/connections/rules/NAME.py",
            "lib/time.ts",
            "common.database.rows.snapshot",
            "python -m benchmarks lexical --raters 32",
            "python -m pytest -m prove tests/e2e/test_tutorial.py",
            "python tools/strings.py",
            "npm run messages -- --write",
            "../shared/data",
            "POST /api/account/close",
            "str.translate",
            "kappa=0.7",
        ],
    )
    def test_that_are_there_or_none_of_ours_are_let_pass(self, code: str) -> None:
        assert problem_of(code) == ""


class TestSections:
    def test_of_the_benchmarks_have_names_of_their_own(self) -> None:
        names = [section.rpartition(".")[2] for section in SECTIONS]
        assert len(set(names)) == len(names)
