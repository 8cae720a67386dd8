"""The image that the Dockerfile describes, read and laid out in a folder without Docker."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
BUILT_PAGES = ROOT / "frontend" / "dist"


class Instruction(NamedTuple):
    """A line of the Dockerfile, with those that continue it: its word, and the rest."""

    word: str
    rest: str


def stages() -> Iterator[list[Instruction]]:
    """Yield the instructions of each stage, `FROM` first."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    text = re.sub(r"\\\n", " ", re.sub(r"^\s*#.*\n", "", text, flags=re.M))
    found: list[Instruction] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        word, _, rest = line.partition(" ")
        if word == "FROM" and found:
            yield found
            found = []
        found.append(Instruction(word, rest.strip()))
    yield found


def image() -> list[Instruction]:
    """Return the instructions of the image that is built where no other is asked for."""
    return list(stages())[-1]


def environment() -> dict[str, str]:
    """Return what the image sets."""
    lines = [instruction.rest for instruction in image() if instruction.word == "ENV"]
    return dict(re.findall(r"(\w+)=(\S+)", " ".join(lines)))


def command() -> list[str]:
    """Return what a container of the image runs where compose says nothing else."""
    (line,) = (instruction.rest for instruction in image() if instruction.word == "CMD")
    words: list[str] = json.loads(line)
    return words


def context() -> set[str]:
    """Return the files that a build is given: those of the project which `.dockerignore` lets in."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
    rules = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    return {name for name in done.stdout.splitlines() if (ROOT / name).is_file() and _is_let_in(name, rules)}


def _is_let_in(name: str, rules: list[str]) -> bool:
    """Say what the last rule about a file, or about a folder that it is in, says."""
    parts = name.split("/")
    places = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    is_in = True
    for rule in rules:
        pattern = _pattern(rule.removeprefix("!"))
        if any(re.fullmatch(pattern, place) for place in places):
            is_in = rule.startswith("!")
    return is_in


def _pattern(glob: str) -> str:
    escaped = re.escape(glob).replace(r"\*\*/", "(.*/)?")
    return escaped.replace(r"\*", "[^/]*")


def copies(found: list[Instruction]) -> Iterator[tuple[list[str], str]]:
    """Yield what a stage takes from the project, and the place where it puts that."""
    for instruction in found:
        words = instruction.rest.split()
        if instruction.word == "COPY" and not words[0].startswith("--from="):
            yield words[:-1], words[-1]


def files_of(source: str, *, given: set[str]) -> dict[str, str]:
    """Return the files that `COPY` takes by this name, with their names at the new place."""
    folder = "" if source in {".", "./"} else f"{source.rstrip('/')}/"
    inside = {name: name.removeprefix(folder) for name in given if name.startswith(folder)}
    single = {name: name.rpartition("/")[2] for name in given if re.fullmatch(_pattern(source), name)}
    return inside or single


def commands_in_place() -> list[str]:
    """Return what the build runs in `/app`."""
    words = [instruction.word for instruction in image()]
    return [found.rest for found in image()[words.index("WORKDIR") :] if found.word == "RUN"]


def lay_out(folder: Path) -> None:
    """Put into a folder what the image has in `/app`: files of the project, and the built pages."""
    given = context()
    for sources, place in copies(image()):
        for source in sources:
            for name, new in files_of(source, given=given).items():
                target = folder / place / new
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, target)
    shutil.copytree(BUILT_PAGES, folder / "frontend" / "dist")
    for line in commands_in_place():
        program, *words = shlex.split(line)
        assert program == "python"
        subprocess.run([sys.executable, *words], cwd=folder, check=True)
