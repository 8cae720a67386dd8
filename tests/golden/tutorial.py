"""Table 1 of Kamalloo et al. 2023 as the tutorial states it: what the paper prints and the page shows."""

import re
from pathlib import Path
from typing import NamedTuple

TUTORIAL = Path(__file__).resolve().parent.parent.parent / "docs" / "tutorial.md"
# The headers that the tutorial names, in the order of its table.
HEADERS = (
    "Exact match",
    "Token F1",
    "bem (recorded)",
    "text-davinci-003 (recorded)",
    "gpt-4 (recorded)",
    "People, otherwise exact match",
)


class Cell(NamedTuple):
    """A figure in percent: the paper's, and the page's, which stands in parentheses where it differs."""

    printed: str
    shown: str


def stated_table() -> dict[str, tuple[Cell, ...]]:
    """Return the six cells of each system, by the name that pages show."""
    rows = re.findall(r"^\| `([^`]+)` ((?:\| [\d.() ]+){6})\|$", TUTORIAL.read_text("utf-8"), re.MULTILINE)
    return {system: tuple(map(_cell, cells.split("|")[1:])) for system, cells in rows}


def _cell(text: str) -> Cell:
    printed, *shown = re.findall(r"\d+\.\d", text)
    return Cell(printed, *(shown or [printed]))


def short_name(system: str) -> str:
    """Return what pages call a system once the common parts of names are left out."""
    return system.removeprefix("NQ301_").removeprefix("NQ_")
