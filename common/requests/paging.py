"""Long lists leave in pages: how many rows one has, and beside which row it begins.

A cursor holds the values by which the list orders that row, so rows that come or go meanwhile neither repeat
nor hide others. Only this server reads one, and only at the address that gave it.
"""

import base64
import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.db.models import Model, Q, QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from common.encryption.vault import keys_for

Row = TypeVar("Row")

# A list that is saved is read by so many rows at once; a page on screen has fewer.
MOST_ROWS = 1_000
LONGEST_CURSOR = 500
PURPOSE = b"assay.cursors"


def limit_field(usual: int) -> serializers.IntegerField:
    """Return a form's field for the most rows that a page has, where not the usual ones."""
    return serializers.IntegerField(
        required=False,
        default=usual,
        min_value=1,
        max_value=MOST_ROWS,
        help_text="The maximum number of rows to return.",
    )


def cursor_field() -> serializers.CharField:
    """Return a form's field for where a page begins."""
    return serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=LONGEST_CURSOR,
        help_text=(
            "The `next` or `previous` from another page of the same list. Without one, the reply has the "
            "first rows."
        ),
    )


# What the schema says of a page's place, whichever record has it.
COUNT = "The number of rows in the whole list."
BEFORE = "The number of rows before this page."
PREVIOUS = "The `cursor` of the previous page; null if there is none."
NEXT = "The `cursor` of the next page; null if there is none."


def _said(words: str) -> dict[str, Any]:
    return {"serializer_kwargs": {"help_text": words}}


@dataclass(frozen=True)
class Paged:
    """Where a page stands in its list; the rows come beside it."""

    count: int = field(metadata=_said(COUNT))
    before: int = field(metadata=_said(BEFORE))
    previous: str | None = field(metadata=_said(PREVIOUS))
    next: str | None = field(metadata=_said(NEXT))


class PageSerializer(serializers.Serializer[Any]):
    """The same for records that are no dataclasses."""

    count = serializers.IntegerField(help_text=COUNT)
    before = serializers.IntegerField(help_text=BEFORE)
    previous = serializers.CharField(allow_null=True, help_text=PREVIOUS)
    next = serializers.CharField(allow_null=True, help_text=NEXT)


class Cursor(NamedTuple):
    """Beside which row a page begins, or ends if it looks back; without a row, at the end of the list."""

    row: tuple[Any, ...] = ()
    is_back: bool = False


class Page(NamedTuple, Generic[Row]):
    """Rows of a list, and where they stand in it."""

    rows: list[Row]
    paged: Paged

    @property
    def place(self) -> dict[str, Any]:
        """Return the fields of `Paged`, for a record that has them."""
        return asdict(self.paged)


def write_cursor(request: Request, cursor: Cursor) -> str:
    """Return a cursor as it leaves: the same one is always the same text, so replies keep their ETag."""
    text = json.dumps([int(cursor.is_back), *map(_plain, cursor.row)], ensure_ascii=False)
    sealed = AESSIV(keys_for(PURPOSE)[0]).encrypt(text.encode(), [request.path.encode()])
    return base64.urlsafe_b64encode(sealed).decode().rstrip("=")


def read_cursor(request: Request, text: str) -> Cursor | None:
    """Return where a page begins, None for the beginning; refuses whatever this list did not give."""
    if not text:
        return None
    try:
        sealed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise foreign_cursor() from None
    for key in keys_for(PURPOSE):
        try:
            is_back, *row = json.loads(AESSIV(key).decrypt(sealed, [request.path.encode()]))
        except (InvalidTag, ValueError):
            continue
        return Cursor(tuple(row), bool(is_back))
    raise foreign_cursor()


def foreign_cursor() -> serializers.ValidationError:
    """Return the refusal of a cursor that leads nowhere in this list."""
    words = (
        "This cursor does not belong to this list. Use `next` or `previous` from another page of the "
        "same list, or leave `cursor` out to start from the beginning."
    )
    return serializers.ValidationError({"cursor": [words]})


def cut_page(
    request: Request,
    rows: QuerySet[Any, Row] | Sequence[Row],
    asked: Mapping[str, Any],
    *,
    key: Callable[[Row], tuple[Any, ...]] | None = None,
) -> Page[Row]:
    """Return the page that a checked query asks for.

    rows: a query ordered by names of fields that are never null and of which the last is unique; or rows in
    the order of their `key`. key: the values that a row is ordered by; of a query of objects, its fields.
    """
    cursor = read_cursor(request, asked["cursor"])
    found = _Stored(rows, key) if isinstance(rows, QuerySet) else _Read(rows, key or _itself)
    if cursor is not None and cursor.row and not found.knows(cursor.row):
        raise foreign_cursor()
    before, page = _take(found, cursor, asked["limit"])
    ends = [found.key(page[place]) for place in (0, -1)] if page else []
    place = place_beside(request, ends, count=found.count(), before=before, shown=len(page))
    return Page(page, place)


def place_beside(
    request: Request, ends: Sequence[tuple[Any, ...]], *, count: int, before: int, shown: int
) -> Paged:
    """Return the place of a page of so many rows; ends: by what its first and last row are found."""
    # Of a page past the end, the one before it are the last rows.
    back = Cursor(ends[0] if ends else (), is_back=True)
    has_next = bool(ends) and before + shown < count
    return Paged(
        count=count,
        before=before,
        previous=write_cursor(request, back) if before > 0 else None,
        next=write_cursor(request, Cursor(ends[-1])) if has_next else None,
    )


def _take(found: "_Stored[Row] | _Read[Row]", cursor: Cursor | None, limit: int) -> tuple[int, list[Row]]:
    """Return a page, and how many rows stand before it."""
    if cursor is None:
        return 0, found.slice(0, limit)
    if not cursor.is_back:
        return found.after(cursor.row, limit)
    before, page = found.before(cursor.row, limit)
    # Fewer than a page stand before it: the first page is a whole one.
    return (before, page) if before > 0 else (0, found.slice(0, limit))


def _itself(row: Any) -> tuple[Any, ...]:
    return tuple(row)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


class _Read(Generic[Row]):
    """Rows that are read already, in the order of their keys."""

    def __init__(self, rows: Sequence[Row], key: Callable[[Row], tuple[Any, ...]]) -> None:
        self._rows = rows
        self.key = key

    def knows(self, row: tuple[Any, ...]) -> bool:
        return not self._rows or len(row) == len(self.key(self._rows[0]))

    def count(self) -> int:
        return len(self._rows)

    def slice(self, start: int, limit: int) -> list[Row]:
        return list(self._rows[start : start + limit])

    def after(self, row: tuple[Any, ...], limit: int) -> tuple[int, list[Row]]:
        start = bisect_right(self._rows, row, key=self.key)
        return start, self.slice(start, limit)

    def before(self, row: tuple[Any, ...], limit: int) -> tuple[int, list[Row]]:
        end = bisect_left(self._rows, row, key=self.key) if row else len(self._rows)
        start = max(0, end - limit)
        return start, list(self._rows[start:end])


class _Stored(Generic[Row]):
    """Rows of the database, of which a page alone is read."""

    def __init__(self, rows: QuerySet[Any, Row], key: Callable[[Row], tuple[Any, ...]] | None) -> None:
        self._rows = rows
        self._order = [str(name) for name in rows.query.order_by]
        self.key = key or self._fields_of

    def knows(self, row: tuple[Any, ...]) -> bool:
        return len(row) == len(self._order)

    def _fields_of(self, row: Any) -> tuple[Any, ...]:
        return tuple(_field_of(row, name.removeprefix("-")) for name in self._order)

    def count(self) -> int:
        return self._rows.count()

    def slice(self, start: int, limit: int) -> list[Row]:
        return list(self._rows[start : start + limit])

    def after(self, row: tuple[Any, ...], limit: int) -> tuple[int, list[Row]]:
        rest = self._rows.filter(self._beyond(row, is_back=False))
        return self.count() - rest.count(), list(rest[:limit])

    def before(self, row: tuple[Any, ...], limit: int) -> tuple[int, list[Row]]:
        rest = self._rows.filter(self._beyond(row, is_back=True)) if row else self._rows
        page = list(rest.reverse()[:limit])[::-1]
        return max(0, rest.count() - len(page)), page

    def _beyond(self, row: tuple[Any, ...], *, is_back: bool) -> Q:
        """Return which rows stand after a row, or before it."""
        found: Q | None = None
        for name, value in reversed(list(zip(self._order, row, strict=True))):
            field = name.removeprefix("-")
            way = "lt" if name.startswith("-") != is_back else "gt"
            nearer = Q((f"{field}__{way}", value))
            # The first bound is said again for all: by it an index is read from where the page begins.
            tied = None if found is None else Q((f"{field}__{way}e", value)) & (nearer | found)
            found = nearer if tied is None else tied
        return found or Q()


def _field_of(row: Model, path: str) -> Any:
    value: Any = row
    for name in path.split("__"):
        value = getattr(value, name)
    return value
