"""Count, by triggers, what changes of a project: whatever writes, and however, the count moves with it.

The database itself counts, in the transaction of the change, as no signal of Django's hears of updates,
bulk inserts, COPY or cascades. PostgreSQL adds a row for each statement, so that nobody waits for a row that
somebody else has changed. SQLite, where one writes at a time anyway, has a row for each area of a project.
"""

from collections.abc import Collection, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import ForeignKey, Model

# Of triggers that are in the database a digest of them all follows.
PREFIX = "counts_in_"
EVENTS = ("INSERT", "UPDATE", "DELETE")
# A function is planned once, for few rows or for many: going by the keys is quick for both.
BY_KEYS = "SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off"


class Watched(NamedTuple):
    """A table whose changes count, and the area of a project that they belong to.

    path: the foreign keys from a row to its project, as Django joins them; empty for projects themselves.
    apart: fields whose changes belong to another area. only: the fields whose changes count; empty for all.
    """

    model: type[Model]
    path: str
    area: int
    apart: Mapping[str, int] = {}
    only: Collection[str] = ()

    @property
    def is_by_column(self) -> bool:
        """Whether it matters which columns of a row change."""
        return bool(self.apart or self.only)

    @property
    def table(self) -> str:
        """The name in the database."""
        return self.model._meta.db_table

    @property
    def columns(self) -> dict[int, list[str]]:
        """The columns whose changes belong to each area."""
        found: dict[int, list[str]] = {area: [] for area in (self.area, *self.apart.values())}
        for field in self.model._meta.local_concrete_fields:
            is_counted = not self.only or field.name in self.only
            if is_counted and not field.primary_key and field.column != self.steps[0][1]:
                found[self.apart.get(field.name, self.area)].append(f'"{field.column}"')
        return found

    @property
    def steps(self) -> list[tuple[str, str]]:
        """The tables on the path, each with the column that leads on; the last holds the project's key."""
        if not self.path:
            return [(self.table, "id")]
        model, found = self.model, []
        for name in self.path.split("__"):
            field = model._meta.get_field(name)
            assert isinstance(field, ForeignKey)
            found.append((model._meta.db_table, field.column))
            assert field.related_model != "self"
            model = field.related_model
        return found


class Revisions(NamedTuple):
    """Of which projects it is counted what changes, into which table, in which areas."""

    projects: type[Model]
    changes: type[Model]
    areas: tuple[int, ...]
    watched: tuple[Watched, ...]


def watch(revisions: Revisions) -> None:
    """Make the triggers, unless they are there as they should be."""
    statements = list(_postgres(revisions) if connection.vendor == "postgresql" else _sqlite(revisions))
    prefix = f"{PREFIX}{blake2b(''.join(statements).encode(), digest_size=4).hexdigest()}_"
    with transaction.atomic(), connection.cursor() as cursor:
        found = _find(cursor)
        is_whole = len(found) == sum(" TRIGGER " in statement for statement in statements)
        if is_whole and all(name.startswith(prefix) for name in found):
            return
        _drop(cursor)
        for statement in statements:
            cursor.execute(statement.replace(PREFIX, prefix))


def stop_watching() -> None:
    """Take the triggers away: SQLite makes no table anew that a trigger of another mentions."""
    with transaction.atomic(), connection.cursor() as cursor:
        _drop(cursor)


def _find(cursor: CursorWrapper) -> list[str]:
    """Return the names of the triggers."""
    if connection.vendor == "postgresql":
        cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")
    else:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    return [name for (name,) in cursor.fetchall() if name.startswith(PREFIX)]


def _drop(cursor: CursorWrapper) -> None:
    if connection.vendor != "postgresql":
        for name in _find(cursor):
            cursor.execute(f"DROP TRIGGER {name}")
        return
    cursor.execute("SELECT proname FROM pg_proc WHERE prorettype = 'trigger'::regtype ORDER BY proname")
    for (name,) in cursor.fetchall():
        if name.startswith(PREFIX):
            cursor.execute(f"DROP FUNCTION {name} CASCADE")


def _sqlite(revisions: Revisions) -> Iterator[str]:
    """Yield what makes the rows of each project, then the triggers of the tables, which SQLite runs by row.

    What was written while there were none counts as a change of everything. A number may come again after a
    rollback, a mark does not.
    """
    projects, changes = revisions.projects._meta.db_table, revisions.changes._meta.db_table
    insert = f"INSERT INTO {changes} (project_id, area, changes, mark)"
    for area in revisions.areas:
        yield (
            f"{insert} SELECT id, {area}, 1, random() FROM {projects} WHERE id NOT IN "
            f"(SELECT project_id FROM {changes} WHERE area = {area})"
        )
    yield f"UPDATE {changes} SET changes = changes + 1, mark = random()"
    values = ", ".join(f"(NEW.id, {area}, 1, random())" for area in revisions.areas)
    yield f"CREATE TRIGGER {PREFIX}{projects} AFTER INSERT ON {projects} BEGIN {insert} VALUES {values}; END"
    for watched in revisions.watched:
        for event in EVENTS:
            yield from _sqlite_triggers(watched, event, changes)


def _sqlite_triggers(watched: Watched, event: str, changes: str) -> Iterator[str]:
    row = "OLD" if event == "DELETE" else "NEW"
    (_, column), *steps = watched.steps
    project = f"{row}.{column}"
    for table, following in steps:
        project = f"(SELECT {following} FROM {table} WHERE id = {project})"
    columns = watched.columns
    if event != "UPDATE" or not watched.is_by_column:
        columns = {watched.area: []}
    for area, own in columns.items():
        of = f" OF {', '.join(own)}" if own else ""
        yield (
            f"CREATE TRIGGER {PREFIX}{watched.table}_{event.lower()}_{area} "
            f"AFTER {event}{of} ON {watched.table} BEGIN "
            f"UPDATE {changes} SET changes = changes + 1, mark = random() "
            f"WHERE project_id = {project} AND area = {area}; END"
        )


def _postgres(revisions: Revisions) -> Iterator[str]:
    """Yield a function for each table, and the triggers that call it once a statement."""
    changes = revisions.changes._meta.db_table
    for watched in revisions.watched:
        yield _function(f"{PREFIX}of_{watched.table}", _found(watched), changes, options=BY_KEYS)
        if watched.is_by_column:
            yield _function(f"{PREFIX}within_{watched.table}", _found_within(watched), changes)
        for event in EVENTS:
            yield _postgres_trigger(watched, event)
    # While there were none others may have written: once they are through, that is a change of everything.
    for area in revisions.areas:
        yield (
            f"INSERT INTO {changes} (project_id, area, changes, mark) SELECT id, {area}, 1, "
            f"nextval(pg_get_serial_sequence('{changes}', 'id')) FROM {revisions.projects._meta.db_table}"
        )


def _postgres_trigger(watched: Watched, event: str) -> str:
    kind, rows = "of", f"{'OLD' if event == 'DELETE' else 'NEW'} TABLE AS changed"
    if watched.is_by_column and event == "UPDATE":
        kind, rows = "within", f"{rows} OLD TABLE AS former"
    return (
        f"CREATE TRIGGER {PREFIX}{watched.table}_{event.lower()} AFTER {event} ON {watched.table} "
        f"REFERENCING {rows} FOR EACH STATEMENT EXECUTE FUNCTION {PREFIX}{kind}_{watched.table}()"
    )


def _function(name: str, found: str, changes: str, *, options: str = "") -> str:
    return (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql {options} AS $$ BEGIN "
        f"INSERT INTO {changes} (project_id, area, changes, mark) "
        f"SELECT project_id, area, 1, nextval(pg_get_serial_sequence('{changes}', 'id')) "
        f"FROM ({found}) found; RETURN NULL; END $$"
    )


def _found(watched: Watched) -> str:
    """Return the query for the projects whose rows changed."""
    (_, column), *steps = watched.steps
    project, joins = f"changed.{column}", ""
    for place, (table, following) in enumerate(steps):
        joins += f" JOIN {table} step{place} ON step{place}.id = {project}"
        project = f"step{place}.{following}"
    return f"SELECT DISTINCT {project} AS project_id, {watched.area} AS area FROM changed{joins}"


def _found_within(watched: Watched) -> str:
    """Return the query for the projects, with the areas to which the columns belong that changed."""
    ((_, project),) = watched.steps
    areas = (
        f"SELECT DISTINCT project_id, {area} AS area FROM "
        f"(SELECT id, {project} AS project_id, {', '.join(own)} FROM changed EXCEPT "
        f"SELECT id, {project}, {', '.join(own)} FROM former) differing{area}"
        for area, own in watched.columns.items()
    )
    return " UNION ALL ".join(areas)
