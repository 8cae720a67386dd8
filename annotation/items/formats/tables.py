"""JSONL, JSON, CSV and TSV as rows of named values, streamed."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

from annotation.items.formats import json_values
from annotation.items.formats.json_list import read_json_list
from annotation.items.formats.lines import Line, file_problems, has_too_many_lines, read_lines
from annotation.items.formats.records import Problem, Row, Source

# Of a TSV file, to see whether quotation marks enclose its cells.
LOOKED_AT_BYTES = 100_000
# The library's own limit (128 KB) is below ours; the line limit is what holds.
csv.field_size_limit(1 << 30)


def layout_of(source: Source) -> str:
    """Return "jsonl", "json", "csv" or "tsv", by the name's ending, else by the first character."""
    ending = Path(source.name).suffix.lower()
    if ending in {".jsonl", ".ndjson"}:
        return "jsonl"
    if ending in {".csv", ".tsv"}:
        return ending[1:]
    with source.path.open("rb") as file:
        beginning = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    if beginning.startswith(b"["):
        return "json"
    if beginning.startswith(b"{"):
        return "jsonl"
    return "tsv" if b"\t" in beginning.split(b"\n", 1)[0] else "csv"


Mend = Callable[[list[str], list[str]], list[str]]


def read_rows(source: Source, *, quoting: str = "auto", mend: Mend | None = None) -> Iterator[Row | Problem]:
    """Yield the rows of a file with problems in between; stops at a problem past which nothing can be read.

    quoting: "on" reads quotation marks as CSV does, "off" as ordinary characters; "auto" is on for
    CSV, and for TSV if a cell among its first lines can only have been written so. mend: gets header and
    cells of a row of another length and returns better cells.
    """
    problems = file_problems(source)
    yield from problems
    if problems:
        return
    layout = layout_of(source)
    is_quoted = quoting == "on" or (quoting == "auto" and _seems_quoted(source, layout))
    if layout in {"jsonl", "tsv"} and has_too_many_lines(source):
        yield _too_many_rows(source)
        return
    if layout == "json":
        rows = read_json_list(source)
    elif layout == "jsonl":
        rows = _read_jsonl(source)
    else:
        rows = _read_table(source, delimiter="\t" if layout == "tsv" else ",", is_quoted=is_quoted, mend=mend)
    yield from _limited(source, rows)


def _seems_quoted(source: Source, layout: str) -> bool:
    if layout != "tsv":
        return layout == "csv"
    with source.path.open("rb") as file:
        text = file.read(LOOKED_AT_BYTES).decode("utf-8", errors="replace")
    quoted = [cell for line in text.splitlines() for cell in line.split("\t") if cell.startswith('"')]
    # Marks within marks are doubled by what writes CSV, and by nobody else.
    whole = [cell for cell in quoted if len(cell) > 1 and cell.endswith('"')]
    inner = [cell[1:-1].replace('""', "") for cell in whole]
    is_doubled = any('""' in cell[1:-1] for cell in whole)
    # The last line may be cut short.
    return is_doubled and not any('"' in text for text in inner) and len(quoted) - len(whole) <= 1


def _limited(source: Source, rows: Iterator[Row | Problem]) -> Iterator[Row | Problem]:
    count = 0
    for row in rows:
        count += isinstance(row, Row)
        if count > source.limits.max_rows:
            yield _too_many_rows(source)
            return
        if isinstance(row, Row) and len(row.values) > source.limits.max_columns:
            yield _too_many_columns(source, row.line, len(row.values))
            continue
        yield row


def _too_many_columns(source: Source, line: int, count: int) -> Problem:
    limit = source.limits.max_columns
    message = f"The line has {count:,} columns; {limit:,} are allowed."
    return source.error("too_many_columns", message, line=line)


def _too_many_rows(source: Source) -> Problem:
    limit = source.limits.max_rows
    return source.error("too_many_rows", f"The file has more than {limit:,} rows.", line=limit + 1)


def _read_jsonl(source: Source) -> Iterator[Row | Problem]:
    for line in read_lines(source):
        if isinstance(line, Problem):
            yield line
        elif line.text.strip():
            yield _parse_object(source, line)


def _parse_object(source: Source, line: Line) -> Row | Problem:
    try:
        value = json_values.loads(line.text)
    except json_values.BadJson as error:
        return source.error(error.code, error.message, line=line.number)
    if not isinstance(value, dict):
        return source.error("not_an_object", "The line is JSON, but not an object {…}.", line=line.number)
    return Row(line.number, value)


class _CleanLines:
    """Feed lines to the csv module, setting unreadable ones aside and remembering where it is."""

    def __init__(self, source: Source) -> None:
        self._lines = read_lines(source)
        self.problems: list[Problem] = []
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            if isinstance(line, Problem):
                self.number = line.line
                self.problems.append(line)
            else:
                self.number = line.number
                yield line.text

    def take_problems(self) -> list[Problem]:
        problems, self.problems = self.problems, []
        return problems


def _read_table(
    source: Source, *, delimiter: str, is_quoted: bool, mend: Mend | None
) -> Iterator[Row | Problem]:
    lines = _CleanLines(source)
    cells = _read_cells(source, lines, delimiter=delimiter, is_quoted=is_quoted)
    header: list[str] = []
    for row in cells:
        if isinstance(row, Problem):
            yield row
        elif not header:
            header = [name.strip() for name in row[1]]
            if len(header) > source.limits.max_columns:
                yield _too_many_columns(source, row[0], len(header))
                return
            yield from _header_problems(source, row[0], header)
        else:
            yield _named(source, row[0], header, row[1], mend)
        yield from lines.take_problems()
    yield from lines.take_problems()


def _read_cells(
    source: Source, lines: _CleanLines, *, delimiter: str, is_quoted: bool
) -> Iterator[tuple[int, list[str]] | Problem]:
    reader = csv.reader(
        _unended(lines, is_quoted),
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if is_quoted else csv.QUOTE_NONE,
        strict=is_quoted,
    )
    start = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield source.error("broken_quoting", f"The quotation marks do not match: {error}.", line=start)
            return
        if cells:
            yield (lines.number if not is_quoted else start), cells
        start = lines.number + 1


def _unended(lines: _CleanLines, is_quoted: bool) -> Iterator[str]:
    for text in lines:
        # Unquoted cells never span lines, so a lone carriage return within one is an ordinary character.
        yield text if is_quoted else text.rstrip("\r\n")


def _header_problems(source: Source, line: int, header: list[str]) -> Iterator[Problem]:
    seen: set[str] = set()
    for number, name in enumerate(header, start=1):
        if not name:
            yield source.error("unnamed_column", f"Column {number} has no name.", line=line)
        elif name in seen:
            message = f"Two columns are named “{name[:60]}”."
            yield source.error("repeated_column", message, line=line, column=name)
        seen.add(name)


def _named(
    source: Source, line: int, header: list[str], cells: list[str], mend: Mend | None
) -> Row | Problem:
    if len(cells) != len(header) and mend:
        cells = mend(header, cells)
    if len(cells) != len(header):
        message = f"The line has {len(cells)} cells; the header names {len(header)} columns."
        return source.error("wrong_cell_count", message, line=line)
    return Row(line, dict(zip(header, cells, strict=True)))
