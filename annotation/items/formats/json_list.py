"""A JSON list of objects, read object by object so that the file need not fit into memory."""

import codecs
from collections.abc import Iterator
from typing import Any, BinaryIO

from annotation.items.formats.json_values import BadJson, decode_at
from annotation.items.formats.records import Problem, Row, Source

CHUNK_BYTES = 1 << 18
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
        chunk = self._file.read(max(CHUNK_BYTES, len(self._text)))
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
