"""Every table is in a backup or left out for a reason, and every value of it has a way there and back."""

from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.db import connection, models
from django.db.migrations.loader import MigrationLoader

from annotation.accounts.models import User
from commands.backups.files import is_path_of_ours
from commands.backups.tables import (
    LEFT_OUT,
    State,
    Table,
    kind_of,
    last_migrations,
    unknown_migrations,
)


@pytest.fixture(scope="module")
def state() -> State:
    loader = MigrationLoader(None)
    return State(loader, loader.graph.leaf_nodes())


class TestState:
    def test_has_every_table_but_those_left_out(self, state: State) -> None:
        ours = {model._meta.label_lower for model in apps.get_models(include_auto_created=True)}
        assert set(state.kept) == ours - LEFT_OUT.keys()
        assert LEFT_OUT.keys() <= ours

    def test_knows_how_every_value_is_written(self, state: State) -> None:
        for table in state.kept.values():
            for field in table.fields:
                kind_of(field)

    def test_comes_after_what_its_rows_must_point_to(self, state: State) -> None:
        order = list(state.kept)
        for label, table in state.kept.items():
            for field in table.fields:
                if field.is_relation and not field.null:
                    assert order.index(field.related_model._meta.label_lower) < order.index(label)

    def test_is_settled_once_projects_have_their_protocols(self, state: State) -> None:
        assert state.settled_after == list(state.kept).index("annotation.protocolversion") + 1


class TestTable:
    def test_has_no_way_for_a_kind_of_value_that_is_new(self) -> None:
        with pytest.raises(TypeError, match="say in KINDS"):
            kind_of(models.BinaryField(name="new"))

    def test_reads_back_what_it_wrote(self, db: None) -> None:
        at = datetime(2026, 3, 2, 9, 0, 0, 1, tzinfo=UTC)
        user = User.objects.create(username="a", last_login=at)
        table = Table(User)
        (row,) = table.rows()
        assert row[table.columns.index("last_login")] == "2026-03-02T09:00:00.000001+00:00"
        values = dict(zip(table.columns, table.reader()(row), strict=True))
        assert values == {name: getattr(user, name) for name in table.columns}

    @pytest.mark.parametrize("wrong", ["1", 1.0, True, 2**63, None, [1]])
    def test_refuses_a_key_that_is_none(self, db: None, wrong: object) -> None:
        User.objects.create(username="a")
        table = Table(User)
        (row,) = table.rows()
        row[0] = wrong
        with pytest.raises(ValueError, match="“id” must be a whole number"):
            table.reader()(row)

    def test_refuses_half_a_character_and_a_row_of_other_length(self, db: None) -> None:
        User.objects.create(username="a")
        table = Table(User)
        (row,) = table.rows()
        with pytest.raises(ValueError, match="values for"):
            table.reader()(row[1:])
        row[table.columns.index("name")] = "\ud800"
        with pytest.raises(ValueError, match="name"):
            table.reader()(row)


class TestMigrations:
    def test_are_the_last_that_the_database_has(self, db: None) -> None:
        loader = MigrationLoader(connection)
        assert {(app, name) for app, names in last_migrations(loader).items() for name in names} == set(
            loader.graph.leaf_nodes()
        )

    def test_of_a_newer_version_are_told(self, db: None) -> None:
        loader = MigrationLoader(connection)
        assert unknown_migrations(loader) == []
        loader.applied_migrations[("annotation", "0999_later")] = None  # type: ignore[assignment]
        assert unknown_migrations(loader) == ["annotation.0999_later"]


class TestPaths:
    @pytest.mark.parametrize("path", ["uploads/abc/0", "uploads/abc/0.latin-1", "exports/x_votes é.csv"])
    def test_of_ours(self, path: str) -> None:
        assert is_path_of_ours(path)

    @pytest.mark.parametrize("path", ["", "exports", "queue/x", "uploads/..", "uploads/a\0"])
    def test_of_others(self, path: str) -> None:
        assert not is_path_of_ours(path)
