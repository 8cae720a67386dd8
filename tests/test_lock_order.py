"""Who takes a project's row has changed and locked no other row before, so that nobody waits in a circle.

Read from the URL configuration and the schema, so that no new act is forgotten. SQLite locks no rows: what
counts is the order in which the same code asks for them on PostgreSQL.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.transaction import Atomic

from annotation.projects.models import Project
from tests.conftest import ClientOf
from tests.requests_from_schema import Operation, operations
from tests.routes import WRITING, rolled_back
from tests.usual import usual_of
from tests.world import World

pytestmark = pytest.mark.long

CHANGING = re.compile(r'\s*(?:UPDATE|DELETE FROM) "?(\w+)"?')
PROJECTS = Project._meta.db_table


class Recorder:
    """Notes of each transaction the tables whose rows it locks or changes, in order."""

    def __init__(self) -> None:
        self.transactions: list[list[str]] = []
        self.depth = 0
        self.enter, self.leave, self.lock = Atomic.__enter__, Atomic.__exit__, QuerySet.select_for_update

    def begin(self, atomic: Atomic) -> None:
        if self.depth == 0:
            self.transactions.append([])
        self.depth += 1
        self.enter(atomic)

    def end(self, atomic: Atomic, *error: Any) -> None:
        self.depth -= 1
        self.leave(atomic, *error)

    def note(self, table: str) -> None:
        if self.depth:
            self.transactions[-1].append(table)

    def note_lock(self, rows: QuerySet[Any], *options: Any, **more: Any) -> QuerySet[Any]:
        self.note(rows.model._meta.db_table)
        return self.lock(rows, *options, **more)

    def note_change(self, execute: Any, sql: str, *rest: Any) -> Any:
        if found := CHANGING.match(sql):
            self.note(found.group(1))
        return execute(sql, *rest)

    @property
    def late(self) -> list[list[str]]:
        """What came before the project's row, of the transactions that took it after others."""
        taking = (tables for tables in self.transactions if PROJECTS in tables)
        return [before for tables in taking if (before := tables[: tables.index(PROJECTS)])]


@contextmanager
def recorded() -> Iterator[Recorder]:
    """Record what each transaction takes; those around the recording are left out."""
    found = Recorder()
    with (
        patch.object(Atomic, "__enter__", lambda atomic: found.begin(atomic)),
        patch.object(Atomic, "__exit__", lambda atomic, *error: found.end(atomic, *error)),
        patch.object(
            QuerySet,
            "select_for_update",
            lambda rows, *options, **more: found.note_lock(rows, *options, **more),
        ),
        connection.execute_wrapper(found.note_change),
    ):
        yield found


def main_role(operation: Operation) -> str:
    roles = operation.route.view.write_roles or operation.route.view.allowed_roles
    return "lead" if "lead" in roles else str(min(roles))


class TestRecording:
    def test_a_project_that_is_taken_late_is_found(self, world: World) -> None:
        with recorded() as taken:
            with transaction.atomic():
                Project.objects.locked(world.project.pk)
                world.project.questions.update(dataset="other")
            assert not taken.late
            with transaction.atomic():
                world.project.questions.update(dataset="other")
                Project.objects.locked(world.project.pk)
        assert taken.late == [["annotation_question"]]


class TestActs:
    def test_each_takes_the_project_first(self, world: World, subtests: pytest.Subtests) -> None:
        writing = [each for each in operations() if each.method in WRITING and each.route.is_of_a_project]
        taking = 0
        for operation in writing:
            usual = usual_of(operation.name, world)
            address = operation.address({**world.ids, **usual.ids}, slug="own")
            body = {} if operation.method == "DELETE" else operation.body(usual.fields)
            client = ClientOf(world.cast[main_role(operation)].user)
            client.raise_request_exception = False
            with subtests.test(operation.name), rolled_back(), recorded() as taken:
                client.generic(
                    operation.method, address, data=json.dumps(body), content_type="application/json"
                )
                taking += sum(PROJECTS in tables for tables in taken.transactions)
                assert not taken.late
        assert taking > 10, "who takes nothing proves nothing"
