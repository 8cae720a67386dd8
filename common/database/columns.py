"""Read many rows of a table as arrays, without making an object of each."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BigIntegerField, Func, QuerySet
from django.db.models.sql.compiler import SQLCompiler
from numpy.typing import NDArray

ROWS_AT_ONCE = 20_000


class Microseconds(Func):
    """A time as whole microseconds since 1970, UTC."""

    template = "CAST(EXTRACT(EPOCH FROM %(expressions)s) * 1000000 AS bigint)"
    output_field = BigIntegerField()

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any
    ) -> tuple[str, Any]:
        """Return it of the text that SQLite keeps: 2026-03-02 09:00:00, then perhaps a dot and six digits.

        Given all of that, SQLite would round to thousandths.
        """
        seconds = "CAST(strftime('%%%%s', substr(%(expressions)s, 1, 19)) AS integer)"
        rest = "CAST(substr(%(expressions)s, 21) AS integer)"
        return self.as_sql(compiler, connection, template=f"{seconds} * 1000000 + {rest}", **extra)


def read_rows(queryset: QuerySet[Any, Any], *fields: str) -> Iterator[tuple[Any, ...]]:
    """Yield these fields of every row as the database gives them: no model, no conversion.

    For numbers and texts only: what Django makes of a column afterwards (JSON, booleans of SQLite, times)
    is left out. A condition that nothing can meet asks nothing.
    """
    try:
        sql, parameters = queryset.values_list(*fields).query.sql_with_params()
    except EmptyResultSet:
        return
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
