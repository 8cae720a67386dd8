"""Bytes to lines of text: UTF-8 only, bounded, and saying where it is not."""

from collections.abc import Iterator
from typing import NamedTuple

from annotation.items.formats.records import Problem, Source

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
