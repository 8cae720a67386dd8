"""The tables of a database at a state of its migrations, and what their values are in a file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple

from django.db import connection, models
from django.db.migrations.loader import MigrationLoader
from django.db.models import Field, Model

from judges.bundles import rules
from judges.bundles.rules import time_text

Node = tuple[str, str]

# Of this server at this moment; each with why it stays.
LEFT_OUT: Mapping[str, str] = {
    "sessions.session": "who is signed in: everybody signs in again",
    "annotation.spentsignin": "sign-ins through a provider that were completed in the last few minutes",
    "annotation.wrongtries": "counts wrong passwords for fifteen minutes",
    "annotation.passwordrequest": "is answered within seconds",
    "annotation.outgoingmail": "was sent by this server, or would be sent twice",
    "annotation.change": "counts changes; the new database starts its own count",
    "judges.lastsweep": "says when this server’s sweeper was last at work",
}
# A database has these as soon as it has tables.
MADE_WITH_TABLES = ("contenttypes.contenttype", "auth.permission")
AT_ONCE = 2_000
LARGEST = 2**63


class Kind(NamedTuple):
    """How values of a field are written and read; `None` writes them as they are."""

    write: Callable[[Any], Any] | None
    read: Callable[[Any], Any]


def _any(value: Any) -> Any:
    return value


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    # Halves of characters, which no database takes.
    value.encode()
    return value


_WHOLE = Kind(None, rules.whole_number(-LARGEST, LARGEST - 1))
_TEXT = Kind(None, _read_text)
# JSON keeps each of these exactly: numbers with a point are written by as many digits as tell them apart.
KINDS: tuple[tuple[type["Field[Any, Any]"], Kind], ...] = (
    (models.JSONField, Kind(None, _any)),
    (models.DateTimeField, Kind(time_text, rules.read_time)),
    (models.BooleanField, Kind(None, rules.read_flag)),
    (models.FloatField, Kind(None, rules.read_number)),
    (models.IntegerField, _WHOLE),
    (models.CharField, _TEXT),
    (models.TextField, _TEXT),
)


def kind_of(field: "Field[Any, Any]") -> Kind:
    """Return how a field's values are written; raises `TypeError` for a kind of field that is new here."""
    while field.remote_field is not None:
        field = field.target_field  # type: ignore[attr-defined]
    for each, kind in KINDS:
        if isinstance(field, each):
            return kind
    raise TypeError(f"{field}: say in KINDS how its values are written.")


class Table:
    """A table of a state."""

    def __init__(self, model: type[Model]) -> None:
        self.model = model
        self.label = model._meta.label_lower
        self.fields: list[Field[Any, Any]] = list(model._meta.local_concrete_fields)
        self.columns = [field.attname for field in self.fields]

    @property
    def name(self) -> str:
        """The table's name in the database."""
        return self.model._meta.db_table

    @property
    def has_sequence(self) -> bool:
        """Whether the database numbers the rows."""
        return isinstance(self.model._meta.pk, models.AutoField)

    def rows(self) -> Iterator[list[Any]]:
        """Yield the rows by their keys, as they are written: read a few at a time."""
        writers = [(place, kind.write) for place, field in enumerate(self.fields) if (kind := kind_of(field))]
        changing = [(place, write) for place, write in writers if write is not None]
        found = self.model._base_manager.order_by("pk").values_list(*self.columns)
        for row in found.iterator(chunk_size=AT_ONCE):
            values = list(row)
            for place, write in changing:
                values[place] = write(values[place])
            yield values

    def reader(self) -> Callable[[Sequence[Any]], list[Any]]:
        """Return what makes the database's values of a written row; it raises `ValueError`."""
        cells = [(field.attname, field.null, kind_of(field).read) for field in self.fields]

        def read(row: Sequence[Any]) -> list[Any]:
            if len(row) != len(cells):
                raise ValueError(f"the row has {len(row):,} values for {len(cells)} columns")
            return [_read(*cell, value) for cell, value in zip(cells, row, strict=True)]

        return read

    def last_key(self) -> int | None:
        """Return the highest key that the database gave, perhaps to a row that is gone; None: none."""
        if not self.has_sequence:
            return None
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(
                    "SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, 'id')::regclass)", [self.name]
                )
            else:
                cursor.execute("SELECT MAX(seq) FROM sqlite_sequence WHERE name = %s", [self.name])
            ((found,),) = cursor.fetchall()
        return found or 0

    def give_keys_after(self, key: int) -> None:
        """Let the database give higher keys than this one, and than those of the rows."""
        highest = self.model._base_manager.aggregate(highest=models.Max("pk"))["highest"] or 0
        last = max(key, highest)
        if last == 0:
            return
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [self.name, last])
                return
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [self.name])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [self.name, last])


def _read(name: str, is_nullable: bool, read: Callable[[Any], Any], value: Any) -> Any:
    if value is None and is_nullable:
        return None
    try:
        return read(value)
    except ValueError as error:
        raise ValueError(f"“{name}” {error}") from None


class State:
    """The tables at a state of the migrations, each after all that its rows must point to.

    settled_after: once the first so many tables are filled, no row points to one that is missing.
    """

    def __init__(self, loader: MigrationLoader, nodes: Sequence[Node]) -> None:
        apps = loader.project_state(list(nodes)).apps
        found = [Table(model) for model in apps.get_models(include_auto_created=True)]
        self.all = [table for table in found if table.model._meta.managed and not table.model._meta.proxy]
        ordered, self.settled_after = _in_order([table for table in self.all if table.label not in LEFT_OUT])
        self.kept = {table.label: table for table in ordered}


def _in_order(tables: Sequence[Table]) -> tuple[list[Table], int]:
    by_label = {table.label: table for table in sorted(tables, key=lambda table: table.label)}
    needs: dict[str, list[str]] = {label: [] for label in by_label}
    later: list[tuple[str, str]] = []
    links = [
        (field.null, label, field.related_model._meta.label_lower)  # type: ignore[union-attr]
        for label, table in by_label.items()
        for field in table.fields
        if field.is_relation
    ]
    # What may be empty comes last, so that it is what gives way in a circle.
    for _, label, other in sorted(links):
        if label == other:
            continue
        needs[label].append(other)
        try:
            TopologicalSorter(needs).prepare()
        except CycleError:
            needs[label].remove(other)
            later.append((label, other))
    order = list(TopologicalSorter(needs).static_order())
    settled = max((order.index(other) + 1 for _, other in later), default=0)
    return [by_label[label] for label in order], settled


def last_migrations(loader: MigrationLoader) -> dict[str, list[str]]:
    """Return the last migrations of each app that the database has."""
    graph, applied = loader.graph, loader.applied_migrations
    found: dict[str, list[str]] = {}
    for node in sorted(key for key in graph.nodes if key in applied):
        app, name = node
        if not any(child.key in applied for child in graph.node_map[node].children if child.key[0] == app):
            found.setdefault(app, []).append(name)
    return found


def unknown_migrations(loader: MigrationLoader) -> list[str]:
    """Return the migrations that the database has and this version does not know."""
    return sorted(
        f"{app}.{name}"
        for app, name in loader.applied_migrations
        if app in loader.migrated_apps and (app, name) not in (loader.disk_migrations or {})
    )
