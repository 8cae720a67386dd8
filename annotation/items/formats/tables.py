"""Read tables and JSON: cells, lines, encodings, line by line, without loading them whole."""

import codecs
import csv
import json
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from analysis.text import question_key, question_letters
from annotation.items.formats.records import Problem, Row, Source

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
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadCell(column, "not_text", f"“{column}” must be text here.")
    return str(value)


def answer_in(value: Any, column: str) -> str:
    """Return a system's answer, or an element of a list of them, as text; raises `BadCell`."""
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
        raise BadCell(column, "confidence_not_a_number", "The confidence is no number.")
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


def tags_in(values: Mapping[str, Any], column: str | None) -> tuple[str, ...]:
    """Return the tags of a cell: a list, or text with commas in between."""
    value = values[column] if column else None
    if isinstance(value, list):
        return tuple(str(tag) for tag in value)
    return tuple(tag.strip() for tag in str(value or "").split(",") if tag.strip())


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


class BadJson(ValueError):
    """Text that is no usable JSON: a stable code, and a message that says where."""

    def __init__(self, code: str, message: str, *, offset: int = 0, is_cut_short: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.offset = offset
        # Only then may more text help.
        self.is_cut_short = is_cut_short


def loads(text: str) -> Any:
    """Parse one value that is all of `text`; raises `BadJson`."""
    value, end = decode_at(text, len(text) - len(text.lstrip()))
    if text[end:].strip():
        raise BadJson("not_json", f"The line goes on after the JSON value, at character {end + 1}.")
    return value


def decode_at(text: str, start: int) -> tuple[Any, int]:
    """Parse the value that begins at `start`; return it with the place after it; raises `BadJson`."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        message = f"The line is not JSON: {error.msg} at character {error.pos + 1}."
        raise BadJson("not_json", message, offset=error.pos, is_cut_short=True) from None
    except RecursionError:
        raise BadJson("too_deep", "The JSON is nested too deeply.") from None
    except BadJson:
        raise
    except ValueError as error:
        raise BadJson("not_json", f"The line is not JSON: {error}.") from None
    _require_storable(text[start:end])
    return value, end


def _require_storable(text: str) -> None:
    # Cheap test first: both only ever come from an escape.
    if "\\u" not in text:
        return
    lowered = text.lower()
    if "\\u0000" in lowered and _has_character(text, _is_nul):
        raise BadJson("nul_character", "The line holds a NUL character (\\u0000).")
    if "\\ud" in lowered and _has_character(text, _is_surrogate):
        raise BadJson("half_character", "The line holds half of a character pair (\\ud800–\\udfff).")


def _is_nul(character: str) -> bool:
    return character == "\0"


def _is_surrogate(character: str) -> bool:
    return "\ud800" <= character <= "\udfff"


def _has_character(text: str, test: Any) -> bool:
    pending: list[Any] = [_DECODER.decode(text)]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value)
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
        elif isinstance(value, str) and any(test(character) for character in value):
            return True
    return False


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        repeated = next(key for key, count in counts.items() if count > 1)
        raise BadJson("repeated_key", f"The key “{repeated[:60]}” stands twice in one object.")
    return values


def _refuse_constant(name: str) -> Any:
    raise BadJson("not_json", f"{name} is not JSON. Write null or a number.")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise BadJson("not_json", f"The number {text[:60]} is too large.")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys, parse_constant=_refuse_constant, parse_float=_finite
)


JSON_CHUNK_BYTES = 1 << 18
WHITE_SPACE = " \t\r\n"


def read_json_list(source: Source) -> Iterator[Row | Problem]:
    """Yield the objects of a list; a broken one ends the reading, as nobody knows where the next begins."""
    with source.path.open("rb") as file:
        window = _Window(file, limit=source.limits.max_line_bytes)
        try:
            yield from _read_objects(window)
        except BadJson as error:
            yield source.error(error.code, error.message, line=window.line_at(error.offset))


def _read_objects(window: "_Window") -> Iterator[Row | Problem]:
    window.expect("[", "The file is JSON, but not a list of objects [{…}, …].")
    if window.next_character() == "]":
        window.skip()
    else:
        yield from _read_members(window)
    if window.next_character():
        raise BadJson("not_json", "The file goes on after the end of the list.", offset=window.position)


def _read_members(window: "_Window") -> Iterator[Row | Problem]:
    while True:
        if window.next_character() != "{":
            raise BadJson("not_an_object", "An object {…} was expected here.", offset=window.position)
        line = window.line_at(window.position)
        yield Row(line, window.take_object())
        if window.next_character() == "]":
            window.skip()
            return
        window.expect(",", "A comma or the end of the list was expected here.")


class _Window:
    """The part of a file that is being read: grows on demand, forgets what was taken."""

    def __init__(self, file: BinaryIO, *, limit: int) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._limit = limit
        # The line of a place up to which line ends were counted: never twice, as objects may be tiny.
        self._line = 1
        self._counted = 0
        self._has_ended = False
        self._text = ""
        self.position = 0

    def line_at(self, offset: int) -> int:
        """Return the number of the line in which a place of the window lies."""
        if offset < self._counted:
            return self._line - self._text.count("\n", offset, self._counted)
        self._line += self._text.count("\n", self._counted, offset)
        self._counted = offset
        return self._line

    def next_character(self) -> str:
        """Return the next character that is not white space without taking it; empty at the end."""
        while True:
            while self.position < len(self._text) and self._text[self.position] in WHITE_SPACE:
                self.position += 1
            if self.position < len(self._text):
                return self._text[self.position]
            if not self._grow():
                return ""

    def skip(self) -> None:
        """Take one character."""
        self.position += 1

    def expect(self, character: str, message: str) -> None:
        """Take `character`, or raise `BadJson` with `message`."""
        if self.next_character() != character:
            raise BadJson("not_json", message, offset=self.position)
        self.skip()

    def take_object(self) -> dict[str, Any]:
        """Take the object that begins here, reading on as far as it needs; raises `BadJson`."""
        while True:
            try:
                value, end = decode_at(self._text, self.position)
            except BadJson as error:
                if not error.is_cut_short:
                    error.offset = self.position
                if not error.is_cut_short or not self._grow():
                    raise
                continue
            self.position = end
            taken: dict[str, Any] = value
            return taken

    def _grow(self) -> bool:
        self._forget_taken()
        if len(self._text) > self._limit:
            message = f"An object of the list is longer than {self._limit:,} characters."
            raise BadJson("line_too_long", message)
        if self._has_ended:
            return False
        # As much again as there is: an object is read anew each time, so the times must be few.
        chunk = self._file.read(max(JSON_CHUNK_BYTES, len(self._text)))
        self._has_ended = not chunk
        self._text += self._decode(chunk)
        return True

    def _forget_taken(self) -> None:
        self.line_at(self.position)
        self._text = self._text[self.position :]
        self._counted -= self.position
        self.position = 0

    def _decode(self, chunk: bytes) -> str:
        try:
            return self._decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            # What is fine of the chunk joins the window, so that the line of the error can be counted.
            self._text += error.object[: error.start].decode("utf-8")
            message = (
                f"The line is not UTF-8: byte 0x{error.object[error.start]:02x}. Save the file as UTF-8."
            )
            raise BadJson("not_utf8", message, offset=len(self._text)) from None


CHUNK_BYTES = 1 << 20
# How files begin that are no text; each is told apart so that the message can say what to do.
SIGNATURES = {
    b"PK\x03\x04": "a ZIP archive or spreadsheet; unpack it, or save it as CSV in UTF-8",
    b"\x1f\x8b": "compressed with gzip; unpack it first",
    b"PAR1": "a Parquet file; save it as JSONL first",
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
    b"%PDF": "a PDF document; save the table as CSV in UTF-8",
}
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A line with its number from 1 and its line end."""

    number: int
    text: str


def file_problems(source: Source) -> list[Problem]:
    """Return what speaks against reading the file at all, looking at its size and first bytes only."""
    if not source.path.is_file():
        return [source.error("file_missing", "The stored file is gone. Upload it again.")]
    size = source.path.stat().st_size
    if size > source.limits.max_bytes:
        return [
            source.error(
                "file_too_large", f"The file has {size:,} bytes; {source.limits.max_bytes:,} are allowed."
            )
        ]
    with source.path.open("rb") as file:
        beginning = file.read(1024)
    if not beginning.removeprefix(BYTE_ORDER_MARK).strip():
        return [source.error("empty_file", "The file is empty.", line=1)]
    for signature, what in SIGNATURES.items():
        if beginning.startswith(signature):
            return [source.error("not_text", f"This is {what}.", line=1)]
    return []


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
        return source.error("nul_character", "The line holds a NUL character.", line=number)
    try:
        return Line(number, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        return source.error(
            "not_utf8",
            f"The line is not UTF-8: byte 0x{raw[error.start]:02x} at byte {error.start + 1}. "
            "Save the file as UTF-8.",
            line=number,
        )


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
            if len(header) == 1 and ";" in header[0]:
                yield _separated_by_semicolons(source, row[0], header[0])
                return
            yield from _header_problems(source, row[0], header)
        else:
            yield _named(source, row[0], header, row[1], mend)
        yield from lines.take_problems()
    yield from lines.take_problems()


def _separated_by_semicolons(source: Source, line: int, header: str) -> Problem:
    message = (
        f"The header is one column, “{header[:60]}”: its names seem to be separated by semicolons. "
        "Save the file with commas, or with tabs as TSV."
    )
    return source.error("semicolons", message, line=line)


def _unreadable_cells(source: Source, error: csv.Error, *, line: int) -> Problem:
    # The csv module's advice is for whoever opens the file in Python.
    if "new-line" in str(error):
        message = "A carriage return stands alone here; end lines with a line feed, or quote the cell."
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
