"""A table that was just filled is known to be full before anybody asks it."""

import pytest
from django.db import connection, transaction

from annotation.items.models import Question
from annotation.judgments.services.settling import settle_and_count_tables
from common.database import rows
from common.database.rows import LEAST_CHANGED, refresh_statistics
from tests.annotation.adjudication.factories import make_import
from tests.factories import make_project

ROWS = 4 * LEAST_CHANGED

pytestmark = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite goes by its indexes.")


def known_rows() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [Question._meta.db_table])
        return int(cursor.fetchone()[0])


@pytest.fixture
def filled(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of questions of which the database has not heard, and nobody who asked lately."""
    project = make_project()
    data_import = make_import(project=project)
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {Question._meta.db_table}")
        # What this transaction changes is told at its end, not up to a second later.
        cursor.execute("SELECT pg_stat_force_next_flush()")
        Question.objects.bulk_create(
            Question(
                project=project,
                data_import=data_import,
                key=str(number),
                key_hash=str(number),
                text=f"question {number}",
                position=number,
            )
            for number in range(ROWS)
        )
        cursor.execute("SELECT pg_stat_force_next_flush()")
    monkeypatch.setattr(rows, "_asked_at", -100.0)


@pytest.mark.usefixtures("filled")
class TestRefreshStatistics:
    def test_counts_a_table_that_was_filled(self) -> None:
        assert known_rows() <= 0
        refresh_statistics()
        assert known_rows() == ROWS

    def test_leaves_alone_what_has_changed_little(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rows, "LEAST_CHANGED", 2 * ROWS)
        refresh_statistics()
        assert known_rows() <= 0

    def test_asks_once_a_second(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rows, "monotonic", lambda: rows._asked_at + 0.5)
        refresh_statistics()
        assert known_rows() <= 0

    def test_holds_no_lock_in_a_transaction(self) -> None:
        with transaction.atomic():
            refresh_statistics()
        assert known_rows() <= 0

    def test_web_servers_count_what_raters_fill(self) -> None:
        assert known_rows() <= 0
        assert settle_and_count_tables()
        assert known_rows() == ROWS
