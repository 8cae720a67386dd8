"""OpenQA-eval's human file: one row an answer, one column a rater."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotation.items.formats.columns import MEANING_BY_NAME, VOTE_PREFIX
from annotation.items.formats.records import (
    Format,
    Kind,
    Look,
    OptionSpec,
    Problem,
    Row,
    Source,
    Vote,
    VoteRecord,
)
from annotation.items.formats.tables import layout_of, read_rows

COLUMNS = ("Question", "Model answer")
FINAL_COLUMN = "Acceptable?"
# The same under the names that other files use for it.
NAME_OF_MEANING = {"question": "Question", "prediction": "Model answer"}
LABELS = frozenset({"yes", "no", ""})


def read(source: Source, options: Mapping[str, Any]) -> Iterator[VoteRecord | Problem]:
    """Yield one record a row; quotation marks are ordinary characters unless the header is quoted, too."""
    count = 0
    for row in read_rows(source, quoting=_quoting(source, options)):
        if isinstance(row, Problem):
            yield row
            continue
        count += 1
        row = renamed(row)
        if count > 1 and (unusable := unusable_cell(source, row, COLUMNS)):
            yield unusable
            continue
        row = as_text(row)
        problems = list(_problems(source, row, is_first=count == 1))
        yield from problems
        if any(problem.code == "missing_column" for problem in problems):
            return
        if not any(problem.is_error for problem in problems):
            yield _record(row, count)


def _quoting(source: Source, options: Mapping[str, Any]) -> str:
    given = str(options.get("quoting") or "auto")
    if given != "auto" or not source.path.is_file():
        return given
    if layout_of(source) != "tsv":
        return "auto"
    with source.path.open("rb") as file:
        begins = file.read(4).removeprefix(b"\xef\xbb\xbf")
    # Released files hold answers with marks of their own; our exports quote every cell, the header too.
    return "on" if begins.startswith(b'"') else "off"


def unusable_cell(source: Source, row: Row, columns: Iterable[str]) -> Problem | None:
    """Return what is wrong with the first of these columns that a row lacks or that holds no text.

    Each object of a JSON file may have its own keys.
    """
    for name in columns:
        if name not in row.values:
            message = f"“{name}” is missing from the row."
            return source.error("missing_column", message, line=row.line, column=name)
        if isinstance(row.values[name], bool | list | dict):
            return source.error("not_text", f"“{name}” must be text here.", line=row.line, column=name)
    return None


def as_text(row: Row) -> Row:
    """Return the row with every value as text, as a table would hold it."""
    return Row(row.line, {name: "" if value is None else str(value) for name, value in row.values.items()})


def renamed(row: Row) -> Row:
    """Return the row with the usual names of a question and an answer replaced by this format's."""
    return Row(row.line, {usual_name(name): value for name, value in row.values.items()})


def usual_name(column: str) -> str:
    """Return what this format calls a column."""
    return NAME_OF_MEANING.get(MEANING_BY_NAME.get(column.lower(), ""), column)


def rater_columns(row: Row) -> list[str]:
    """Return the columns that hold one rater's votes each, in the order of the file."""
    return [name for name in row.values if name.startswith(VOTE_PREFIX)]


def _problems(source: Source, row: Row, *, is_first: bool) -> Iterator[Problem]:
    for name in COLUMNS if is_first else ():
        if name not in row.values:
            yield source.error(
                "missing_column", f"The column “{name}” is missing from the file.", line=1, column=name
            )
            return
    if is_first and not rater_columns(row):
        message = "The file has no annotator column (annotator1, annotator2, …)."
        yield source.error("missing_column", message, line=1, column=f"{VOTE_PREFIX}1")
        return
    if is_first:
        yield from _unknown_columns(source, row)
    if not row.values["Question"].strip():
        yield source.error("missing_question", "The row has no question.", line=row.line, column="Question")
    for name in rater_columns(row):
        if row.values[name].strip().lower() not in LABELS:
            message = f"“{row.values[name][:60]}” is not a vote. Use Yes, No, or an empty cell."
            yield source.error("unknown_label", message, line=row.line, column=name)


def _unknown_columns(source: Source, row: Row) -> Iterator[Problem]:
    known = {*COLUMNS, FINAL_COLUMN, "id", *rater_columns(row)}
    for name in row.values:
        if name not in known:
            yield source.error(
                "unknown_column",
                (f"The column “{name}” is unknown. Rename or remove it."),
                line=1,
                column=name,
            )


def _record(row: Row, number: int) -> VoteRecord:
    return VoteRecord(
        line=row.line,
        row=number,
        question=row.values["Question"].strip(),
        answer=row.values["Model answer"],
        final=row.values.get(FINAL_COLUMN, "").strip(),
        votes=tuple(Vote(name, row.values[name].strip()) for name in rater_columns(row)),
    )


def _recognizes(look: Look) -> bool:
    names = {usual_name(name) for name in look.first}
    # Beside gold answers or systems, votes are read with the answers.
    return {*COLUMNS, f"{VOTE_PREFIX}1"} <= names and not any(map(_is_about_answers, names - {*COLUMNS}))


def _is_about_answers(name: str) -> bool:
    return MEANING_BY_NAME.get(name.lower(), "") in ("gold", "system")


FORMAT = Format(
    key="openqa-eval-votes",
    name="OpenQA-eval: human votes",
    summary="A table with question, answer, and one column per annotator (annotator1, annotator2, …).",
    kind=Kind.VOTES,
    read=read,
    recognizes=_recognizes,
    recognized_by="a question, an answer (`Model answer`), `annotator1`…; optionally `Acceptable?`",
    options=(
        OptionSpec(
            "keep_duplicate_rows",
            "yes",
            ("yes", "no"),
            "Whether every row is a separate answer, exactly as written. If no, matching answers are pooled.",
        ),
        OptionSpec(
            "quoting",
            "auto",
            ("auto", "on", "off"),
            "Whether quotation marks enclose cells. Auto: yes if the header is quoted.",
        ),
    ),
)
