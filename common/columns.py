"""Read many rows of a table as arrays, without making an object of each."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
from django.db import connections
from django.db.models import BigIntegerField, Count, F, Max, Model, QuerySet, Sum
from numpy.typing import NDArray

ROWS_AT_ONCE = 20_000
# Keeps sums of squares within 64 bits.
MODULUS = 1_000_003


def read_rows(queryset: QuerySet[Any, Any], *fields: str) -> Iterator[tuple[Any, ...]]:
    """Yield these fields of every row as the database gives them: no model, no conversion.

    For numbers and texts only: what Django makes of a column afterwards (JSON, booleans of SQLite, times)
    is left out.
    """
    sql, parameters = queryset.values_list(*fields).query.sql_with_params()
    with connections[queryset.db].cursor() as cursor:
        cursor.execute(sql, parameters)
        while rows := cursor.fetchmany(ROWS_AT_ONCE):
            yield from rows


def read_numbers(queryset: QuerySet[Any, Any], *fields: str) -> NDArray[np.float64]:
    """Return rows × fields; every value is a number, never null. Whole numbers are exact up to 2**53."""
    flat = np.fromiter(chain.from_iterable(read_rows(queryset, *fields)), dtype=np.float64)
    return flat.reshape(-1, len(fields))


def read_integers(queryset: QuerySet[Any, Any], *fields: str) -> NDArray[np.int64]:
    """Return rows × fields of whole numbers; none is null."""
    flat = np.fromiter(chain.from_iterable(read_rows(queryset, *fields)), dtype=np.int64)
    return flat.reshape(-1, len(fields))


def last_change(queryset: QuerySet[Model], *more: str) -> tuple[int, ...]:
    """Return what tells one state of these rows from another: their number and the last key, and sums.

    more: whole-number fields that change in place, or whose rows come and go; a change moves their sum. Two
    rows that change may leave the sum as it was, but hardly that of the squares, too.
    """
    sums = {f"sum_{field}": Sum(field) for field in more}
    squares = {
        f"squares_{field}": Sum(F(field) * F(field) % MODULUS, output_field=BigIntegerField())
        for field in more
    }
    found = queryset.order_by().aggregate(rows=Count("pk"), last=Max("pk"), **sums, **squares)
    return tuple(int(value or 0) for value in found.values())
