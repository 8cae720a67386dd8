"""The terms of `docs/glossary.md`, which pages explain by the same sentences."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from common.help.documents import FOLDER, find_place
from common.web.markdown import slug_of

FOR_ANNOTATORS = "Terms that annotators see"
TERM = re.compile(r"- \*\*(?P<name>[^*]+)\*\*: (?P<about>[^\[\]*`]+) \[[^\]]+\]\((?P<link>[^)]+)\)")


class Term(NamedTuple):
    """A word of the glossary: what pages call it by, its explanation, and where more is said."""

    key: str
    about: str
    see: str
    is_for_annotators: bool


def read_terms() -> Iterator[Term]:
    """Yield the terms in the order of the file; raise ValueError naming a line that is none."""
    part = ""
    for line in (FOLDER / "glossary.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            part = line.removeprefix("## ")
        elif part and line:
            yield _read_term(line, is_for_annotators=part == FOR_ANNOTATORS)


def _read_term(line: str, *, is_for_annotators: bool) -> Term:
    found = TERM.fullmatch(line)
    see = found and find_place(found["link"], of="glossary")
    if not found or not see:
        raise ValueError(f"docs/glossary.md: not “- **Term**: plain words. [Part](file.md#part)”: {line}")
    return Term(slug_of(found["name"]), found["about"], see, is_for_annotators)
