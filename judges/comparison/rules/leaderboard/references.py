"""Published numbers that stand beside a study's own: what one says, and how a file lists several."""

import csv
import io
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import urlsplit

from common.figures import JUDGE_MEASURES
from judges.comparison.rules.study import EXACT_MATCH, HUMAN, TOKEN_F1
from judges.registry import JUDGES

MOST_ROWS = 1_000
LONGEST = {
    "name": 200,
    "measure": 200,
    "about": 200,
    "source": 500,
    "source_url": 500,
    "dataset": 100,
    "system": 200,
    "prompt": 100,
}
# What papers call the ways of judging that every study has.
USUAL_NAMES = {
    "em": EXACT_MATCH,
    "exact match": EXACT_MATCH,
    "f1": TOKEN_F1,
    "token f1": TOKEN_F1,
    "people": HUMAN,
}
# A lexical judge's column by the name that pages have for it.
NAMES_OF_JUDGES = {judge.name.lower(): key for key, judge in JUDGES.items() if judge.is_lexical}
# And how they call the measures of judges, by the names these have on the board.
USUAL_MEASURES = {
    "accuracy": "accuracy_all",
    "macro-f1": "macro_f1",
    "kappa": "cohen_kappa",
    "ac1": "gwet_ac1",
    "tau": "kendall_tau_b",
}
# And how people read both, by key.
_READ_AS = {**{key: judge.name for key, judge in JUDGES.items()}, HUMAN: "People", **JUDGE_MEASURES}
# What of the study a number can be said to belong to.
PLACES = ("dataset", "system", "prompt")
FILE_COLUMNS = ("subject", "name", "measure", "percent", "n", "about", "source", "source_url", *PLACES)
_NEEDED = ("name", "measure", "percent", "source")


class Subject(StrEnum):
    """Whose number it is."""

    SYSTEM = "system"
    JUDGE = "judge"


class Reference(NamedTuple):
    """A number that somebody published. value: a share or coefficient, from -1 to 1. n: of how many answers.

    measure: the key of a leaderboard's column, a measure of judges, or words of its own. about: what it was
    measured on. dataset: of a system's number, which questions. system, prompt: of a judge's, whose answers
    and how it was asked. Where these are empty it belongs to the whole study.
    """

    subject: Subject
    name: str
    measure: str
    value: float
    n: int | None
    about: str
    source: str
    source_url: str
    dataset: str = ""
    system: str = ""
    prompt: str = ""


@dataclass(frozen=True)
class FileProblem:
    """Why a line of a file cannot be read.

    `line`: counted from 1, the header; 0 for the entire file.
    """

    line: int
    column: str
    message: str


class Unreadable(Exception):
    """A cell says nothing that can be kept."""

    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


def measure_key(words: str, subject: Subject) -> str:
    """Return the key of what every study measures, by its usual name; other words as they are.

    F1 is token F1 of a system, and of a judge that of the answers it accepts.
    """
    usual = NAMES_OF_JUDGES | USUAL_NAMES if subject is Subject.SYSTEM else USUAL_MEASURES | {"f1": "f1"}
    return usual.get(words.strip().lower(), words.strip())


def measure_words(reference: Reference) -> str:
    """Return what a number measures as people read it, such as “Exact match”."""
    return f"“{_READ_AS.get(reference.measure, reference.measure)}”"


def read_references(text: str) -> tuple[list[Reference], list[FileProblem]]:
    """Read a CSV file with a header; what cannot be read is a problem, and reading goes on.

    Columns: `FILE_COLUMNS`, in any order; name, measure, percent and source are needed.
    """
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
    try:
        header = [name.strip().lower() for name in rows.fieldnames or ()]
        faults = [
            FileProblem(1, name, f"The column “{name}” is missing.") for name in _NEEDED if name not in header
        ]
        faults += [
            FileProblem(1, name, f"The column “{name}” is not recognized. Remove or rename it.")
            for name in header
            if name not in FILE_COLUMNS
        ]
        if faults:
            return [], faults
        rows.fieldnames = header
        return _read_rows(rows)
    except csv.Error as error:
        return [], [FileProblem(rows.line_num, "", f"This is not a CSV file: {error}.")]


def _read_rows(rows: "csv.DictReader[str]") -> tuple[list[Reference], list[FileProblem]]:
    found: list[Reference] = []
    problems: list[FileProblem] = []
    for number, row in enumerate(rows):
        if number == MOST_ROWS:
            problems.append(FileProblem(rows.line_num, "", f"The file has more than {MOST_ROWS:,} rows."))
            break
        try:
            found.append(_read_row(row))
        except Unreadable as fault:
            problems.append(FileProblem(rows.line_num, fault.column, str(fault)))
    return found, [*problems, *_repeated(found)]


def _read_row(row: Mapping[str, str | None]) -> Reference:
    if None in row or None in row.values():
        raise Unreadable("", "This row and the header have different numbers of cells.")
    cells = {name: (row.get(name) or "").strip() for name in FILE_COLUMNS}
    for name in _NEEDED:
        if not cells[name]:
            raise Unreadable(name, "This cell is empty.")
    for name, longest in LONGEST.items():
        if len(cells[name]) > longest or "\0" in cells[name]:
            raise Unreadable(name, f"Enter at most {longest} characters, without null characters.")
    subject = _subject(cells["subject"])
    return Reference(
        subject=subject,
        name=cells["name"],
        measure=measure_key(cells["measure"], subject),
        value=_share(cells["percent"]),
        n=_count(cells["n"]),
        about=cells["about"],
        source=cells["source"],
        source_url=_web_address(cells["source_url"]),
        **{name: cells[name] for name in PLACES},
    )


def _subject(text: str) -> Subject:
    if text.lower() not in {"", *Subject}:
        raise Unreadable("subject", "Enter “system” or “judge” here.")
    return Subject(text.lower() or Subject.SYSTEM)


def _share(text: str) -> float:
    try:
        percent = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        percent = Decimal("nan")
    if not percent.is_finite() or abs(percent) > 100:
        raise Unreadable("percent", f"“{text}” is not a number from −100 to 100, such as 71.4.")
    return float(percent / 100)


def _count(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 0 < int(text[:20]) < 2**31):
        raise Unreadable("n", f"“{text}” is not a whole number above 0, such as 301.")
    return int(text)


def _web_address(text: str) -> str:
    if text and not is_web_address(text):
        raise Unreadable("source_url", "Enter an address that begins with https:// or http://.")
    return text


def is_web_address(text: str) -> bool:
    """Say whether a browser may be sent there."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and not any(map(str.isspace, text))


def place(reference: Reference, *, datasets: Collection[str], systems: Mapping[str, str]) -> Reference:
    """Return it with its system called by its name; raises `Unreadable` where the study has no such part.

    systems: names by what a system may be called.
    """
    if reference.subject is Subject.SYSTEM and (reference.system or reference.prompt):
        wrong = "system" if reference.system else "prompt"
        raise Unreadable(
            wrong,
            f"Only a judge’s result can have a {wrong}, and this is a system’s result. "
            f"Leave the {wrong} empty.",
        )
    if reference.subject is Subject.JUDGE and reference.dataset:
        raise Unreadable(
            "dataset",
            "Only a system’s result can have a data set, and this is a judge’s result. "
            "Leave the data set empty.",
        )
    if reference.dataset and reference.dataset not in datasets:
        raise Unreadable("dataset", f"The data set “{reference.dataset}” has no questions in this project.")
    if reference.system and reference.system not in systems:
        raise Unreadable("system", f"The system “{reference.system}” does not exist in this project.")
    return reference._replace(system=systems.get(reference.system, ""))


def _repeated(found: list[Reference]) -> Iterator[FileProblem]:
    seen = set()
    for reference in found:
        if identity_of(reference) in seen:
            yield FileProblem(
                0,
                "name",
                f"“{reference.name}” appears twice with {measure_words(reference)}. Remove one row.",
            )
        seen.add(identity_of(reference))


def identity_of(reference: Reference) -> tuple[str, ...]:
    """Return what only one number in force may be about."""
    places = (reference.dataset, reference.system, reference.prompt)
    return reference.subject.value, reference.name, reference.measure, reference.about, *places
