"""List every English text that people read, for copy editors: `N<TAB>place<TAB>text`, each text once.

Pages first (`frontend/scripts/strings.js`), then the server (`tools/texts`), then what only the
API's schema says. `--into FOLDER` writes `all.tsv` instead, and parts of it that end where a file does.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.texts.python import is_for_people, texts_in  # noqa: E402
from tools.texts.templates import texts_of_template  # noqa: E402

PACKAGES = ("annotation", "judges", "analysis", "common", "commands", "config", "assay")
# SQL, and the words that judges go by.
LEFT_OUT = re.compile(
    r"/migrations/|common/database/|/vocabulary\.py|judges/methods/(llm/(phrases|suspicion|parsing)|"
    r"learned/(features|reading|memory)|fuzzy/wordnet)"
)
REPORTS = "judges/templates/judges"
TEMPLATES = (
    "frontend/index.html",
    *(f"{REPORTS}/report{name}.html" for name in ("", "_chart", "_published")),
)
GLOSSARY = "docs/glossary.md"
SCHEMA = "frontend/src/api/schema.json"


class Text(NamedTuple):
    """A text, and where it stands: a file, with the line where that is known."""

    place: str
    said: str


def all_texts() -> list[Text]:
    """Return all texts, each where it stands first."""
    first: dict[str, Text] = {}
    for text in (*page_texts(), *template_texts(), *server_texts(), *schema_texts()):
        first.setdefault(text.said, text)
    return list(first.values())


def page_texts() -> Iterator[Text]:
    """Yield what pages say."""
    command = ["node", "frontend/scripts/strings.js"]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    yield from (Text(*line.split("\t")) for line in printed.splitlines())


def template_texts() -> Iterator[Text]:
    """Yield what reports say, and the terms that pages explain."""
    for name in TEMPLATES:
        yield from (Text(name, said) for said in texts_of_template((ROOT / name).read_text(encoding="utf-8")))
    for line in (ROOT / GLOSSARY).read_text(encoding="utf-8").splitlines():
        if term := re.match(r"- \*\*([^*]+)\*\*: (.+?) \[[^\]]+\]\(", line):
            yield Text(GLOSSARY, f"{term[1]}: {term[2]}")


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield the server's modules in order, by the path of each."""
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        if not LEFT_OUT.search(place := path.relative_to(ROOT).as_posix()):
            yield place, ast.parse(path.read_text(encoding="utf-8"))


def server_texts() -> Iterator[Text]:
    """Yield what the server, its commands and its files say."""
    for path, tree in modules():
        yield from (Text(f"{path}:{line}", said) for line, said in texts_in(tree))


def schema_texts() -> list[Text]:
    """Return what the API's schema says, by the docstring that it comes from, where it is one."""
    places = {
        " ".join(said.split()): (path, node.body[0].lineno)
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and (said := ast.get_docstring(node))
    }
    texts = set(described(json.loads((ROOT / SCHEMA).read_text(encoding="utf-8"))))
    # Lists of choices are made from their labels.
    kept = [said for said in texts if is_for_people(said) and not said.startswith("* `")]
    placed = sorted((*places.get(said, (SCHEMA, 0)), said) for said in kept)
    return [Text(f"{path}:{line}" if line else path, said) for path, line, said in placed]


def described(part: object) -> Iterator[str]:
    """Yield descriptions, summaries and titles at any depth, each in one line."""
    if isinstance(part, list):
        part = dict(enumerate(part))
    for key, value in part.items() if isinstance(part, dict) else ():
        if key in {"description", "summary", "title"} and isinstance(value, str):
            yield " ".join(value.split())
        else:
            yield from described(value)


def split(lines: Sequence[str], count: int) -> list[list[str]]:
    """Return so many parts of about as many letters, each ending where a file does."""
    total, done = sum(map(len, lines)), 0
    parts: list[list[str]] = [[] for _ in range(count)]
    for _, group in groupby(lines, key=lambda line: re.split("[\t:]", line)[1]):
        of_file = list(group)
        size = sum(map(len, of_file))
        parts[int((done + size / 2) * count / total)] += of_file
        done += size
    return parts


def main() -> None:
    """Print the list, or write it into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, help="the folder to write all.tsv and its parts to")
    parser.add_argument("--parts", type=int, default=5, help="how many parts to write (default: 5)")
    options = parser.parse_args()
    lines = [f"{number}\t{place}\t{said}" for number, (place, said) in enumerate(all_texts(), start=1)]
    if not options.into:
        print("\n".join(lines))
        return
    parts = {f"part{number}.tsv": part for number, part in enumerate(split(lines, options.parts), start=1)}
    for name, part in {"all.tsv": lines, **parts}.items():
        (options.into / name).write_text("\n".join([*part, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
