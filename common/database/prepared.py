"""Reads that Django writes once: from then on only their values change.

Writing the SQL of a read takes longer than running it, and a rater's request makes the same reads each time.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from datetime import UTC, datetime
from functools import wraps
from itertools import count
from typing import Any, NamedTuple, TypeAlias, TypeVar, overload

from django.core.exceptions import EmptyResultSet
from django.db import connection, connections
from django.db.models import QuerySet
from django.db.models.sql import UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

from common.database.plans import noticing_poolers, planned
from common.database.rows import run_sorted, sql_together

Row = TypeVar("Row")
Value: TypeAlias = int | str | datetime
# Numbers and texts that no read holds by itself; two sets, as a read is written twice.
SETS = (7_300_000_000_100_000_000, 7_300_000_000_200_000_000)
_numbers = count()


class Change(NamedTuple):
    """New values, by field, that rows are to get by one statement."""

    rows: QuerySet[Any, Any]
    values: Mapping[str, Any]


class _Statement(NamedTuple):
    """A read or a change as it was written, and at which of its parameters which value stands."""

    found: QuerySet[Any, Any] | Sequence[QuerySet[Any, Any]] | Change
    compiler: SQLCompiler | None
    sql: str
    parameters: tuple[Any, ...]
    places: dict[int, Hashable]
    number: int


@overload
def prepared(build: Callable[..., QuerySet[Any, Row]]) -> Callable[..., list[Row]]: ...
@overload
def prepared(build: Callable[..., Sequence[QuerySet[Any, Any]] | Change]) -> Callable[..., list[Any]]: ...
def prepared(build: Callable[..., Any]) -> Callable[..., list[Any]]:
    """Return what reads all rows of the queryset that `build` makes, whose SQL is written only once.

    Of several querysets as `rows.read_together`; a `Change` is made, and nothing returned.

    Keyword arguments are the values that change: whole numbers, texts and times, and tuples of such, of
    which each length is a read of its own. Positional ones choose what is read and how. `build` must put each
    value into the read as it is, and decide nothing by it: it is called with stand-ins, twice, and what is
    not the same but for them raises `ValueError`.
    """
    known: dict[Hashable, _Statement | None] = {}

    @wraps(build)
    def read(*shape: Hashable, **values: Value | tuple[Value, ...]) -> list[Any]:
        given = dict(_flat(values))
        key = (connection.vendor, shape, tuple((name, type(value)) for name, value in given.items()))
        if key not in known:
            known[key] = _write(build, shape, values, given)
        statement = known[key]
        return [] if statement is None else _run(statement, given)

    return read


def _flat(values: dict[str, Value | tuple[Value, ...]]) -> Iterator[tuple[Hashable, Value]]:
    for name, value in values.items():
        if isinstance(value, tuple):
            yield from (((name, place), each) for place, each in enumerate(value))
        else:
            yield name, value


def _write(
    build: Callable[..., Any],
    shape: tuple[Hashable, ...],
    values: dict[str, Value | tuple[Value, ...]],
    given: dict[Hashable, Value],
) -> _Statement | None:
    """Return the statement, or None for what nothing can meet."""
    written = []
    for first in SETS:
        numbered = {
            name: _stand_in(value, first + place) for place, (name, value) in enumerate(given.items())
        }
        stand_ins = {
            name: tuple(numbered[name, place] for place in range(len(value)))
            if isinstance(value, tuple)
            else numbered[name]
            for name, value in values.items()
        }
        found = build(*shape, **stand_ins)
        try:
            compiler, (sql, parameters) = _as_sql(found)
        except EmptyResultSet:
            return None
        names = {_adapted(value): name for name, value in numbered.items()}
        places = {place: names[value] for place, value in enumerate(parameters) if value in names}
        written.append(_Statement(found, compiler, sql, tuple(parameters), places, next(_numbers)))
    one, other = written
    if _without_values(one) != _without_values(other) or {*one.places.values()} != {*given}:
        raise ValueError(f"{build.__name__} does not insert each value unchanged into the text of its query.")
    return one


def _as_sql(found: Any) -> tuple[SQLCompiler | None, tuple[str, Sequence[Any]]]:
    if isinstance(found, Change):
        update: Any = found.rows.query.chain(UpdateQuery)
        update.add_update_values(found.values)
        return None, update.get_compiler(using=found.rows.db).as_sql()
    if not isinstance(found, QuerySet):
        return None, sql_together(*found)
    compiler = found.query.get_compiler(using=found.db)
    return compiler, compiler.as_sql()


def _without_values(statement: _Statement) -> tuple[Any, ...]:
    fixed = [value for place, value in enumerate(statement.parameters) if place not in statement.places]
    return statement.sql, statement.places, fixed


def _stand_in(value: Value, number: int) -> Value:
    if isinstance(value, str):
        return f"stand-in {number}"
    return number if isinstance(value, int) else datetime.fromtimestamp(number % 10**9, tz=UTC)


def _adapted(value: Value) -> Any:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


def _run(statement: _Statement, given: dict[Hashable, Value]) -> list[Any]:
    with noticing_poolers():
        return _run_planned(statement, given)


def _run_planned(statement: _Statement, given: dict[Hashable, Value]) -> list[Any]:
    parameters = list(statement.parameters)
    for place, name in statement.places.items():
        parameters[place] = _adapted(given[name])
    sql, values = planned(statement.number, statement.sql, parameters, tuple(statement.places))
    if isinstance(statement.found, Change):
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
        return []
    if statement.compiler is None:
        return run_sorted(sql, values)
    # Django makes rows of what this compiler, which only knows how, has read on this thread's connection.
    made: Any = statement.found
    compiler: Any = copy(statement.compiler)
    compiler.connection = connections[made.db]
    compiler.as_sql = lambda *_args, **_options: (sql, values)
    query = copy(made.query)
    queryset: Any = QuerySet(made.model)
    query.get_compiler = lambda *_args, **_options: compiler
    vars(queryset).update(vars(made), _query=query)
    return list(queryset._iterable_class(queryset))
