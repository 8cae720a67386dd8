"""Files of any size are written in little memory, and whoever writes one keeps nobody from judging."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.models import TextField, Value
from django.db.models.functions import Cast, Concat

from annotation.accounts.models import User
from annotation.assignments.models import Sheet
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, Passage, Prediction, Question
from annotation.judgments.models import CheckAnswer
from annotation.projects.models import Project
from annotation.release import services
from annotation.release.selectors import rows
from annotation.release.selectors.formats import EXPORT_FORMATS
from annotation.release.services import start_export, write_file
from benchmarks.apparatus import study
from common.clock import now
from common.database.rows import snapshot
from tests.conftest import ClientOf
from tests.factories import make_project

pytestmark = pytest.mark.long

LONG_TEXT = "how long is a text? " * 2_500
# The report's memory is that of its figures, as on the pages; the long proof measures it beside the others.
# Parquet holds a thousand rows at once, more than this study has.
FORMS_OF_ROWS = [form.key for form in EXPORT_FORMATS if form.unit == "row" and form.pack is None]


@pytest.fixture
def large(db: None, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A study whose texts fill megabytes, read one row at a time."""
    monkeypatch.setattr(study, "QUESTIONS", 24)
    monkeypatch.setattr(study, "ANSWERS_A_QUESTION", 3)
    monkeypatch.setattr(rows, "ROWS_AT_ONCE", 1)
    project = make_project(slug="large")
    study.fill_study(project)
    # No two alike, as equal ones leave once.
    own_text = Concat(Value(LONG_TEXT), Cast("pk", TextField()))
    Candidate.objects.update(text=own_text)
    Prediction.objects.update(text=own_text)
    GoldChange.objects.update(text=own_text)
    _answer_checks(project)
    _give_passages(project)
    return project


def _give_passages(project: Project) -> None:
    """Let each question have passages as long as the answers."""
    data_import = project.imports.order_by("pk")[0]
    Passage.objects.bulk_create(
        Passage(
            question=question,
            data_import=data_import,
            is_given=True,
            text=LONG_TEXT,
            text_hash=str(position),
            position=position,
        )
        for question in project.questions.all()
        for position in range(3)
    )


def _answer_checks(project: Project) -> None:
    """Let whoever judged have answered a check about questions as long as the answers."""
    CheckAnswer.objects.bulk_create(
        CheckAnswer(
            sheet=sheet,
            question=sheet.question,
            rater=sheet.rater,
            check_key="ambiguous",
            answer=True,
            answered_at=now(),
        )
        for sheet in Sheet.objects.filter(project=project).select_related("question", "rater")
    )
    Question.objects.filter(project=project).update(text=Concat(Value(LONG_TEXT), Cast("pk", TextField())))


class TestMemory:
    def test_what_is_held_at_once_is_a_small_part_of_the_file(
        self, large: Project, tmp_path: Path, subtests: pytest.Subtests
    ) -> None:
        for key in FORMS_OF_ROWS:
            with subtests.test(key):
                tracemalloc.start()
                written = write_file(project=large, format_key=key, path=tmp_path / "file")
                _, peak = tracemalloc.get_traced_memory()
                tracemalloc.stop()
                assert written.size > 1_500_000
                assert peak < written.size / 2, peak

    def test_a_preview_asks_for_what_it_shows_only(
        self, large: Project, django_assert_max_num_queries: Any
    ) -> None:
        for form in EXPORT_FORMATS:
            # The report, which asks most, also tells what programs settled and what the audit found.
            with django_assert_max_num_queries(22):
                assert len(services.preview_lines(project=large, form=form)) > 0

    def test_a_download_is_sent_in_pieces(self, large: Project, settings: Any, tmp_path: Path) -> None:
        settings.DATA_DIR = tmp_path
        lead = large.created_by
        export = start_export(project=large, format_key="votes-jsonl", by=lead)
        reply = ClientOf(lead).get(f"/api/exports/{export.public_id}/download")
        pieces = list(reply)
        assert reply.streaming
        assert sum(map(len, pieces)) == export.size
        assert max(map(len, pieces)) < export.size / 10


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every statement that begins a transaction or says what it may do."""
    said: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith(("BEGIN", "SET TRANSACTION", "PRAGMA query_only")):
            said.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield said


@pytest.mark.django_db(transaction=True)
class TestSnapshot:
    def test_it_takes_no_lock_and_ends_as_it_began(self, begun: list[str]) -> None:
        mode = getattr(connection, "transaction_mode", None)
        with snapshot():
            User.objects.count()
        if connection.vendor == "sqlite":
            assert begun == ["BEGIN DEFERRED", "PRAGMA query_only = ON", "PRAGMA query_only = OFF"]
        else:
            assert begun == ["SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"]
        assert getattr(connection, "transaction_mode", None) == mode
        User.objects.create_user(username="afterwards")

    def test_nothing_is_written_in_it(self) -> None:
        with pytest.raises(DatabaseError), snapshot():
            User.objects.create_user(username="inside")
        assert not User.objects.exists()
