"""Read a JSON document piece by piece, however long it is: the objects of a list, or the values at a path."""

import codecs
from collections.abc import Container, Iterator
from typing import Any, BinaryIO, NamedTuple

from annotation.items.formats.documents.strict_json import WHITE_SPACE, BadJson, decode_at
from annotation.items.formats.records import Problem, Row, Source

JSON_CHUNK_BYTES = 1 << 18
NUMBER_CHARACTERS = "0123456789.eE+-"


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
        raise BadJson("not_json", "There is text after the end of the list.", offset=window.position)


def _read_members(window: "_Window") -> Iterator[Row | Problem]:
    while True:
        if window.next_character() != "{":
            raise BadJson("not_an_object", "An object {…} was expected here.", offset=window.position)
        line = window.line_at(window.position)
        yield Row(line, window.take_value())
        if window.next_character() == "]":
            window.skip()
            return
        window.expect(",", "A comma or the end of the list was expected here.")


# In a path: every element of a list, and every member of an object.
EACH = "[]"
NAMED = "{}"
# Below this depth what nobody reads is parsed at once.
_SKIPPED_DEPTH = 4


class Found(NamedTuple):
    """A value of a document: its line, the names on the way to it that the path left open, itself.

    place: the numbers, from 0, of the elements on the way to it.
    """

    line: int
    names: tuple[str, ...]
    value: Any
    place: tuple[int, ...] = ()


class Walk:
    """Finds the values at a path of a JSON document, piece by piece, however long the document is.

    passed_by: the names of the members beside the path, those of one depth once each. beside: those of them
    that are to be kept in `kept` instead, by the place of their object; the caller takes them out of it.
    """

    def __init__(
        self,
        source: Source,
        path: tuple[str, ...],
        *,
        but: Container[str] = (),
        beside: Container[str] = (),
    ) -> None:
        self.passed_by: dict[str, None] = {}
        self.kept: dict[tuple[int, ...], dict[str, Any]] = {}
        self._beside = beside
        self._source = source
        self._path = path
        # Members of the objects at the end of the path that are passed by.
        self._but = but

    def found(self) -> Iterator[Found | Problem]:
        """Yield each value at the path in the order of the document; what is broken ends the reading."""
        with self._source.path.open("rb") as file:
            window = _Window(file, limit=self._source.limits.max_line_bytes)
            try:
                yield from self._values(window, self._path, (), ())
                if window.next_character():
                    raise BadJson(
                        "not_json", "There is text after the end of the JSON.", offset=window.position
                    )
            except BadJson as error:
                yield self._source.error(error.code, error.message, line=window.line_at(error.offset))

    def _values(
        self, window: "_Window", path: tuple[str, ...], names: tuple[str, ...], place: tuple[int, ...]
    ) -> Iterator[Found]:
        if not path:
            first = window.next_character()
            line = window.line_at(window.position)
            value = self._object(window) if self._but and first == "{" else window.take_value()
            yield Found(line, names, value, place)
        elif window.next_character() == "[" and path[0] == EACH:
            for number, _ in enumerate(window.elements()):
                yield from self._values(window, path[1:], names, (*place, number))
        elif window.next_character() == "{" and path[0] != EACH:
            yield from self._members(window, path, names, place)
        else:
            what = "A list" if path[0] == EACH else "An object"
            raise BadJson("unexpected_shape", f"{what} was expected here.", offset=window.position)

    def _object(self, window: "_Window") -> dict[str, Any]:
        """Take an object without the members that are passed by, which may be longer than an object may."""
        taken: dict[str, Any] = {}
        for name in window.members():
            if name in self._but:
                self.passed_by.setdefault(name)
                window.skip_value(_SKIPPED_DEPTH)
            else:
                taken[name] = window.take_value()
        return taken

    def _members(
        self, window: "_Window", path: tuple[str, ...], names: tuple[str, ...], place: tuple[int, ...]
    ) -> Iterator[Found]:
        for name in window.members():
            if path[0] == NAMED:
                yield from self._values(window, path[1:], (*names, name), place)
            elif name == path[0]:
                yield from self._values(window, path[1:], names, place)
            elif name in self._beside:
                self.kept.setdefault(place, {})[name] = window.take_value()
            else:
                self.passed_by.setdefault(name)
                window.skip_value(_SKIPPED_DEPTH)


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

    def take_value(self) -> Any:
        """Take the value that begins here, reading on as far as it needs; raises `BadJson`."""
        self.next_character()
        while True:
            try:
                value, end = decode_at(self._text, self.position)
            except BadJson as error:
                if not error.is_cut_short:
                    error.offset = self.position
                if not error.is_cut_short or not self._grow():
                    raise
                continue
            if self._may_go_on(end) and self._grow():
                continue
            self.position = end
            return value

    def _may_go_on(self, end: int) -> bool:
        """Whether what was read breaks off within the number that begins here; “-1.” is read as -1."""
        if self._text[self.position] not in "-0123456789":
            return False
        while end < len(self._text) and self._text[end] in NUMBER_CHARACTERS:
            end += 1
        return end == len(self._text)

    def members(self) -> Iterator[str]:
        """Yield the name of each member of the object that begins here; the caller takes its value.

        Raises `BadJson`, and so where a name appears twice.
        """
        self.skip()
        seen: set[str] = set()
        while self._has_part("}", is_first=not seen):
            at = self.position
            if self.next_character() != '"':
                raise BadJson("not_json", "A key in quotation marks was expected here.", offset=at)
            name = self.take_value()
            if name in seen:
                message = f"The key “{name[:60]}” appears twice in one object."
                raise BadJson("repeated_key", message, offset=self.position)
            seen.add(name)
            self.expect(":", "A colon was expected here.")
            self.next_character()
            yield name

    def elements(self) -> Iterator[None]:
        """Stop at each element of the list that begins here; the caller takes it. Raises `BadJson`."""
        self.skip()
        is_first = True
        while self._has_part("]", is_first=is_first):
            is_first = False
            yield

    def _has_part(self, end: str, *, is_first: bool) -> bool:
        """Say whether another part follows, and stop at its beginning; else take the end."""
        if self.next_character() == end:
            self.skip()
            return False
        if not is_first:
            self.expect(",", f"A comma or “{end}” was expected here.")
            self.next_character()
        return True

    def skip_value(self, depth: int) -> None:
        """Pass by the value that begins here; what is nested deeper than `depth` is parsed at once."""
        first = self.next_character()
        if depth and first in ("{", "["):
            for _ in self.members() if first == "{" else self.elements():
                self.skip_value(depth - 1)
        else:
            self.take_value()

    def _grow(self) -> bool:
        self._forget_taken()
        if len(self._text) > self._limit:
            message = f"An object in the list is longer than {self._limit:,} characters."
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
                f"The line is not UTF-8: byte 0x{error.object[error.start]:02x}. Save the file as UTF-8, or "
                "choose its encoding under “Encoding.”"
            )
            raise BadJson("not_utf8", message, offset=len(self._text)) from None
