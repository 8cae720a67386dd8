"""See what the beginning of a JSON document shows of its value."""

from collections.abc import Iterator
from typing import Any

from annotation.items.formats.documents.strict_json import DECODER, WHITE_SPACE
from annotation.items.formats.records import Source

# Enough for the first record of every shape that is known; what is recognized must be seen in these.
LOOKED_AT_BYTES = 1 << 18
_OUTLINE_DEPTH = 8
_OUTLINE_ELEMENTS = 3
_BLANKS = tuple(WHITE_SPACE)


def outline_of(source: Source) -> Any:
    """Return what the beginning of a JSON document shows of its value, without what is cut off.

    Of lists the first three elements are kept. None where the beginning is no JSON.
    """
    with source.path.open("rb") as file:
        text = file.read(LOOKED_AT_BYTES).decode("utf-8-sig", errors="ignore")
    return _Outline(text).value(_OUTLINE_DEPTH)


class _Outline:
    """Reads the beginning of a value, up to where the text is cut off or broken."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._is_over = False

    def value(self, depth: int) -> Any:
        """Return what there is of the value that begins here."""
        first = self._next()
        if first == "{" and depth:
            return self._members(depth)
        if first == "[" and depth:
            return self._elements(depth)
        return self._whole()

    def _members(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for _ in self._parts("}"):
            name = self._whole()
            if self._is_over or not isinstance(name, str) or self._next() != ":":
                self._is_over = True
                break
            self._position += 1
            if self._next():
                value = self.value(depth - 1)
                # What is cut off within a text or a number is not known.
                if value is not None or not self._is_over:
                    found[name] = value
        return found

    def _elements(self, depth: int) -> list[Any]:
        found: list[Any] = []
        for _ in self._parts("]"):
            element = self.value(depth - 1)
            if len(found) < _OUTLINE_ELEMENTS and (element is not None or not self._is_over):
                found.append(element)
        return found

    def _parts(self, end: str) -> Iterator[None]:
        """Stop at the beginning of each part of an object or a list, and take its end."""
        self._position += 1
        while not self._is_over and self._next() not in ("", end):
            yield
            if not self._is_over and self._next() == ",":
                self._position += 1
            elif not self._is_over and self._next() != end:
                self._is_over = True
        self._position += 1

    def _whole(self) -> Any:
        try:
            value, self._position = DECODER.raw_decode(self._text, self._position)
        except (ValueError, RecursionError):
            self._is_over = True
            return None
        return value

    def _next(self) -> str:
        while self._text[self._position : self._position + 1] in _BLANKS:
            self._position += 1
        self._is_over = self._is_over or self._position >= len(self._text)
        return self._text[self._position : self._position + 1]
