"""Read tables and JSON: cells, lines, encodings, line by line, without loading them whole."""

import csv
import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice, takewhile
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, NamedTuple

from analysis.text import question_key, question_letters
from annotation.items.formats.columns import OF_ROW_NUMBERS, QUESTION_NAMES, is_question, meaning_of
from annotation.items.formats.documents.arrangement import (
    Arrangement,
    Place,
    lists_of_objects,
    place_of_rows,
    read_lists,
    read_object,
)
from annotation.items.formats.documents.outline import outline_of
from annotation.items.formats.documents.streaming import read_json_list
from annotation.items.formats.documents.strict_json import BadJson, loads
from annotation.items.formats.records import DEEPEST, MOST_NAMED, NESTING, Problem, Row, Source, is_too_deep

# Questions that differ in their blanks alone are told apart by trying; more than so many are not.
MOST_TRIES = 8
# What `question_letters` turns into one letter.
_PIECE = re.compile("--|.", re.DOTALL)


class Beginnings:
    """Known questions, sorted by their letters so that the longest one is looked up.

    Making the key of every beginning of a text would take time with the square of its length.
    """

    def __init__(self, questions: Iterable[str]) -> None:
        self._keys = {question_key(text) for text in questions} - {""}
        self._known = sorted({question_letters(key) for key in self._keys})
        # For each the longest other one that it begins with: those that begin one text form a chain.
        self._shorter: list[int] = []
        chain: list[int] = []
        for number, letters in enumerate(self._known):
            while chain and not letters.startswith(self._known[chain[-1]]):
                chain.pop()
            self._shorter.append(chain[-1] if chain else -1)
            chain.append(number)

    def end_in(self, text: str) -> int:
        """Return where the longest known question that `text` begins with ends; 0 where there is none.

        A question mark and blanks behind it belong to it.
        """
        letters = question_letters(text)
        number = bisect_right(self._known, letters) - 1
        shared = _shared(letters, self._known[number]) if number >= 0 else 0
        ends = _ends_by_count(text)
        for _ in range(MOST_TRIES):
            while number >= 0 and len(self._known[number]) > shared:
                number = self._shorter[number]
            if number < 0:
                return 0
            count = len(self._known[number])
            # A mark at the end is in no key.
            end = ends.get(count + 1 if letters[count : count + 1] == "?" else count, 0)
            if question_key(text[:end]) in self._keys:
                return end
            number = self._shorter[number]
        return 0


def _shared(left: str, right: str) -> int:
    """Return how many letters two texts have in common from their beginning."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    return sum(1 for _ in alike)


def _ends_by_count(text: str) -> dict[int, int]:
    """Return where a text has so many letters, blanks behind the last of them included."""
    ends, count = {}, 0
    for piece in _PIECE.finditer(text):
        count += len(question_letters(piece[0]))
        ends[count] = piece.end()
    return ends


LARGEST_COUNT = 1_000


class BadCell(ValueError):
    """A cell that cannot be used: column, code and message."""

    def __init__(self, column: str, code: str, message: str) -> None:
        super().__init__(message)
        self.column = column
        self.code = code
        self.message = message


def text_in(values: Mapping[str, Any], column: str | None) -> str:
    """Return a cell as text, empty where column or value is absent; raises `BadCell`."""
    value = values[column] if column else None
    if value is None or column is None:
        return ""
    if isinstance(value, Mapping):
        message = f"“{column}” is an object here. Say what its fields contain."
        raise BadCell(column, "not_text", message)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadCell(column, "not_text", f"“{column}” must be text here.")
    return str(value)


def answer_in(value: Any, column: str) -> str:
    """Return a system's answer, or an element of a list of them, as text; raises `BadCell`."""
    if isinstance(value, Mapping):
        message = "The answer is an object. Say what its fields contain."
        raise BadCell(column, "answer_not_text", message)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadCell(column, "answer_not_text", "The answer is neither text nor a number nor a list.")
    return str(value)


def number_in(values: Mapping[str, Any], column: str | None) -> float | None:
    """Return a cell as a finite number, None where it is empty; raises `BadCell`."""
    if column is None or values[column] in (None, ""):
        return None
    value: Any = values[column]
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise BadCell(column, "confidence_not_a_number", "The confidence is not a number.")
    return number


def count_in(values: Mapping[str, Any], column: str | None) -> int | None:
    """Return a cell as a whole number from 0 to 1,000, None where it is empty; raises `BadCell`."""
    if column is None or values[column] in (None, ""):
        return None
    text = str(values[column]).strip().removesuffix(".0")
    if isinstance(values[column], bool) or not re.fullmatch("[0-9]{1,4}", text) or int(text) > LARGEST_COUNT:
        raise BadCell(
            column, "not_a_count", f"“{column}” must be a whole number from 0 to {LARGEST_COUNT:,}."
        )
    return int(text)


# How tables write true and false.
TRUTHS = {
    **dict.fromkeys(("true", "yes", "1", "1.0", "wahr", "ja"), True),
    **dict.fromkeys(("false", "no", "0", "0.0", "falsch", "nein"), False),
}


def truth_in(values: Mapping[str, Any], column: str | None) -> bool | None:
    """Return whether a cell says true; None where there is nothing in it."""
    value = values[column] if column else None
    word = str("" if value is None else value).strip().lower()
    if not column or not word:
        return None
    if word not in TRUTHS:
        raise BadCell(column, "not_a_truth", f"“{word[:60]}” must be true or false.")
    return TRUTHS[word]


def tags_in(values: Mapping[str, Any], column: str | None) -> tuple[str, ...]:
    """Return the tags of a cell: a list, or text with commas in between."""
    value = values[column] if column else None
    if isinstance(value, str):
        value = _listed_tags(value)
    if isinstance(value, list):
        return tuple(str(tag) for tag in value)
    return tuple(tag.strip() for tag in str(value or "").split(",") if tag.strip())


def _listed_tags(text: str) -> Any:
    """Return the list that stands in a text as JSON, else the text."""
    if not (text.startswith("[") and text.endswith("]")):
        return text
    try:
        listed = loads(text)
    except BadJson:
        return text
    is_list = isinstance(listed, list) and all(isinstance(each, str | int | float) for each in listed)
    return listed if is_list else text


def repaired(text: str) -> str | None:
    """Return the text as it was meant, or None where nothing speaks for a wrong reading.

    A text is taken for misread only if its characters, written as Windows-1252, are valid UTF-8 with
    at least one character beyond ASCII: true text in any language fails that test all but surely.
    """
    if text.isascii():
        return None
    try:
        return b"".join(_misread_byte(character) for character in text).decode("utf-8")
    except UnicodeError:
        return None


def _misread_byte(character: str) -> bytes:
    try:
        return character.encode("cp1252")
    except UnicodeEncodeError:
        # Five bytes have no meaning in Windows-1252; programs pass them on as they are.
        return character.encode("latin-1")


CHUNK_BYTES = 1 << 20
_PICKLE = "a Python pickle, which can run programs and is never opened; save its rows as JSONL"
_MARKUP = "HTML or XML; save the questions and answers as CSV or JSON"
# How files begin that are no text; each is told apart so that the message can say what to do.
SIGNATURES = {
    b"PK\x03\x04": "a zip file or spreadsheet; unpack it, or save it as CSV in UTF-8",
    b"\x1f\x8b": "compressed with gzip; unpack it first",
    b"PAR1": "a Parquet file; save it as JSONL first",
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
    b"%PDF": "a PDF document; save the table as CSV in UTF-8",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word document; save its table as CSV in UTF-8",
    b"\x80\x03": _PICKLE,
    b"\x80\x04": _PICKLE,
    b"\x80\x05": _PICKLE,
    b"\x93NUMPY": "a NumPy array; save the questions and answers as JSONL",
    b"ARROW1": "an Arrow or Feather file; save it as Parquet or JSONL",
    b"SQLite format 3\0": "an SQLite database; save its table as CSV in UTF-8",
    b"<!DOCTYPE": _MARKUP,
    b"<!doctype": _MARKUP,
    b"<html": _MARKUP,
    b"<?xml": _MARKUP,
}
# What a file is by its name, where its text is no JSON all the same; and how a Markdown table goes on.
_ENDINGS = dict.fromkeys((".yaml", ".yml"), "a YAML file; save it as JSON")
_MARKDOWN_RULE = re.compile(rb"\|?[ \t]*+:?-{3,}+[ \t]*+:?[ \t]*+\|[-:| \t]*+")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A line with its number from 1 and its line end."""

    number: int
    text: str


def file_problems(source: Source) -> list[Problem]:
    """Return what speaks against reading the file at all, looking at its size and first bytes only."""
    if not source.path.is_file():
        return [
            source.error("file_missing", "The uploaded file is no longer on the server. Upload it again.")
        ]
    size = source.path.stat().st_size
    if size > source.limits.max_bytes:
        return [
            source.error(
                "file_too_large",
                (f"The file is {size:,} bytes; at most {source.limits.max_bytes:,} bytes are allowed."),
            )
        ]
    with source.path.open("rb") as file:
        beginning = file.read(1024)
    if not beginning.removeprefix(BYTE_ORDER_MARK).strip():
        return [source.error("empty_file", "The file is empty.", line=1)]
    if what := _other_format(source.name, beginning):
        return [source.error("not_text", f"This is {what}.", line=1)]
    return []


def _other_format(name: str, beginning: bytes) -> str:
    """Return what a file is that no reader reads, and what to do about it; else ""."""
    text = beginning.removeprefix(BYTE_ORDER_MARK).lstrip()
    for signature, what in SIGNATURES.items():
        if beginning.startswith(signature) or text.startswith(signature):
            return what
    ending = Path(name).suffix.lower()
    if ending in _ENDINGS and not text.startswith((b"{", b"[")):
        return _ENDINGS[ending]
    lines = text.splitlines()
    is_markdown = text.startswith(b"|") and len(lines) > 1 and _MARKDOWN_RULE.fullmatch(lines[1].strip())
    return "a Markdown table; save it as CSV" if is_markdown else ""


def beginning_of(source: Source) -> str:
    """Return the first lines of a file, however they are written."""
    with source.path.open("rb") as file:
        text = file.read(LOOKED_AT_BYTES).decode("utf-8-sig", errors="replace")
    return "\n".join(text.split("\n")[:MOST_LINES])


def mentions(source: Source, *names: str) -> bool:
    """Whether each of these names stands somewhere in a file as a JSON text, without parsing it."""
    with source.path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return all(content.find(f'"{name}"'.encode()) >= 0 for name in names)


def has_too_many_lines(source: Source) -> bool:
    """Return whether the file has more lines than rows are allowed, without reading them as text."""
    ends = 0
    with source.path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            ends += chunk.count(b"\n")
            # One more for a header.
            if ends > source.limits.max_rows + 1:
                return True
    return False


def read_lines(source: Source) -> Iterator[Line | Problem]:
    """Yield the lines; an unreadable one is yielded as a problem, one too long is the last thing yielded."""
    with source.path.open("rb") as file:
        if file.read(len(BYTE_ORDER_MARK)) != BYTE_ORDER_MARK:
            file.seek(0)
        number = 0
        while raw := file.readline(source.limits.max_line_bytes + 1):
            number += 1
            if len(raw) > source.limits.max_line_bytes:
                yield _too_long(source, number)
                return
            yield _decode(source, number, raw)


def _too_long(source: Source, number: int) -> Problem:
    limit = source.limits.max_line_bytes
    return source.error("line_too_long", f"The line is longer than {limit:,} bytes.", line=number)


def _decode(source: Source, number: int, raw: bytes) -> Line | Problem:
    if b"\0" in raw:
        return source.error(
            "nul_character", "The line contains a null character. Remove this character.", line=number
        )
    try:
        return Line(number, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        return source.error(
            "not_utf8",
            f"The line is not UTF-8: byte 0x{raw[error.start]:02x} at position {error.start + 1}. "
            "Save the file as UTF-8, or choose its encoding under “Encoding.”",
            line=number,
        )


# Of a file, to recognize it.
MOST_LINES = 20
# To see what parts its columns.
LONGEST_HEADER = 1 << 16
# Between the first line of a file and its second, to see whether it has a row on each.
MOST_BLANK_LINES = 10
# Of a TSV file, to see whether quotation marks enclose its cells.
LOOKED_AT_BYTES = 100_000
# The library's own limit (128 KB) is below ours; the line limit is what holds.
csv.field_size_limit(1 << 30)


def is_parquet(path: Path) -> bool:
    """Whether a file begins as Parquet does."""
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def layout_of(source: Source) -> str:
    """Return "jsonl", "json", "object", "csv" or "tsv", by the name's ending, else by the first characters.

    "json" is a list of objects, "object" one object, which may hold rows.
    """
    ending = Path(source.name).suffix.lower()
    with source.path.open("rb") as file:
        beginning = file.read(4096).removeprefix(BYTE_ORDER_MARK).lstrip()
    first = beginning.split(b"\n", 1)[0].rstrip()
    header = header_line_of(source)
    # Parquet is kept as lines. A list or an object of many lines is what it is, whatever its file is called.
    is_over_lines = first == b"{" and beginning[1:].lstrip().startswith(b'"')
    if ending in {".jsonl", ".ndjson", ".parquet"} and not (beginning.startswith(b"[") or is_over_lines):
        return "jsonl"
    if ending == ".tsv" and "\t" not in header and "," in header and not first.startswith((b"[", b"{")):
        return "csv"
    if ending in {".csv", ".tsv"} and not (beginning.startswith((b"[{", b'{"')) or first in (b"[", b"{")):
        return ending[1:]
    if beginning.startswith(b"["):
        return "json"
    if beginning.startswith(b"{"):
        return "jsonl" if _has_objects_in_lines(source) else "object"
    return "tsv" if "\t" in header else "csv"


def header_line_of(source: Source) -> str:
    """Return the first line of a table that names a column of questions, else its first line.

    Titles and comments may stand before the header, up to 20 lines of them.
    """
    with source.path.open("rb") as file:
        lines = file.read(LONGEST_HEADER).decode("utf-8-sig", errors="replace").splitlines()[:MOST_LINES]
    for line in lines:
        if any(meaning_of(cell.strip(' "')) == "question" for cell in _BETWEEN_CELLS.split(line)):
            return line
    return lines[0] if lines else ""


_BETWEEN_CELLS = re.compile("[,;\t]")


def _has_objects_in_lines(source: Source) -> bool:
    """Whether a second line that is not blank begins with an object, too."""
    with source.path.open("rb") as file:
        file.readline(source.limits.max_line_bytes + 1)
        for _ in range(MOST_BLANK_LINES):
            line = file.readline(source.limits.max_line_bytes + 1)
            if not line or line.strip():
                return line.lstrip().startswith(b"{") and not line.startswith((b" ", b"\t"))
    return False


Mend = Callable[[list[str], list[str]], list[str]]


def read_rows(
    source: Source,
    *,
    quoting: str = "auto",
    mend: Mend | None = None,
    rows_at: str = "",
    has_header: str = "auto",
    header: Sequence[str] = (),
    passed_by: dict[str, None] | None = None,
) -> Iterator[Row | Problem]:
    """Yield the rows of a file with problems in between; stops at a problem past which nothing can be read.

    quoting: "on" reads quotation marks as CSV does, "off" as ordinary characters; "auto" is on for
    CSV, and for TSV if a cell among its first lines can only have been written so. mend: gets header and
    cells of a row of another length and returns better cells. rows_at: the names that lead to
    the list of rows in an object, with points in between; "" looks for it. has_header: "no" numbers the
    columns of a table; "auto" does where its first row has a question and no known name. header: the
    columns of a file with tabs in between that has no header. passed_by: takes the names of what stands
    beside the rows of an object, in place of a warning.
    """
    problems = file_problems(source)
    yield from problems
    if problems:
        return
    layout = "tsv" if header else layout_of(source)
    is_quoted = quoting == "on" or (quoting == "auto" and _seems_quoted(source, layout))
    if layout in {"jsonl", "tsv"} and has_too_many_lines(source):
        yield _too_many_rows(source)
        return
    if layout == "json":
        place = place_of_rows(outline_of(source), QUESTION_NAMES) if _begins_with_lists(source) else None
        if place is not None and place.arrangement is Arrangement.TABLE:
            rows = _Table(source, has_header=has_header).rows(read_lists(source, place))
        else:
            rows = read_json_list(source)
    elif layout == "object":
        rows = _read_object(source, rows_at, has_header, passed_by)
    elif layout == "jsonl":
        rows = _read_jsonl(source)
    else:
        delimiter = "\t" if layout == "tsv" else _delimiter_of(source)
        table = _Table(source, list(header), has_header=has_header, mend=mend)
        rows = _read_table(source, table, delimiter=delimiter, is_quoted=is_quoted)
    yield from _limited(source, rows)


def _begins_with_lists(source: Source) -> bool:
    with source.path.open("rb") as file:
        beginning = file.read(4096).removeprefix(BYTE_ORDER_MARK).lstrip()
    return beginning[1:].lstrip().startswith(b"[")


def _read_object(
    source: Source, rows_at: str, has_header: str, passed_by: dict[str, None] | None
) -> Iterator[Row | Problem]:
    if rows_at:
        place = Place(Arrangement.LIST, tuple(rows_at.split(".")))
        yield from read_object(source, place, passed_by=passed_by)
        return
    outline = outline_of(source)
    found = place_of_rows(outline, QUESTION_NAMES)
    if found is None:
        named = ", ".join(f"“{name[:60]}”" for name in lists_of_objects(outline)[:MOST_NAMED])
        message = (
            f"The object contains several lists of objects: {named}. Set “Path to rows” to the one that has "
            "the questions."
        )
        yield source.error("several_lists", message, line=1)
    elif found.arrangement is Arrangement.TABLE:
        yield from _Table(source, has_header=has_header).rows(read_lists(source, found))
    else:
        yield from read_object(source, found, passed_by=passed_by)


def _delimiter_of(source: Source) -> str:
    """Return what parts the header of a CSV file into most columns: a comma, a semicolon or a tab."""
    header = header_line_of(source)
    counts = dict.fromkeys(",;\t", 1)
    for delimiter in counts:
        with suppress(csv.Error, StopIteration):
            counts[delimiter] = len(next(csv.reader([header], delimiter=delimiter)))
    return max(counts, key=lambda delimiter: counts[delimiter])


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
        yield shallow(source, row)


def shallow(source: Source, row: Row | Problem) -> Row | Problem:
    """Return the row, or an error where one of its cells is nested more than 50 levels deep."""
    # Rows of CSV hold texts alone, and there are many.
    if isinstance(row, Problem) or NESTING.isdisjoint(map(type, row.values.values())):
        return row
    if not is_too_deep(row.values, deepest=DEEPEST + 1):
        return row
    cells = row.values.items()
    name = next(name for name, cell in cells if isinstance(cell, dict | list) and is_too_deep(cell))
    message = f"“{name[:60]}” is nested more than {DEEPEST} levels deep."
    return source.error("too_deep", message, line=row.line, column=name)


def _too_many_columns(source: Source, line: int, count: int) -> Problem:
    limit = source.limits.max_columns
    message = f"The line has {count:,} columns; at most {limit:,} are allowed."
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
        value = loads(line.text)
    except BadJson as error:
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
    source: Source, table: "_Table", *, delimiter: str, is_quoted: bool
) -> Iterator[Row | Problem]:
    lines = _CleanLines(source)
    for row in table.rows(_read_cells(source, lines, delimiter=delimiter, is_quoted=is_quoted)):
        yield row
        yield from lines.take_problems()
    yield from lines.take_problems()


def _unreadable_cells(source: Source, error: csv.Error, *, line: int) -> Problem:
    # The csv module's advice is for whoever opens the file in Python.
    if "new-line" in str(error):
        message = (
            "There is a carriage return without a line feed here. End lines with a line feed, or quote "
            "the cell."
        )
        return source.error("carriage_return", message, line=line)
    return source.error("broken_quoting", f"The quotation marks do not match: {error}.", line=line)


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
            yield _unreadable_cells(source, error, line=start)
            return
        if cells:
            yield (lines.number if not is_quoted else start), cells
        start = lines.number + 1


def _unended(lines: _CleanLines, is_quoted: bool) -> Iterator[str]:
    for text in lines:
        # Unquoted cells never span lines, so a lone carriage return within one is an ordinary character.
        yield text if is_quoted else text.rstrip("\r\n")


class _Table:
    """Names the cells of a table by its header, which is found among the first rows, or by numbers."""

    def __init__(
        self,
        source: Source,
        header: Sequence[str] = (),
        *,
        has_header: str = "auto",
        mend: Mend | None = None,
    ) -> None:
        self._source = source
        self._header = list(header)
        self._has_header = has_header
        self._mend = mend
        # Columns at the end that have no name, as spreadsheets leave them; they have to be empty.
        self._padding = 0

    def rows(self, found: Iterator[tuple[int, list[Any]] | Problem]) -> Iterator[Row | Problem]:
        """Yield the rows below the header, with problems in between."""
        if self._header:
            rest: Iterable[tuple[int, list[Any]] | Problem] = found
        else:
            first = list(islice(found, MOST_LINES))
            rows = [each for each in first if not isinstance(each, Problem)]
            place = self._place_of_header([cells for _, cells in rows])
            if place is None:
                yield from self._number_columns(rows)
                before: list[tuple[int, list[Any]]] = []
            else:
                before = rows[: place + 1]
                yield from self._take_header(before)
                if len(self._header) > self._source.limits.max_columns:
                    return
            rest = chain((each for each in first if each not in before), found)
        for each in rest:
            if isinstance(each, Problem):
                yield each
            elif any(cell not in ("", None) for cell in each[1]):
                yield self._named(*each)

    def _place_of_header(self, rows: list[list[Any]]) -> int | None:
        """Return which of the first rows names the columns; None where none does."""
        if self._has_header == "no" or not rows:
            return None
        widest = 0
        for number, row in enumerate(rows):
            filled = sum(cell not in ("", None) for cell in row)
            # A title is narrower than the table below it.
            if filled > widest and any(_meaning_in(cell) == "question" for cell in row):
                return number
            widest = max(widest, filled)
        is_unnamed = (
            self._has_header == "auto" and _is_row_of_data(rows) and not any(map(_meaning_in, rows[0]))
        )
        return None if is_unnamed else 0

    def _number_columns(self, rows: list[tuple[int, list[Any]]]) -> Iterator[Problem]:
        self._header = [f"column {number}" for number in range(1, len(rows[0][1]) + 1)] if rows else []
        if rows and self._has_header == "auto":
            message = (
                "The first row is read as data, because it contains a question, so the columns are numbered. "
                "If it names the columns, set “Header” to “yes.”"
            )
            yield self._source.warning("no_header", message, line=rows[0][0])

    def _take_header(self, rows: list[tuple[int, list[Any]]]) -> Iterator[Problem]:
        """Take the last of these rows for the header, and tell what stands before it."""
        line, cells = rows[-1]
        self._header = ["" if cell is None else str(cell).strip() for cell in cells]
        if len(rows) > 1:
            words = " ".join(str(cell) for _, row in rows[:-1] for cell in row if cell not in ("", None))
            message = f"Line {line} names the columns. The text “{words[:80]}” before it is not imported."
            yield self._source.warning("title_lines", message, line=rows[0][0])
        while len(self._header) > 1 and not self._header[-1]:
            self._header.pop()
            self._padding += 1
        if len(self._header) > 1 and not self._header[0]:
            self._header[0] = OF_ROW_NUMBERS
        if len(self._header) > self._source.limits.max_columns:
            yield _too_many_columns(self._source, line, len(self._header))
            return
        yield from _header_problems(self._source, line, self._header)

    def _named(self, line: int, cells: list[Any]) -> Row | Problem:
        header = self._header
        if len(cells) == len(header) + self._padding and self._padding:
            cells, beyond = cells[: len(header)], cells[len(header) :]
            for number, cell in enumerate(beyond, start=len(header) + 1):
                if cell not in ("", None):
                    message = f"Column {number} has no name, but contains “{str(cell)[:60]}” in this row."
                    return self._source.error("unnamed_column", message, line=line)
        if len(cells) != len(header) and self._mend:
            cells = self._mend(header, cells)
        if len(cells) != len(header):
            found = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
            wanted = "1 column" if len(header) == 1 else f"{len(header)} columns"
            message = f"The line has {found}, but the header has {wanted}."
            return self._source.error("wrong_cell_count", message, line=line)
        return Row(line, dict(zip(header, cells, strict=True)))


def _is_row_of_data(rows: list[list[Any]]) -> bool:
    """Whether the first row has a question where most others have one, too: forms ask in their header."""
    first, *others = rows
    places = [place for place, cell in enumerate(first) if isinstance(cell, str) and is_question(cell)]
    if not others:
        return bool(places)
    return any(sum(_asks_at(row, place) for row in others) * 2 >= len(others) for place in places)


def _asks_at(row: list[Any], place: int) -> bool:
    cell = row[place] if place < len(row) else None
    return isinstance(cell, str) and is_question(cell)


def _meaning_in(cell: Any) -> str:
    return meaning_of(cell.strip()) if isinstance(cell, str) else ""


def _header_problems(source: Source, line: int, header: list[str]) -> Iterator[Problem]:
    seen: set[str] = set()
    for number, name in enumerate(header, start=1):
        if not name:
            yield source.error("unnamed_column", f"Column {number} has no name.", line=line)
        elif name in seen:
            message = f"“{name[:60]}” is the name of two columns."
            yield source.error("repeated_column", message, line=line, column=name)
        seen.add(name)
