"""Reads whose SQL is written once return what Django reads, whatever values they are given."""

from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.test.utils import CaptureQueriesContext

from annotation.assignments.models import Sheet
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate, Question
from annotation.projects.models import Membership, Project
from common.database import plans
from common.database.prepared import Change, prepared
from tests.annotation.assignments.factories import make_question

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@prepared
def held(*states: str, rater: int, until: datetime, questions: tuple[int, ...] = ()) -> QuerySet[Sheet]:
    lapsed = Sheet.objects.filter(question=OuterRef("question"), lease_expires_at__lte=until)
    mine = Q(rater=rater, state__in=states, question__in=questions)
    return Sheet.objects.filter(mine | Exists(lapsed)).select_related("rater__project").order_by("pk")


@prepared
def heads(*, project: int, text: str) -> list[QuerySet[Candidate, Any]]:
    answers = Candidate.objects.filter(project=project).order_by("pk").values_list("pk")
    return [answers.filter(text=text), answers.exclude(text=text)[:1]]


@pytest.fixture
def sheets(project: Project, annotators: list[Membership]) -> list[Sheet]:
    for _ in range(3):
        make_question(project=project)
    return [hand_out(rater=rater, at=NOON + timedelta(days=day))[0] for day, rater in enumerate(annotators)]


class TestPrepared:
    def test_reads_what_django_reads(self, sheets: list[Sheet]) -> None:
        keys = tuple(sheet.question_id for sheet in sheets)
        for sheet in sheets:
            for until in (NOON, NOON + timedelta(days=2)):
                for questions in (keys[:1], keys):
                    values: Any = {"rater": sheet.rater_id, "until": until, "questions": questions}
                    plain = list(held.__wrapped__("open", "expired", **values))  # type: ignore[attr-defined]
                    found = held("open", "expired", **values)
                    assert found == plain
                    assert [vars(each).keys() for each in found] == [vars(each).keys() for each in plain]
                    assert [each.lease_expires_at for each in found] == [
                        each.lease_expires_at for each in plain
                    ]

    def test_rows_come_with_what_is_joined(self, sheets: list[Sheet]) -> None:
        values: Any = {"rater": sheets[0].rater_id, "until": NOON, "questions": (sheets[0].question_id,)}
        with CaptureQueriesContext(connection) as asked:
            (sheet,) = held("open", "expired", **values)
            assert sheet.rater.project == sheets[0].rater.project
        assert len(asked) == 1

    def test_several_reads_are_one_statement(self, sheets: list[Sheet]) -> None:
        project = sheets[0].project_id
        answers = dict(Candidate.objects.order_by("pk").values_list("pk", "text"))
        other = min(key for key, text in answers.items() if text != "answer 1")
        named = [(0, key) for key, text in answers.items() if text == "answer 1"]
        with CaptureQueriesContext(connection) as asked:
            assert heads(project=project, text="answer 1") == [*named, (1, other)]
        assert len(asked) == 1
        assert heads(project=project, text="none") == [(1, min(answers))]

    def test_what_nothing_can_meet_asks_nothing(self, sheets: list[Sheet]) -> None:
        @prepared
        def none(*, pk: int) -> QuerySet[Sheet]:
            return Sheet.objects.filter(pk=pk).none()

        with CaptureQueriesContext(connection) as asked:
            assert none(pk=sheets[0].pk) == []
        assert len(asked) == 0

    def test_changes_the_rows_named(self, sheets: list[Sheet]) -> None:
        @prepared
        def seen_again(*, sheets: tuple[int, ...] = ()) -> Change:
            return Change(Sheet.objects.filter(pk__in=sheets), {"version": F("version") + 1})

        for chosen in (sheets[:1], sheets[:2], sheets[1:]):
            seen_again(sheets=tuple(sheet.pk for sheet in chosen))
        seen_again(sheets=())
        assert list(Sheet.objects.order_by("pk").values_list("version", flat=True)) == [3, 3, 2]

    def test_two_values_that_are_equal_are_told_apart(self, project: Project) -> None:
        question = make_question(project=project)

        @prepared
        def named(*, key: str, text: str) -> QuerySet[Question]:
            return Question.objects.filter(key=key, text=text)

        assert named(key="same", text="same") == []
        assert named(key=question.key, text=question.text) == [question]

    def test_refuses_what_decides_by_a_value(self, db: None) -> None:
        @prepared
        def deciding(*, pk: int) -> QuerySet[Sheet]:
            return Sheet.objects.filter(pk=pk % 7)

        @prepared
        def ignoring(*, pk: int, text: str) -> QuerySet[Sheet]:
            return Sheet.objects.filter(pk=pk)

        for read, values in ((deciding, {"pk": 1}), (ignoring, {"pk": 1, "text": "a"})):
            with pytest.raises(ValueError, match="unchanged"):
                read(**values)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no plans to keep.")
class TestPlans:
    def test_what_is_read_again_is_only_named(self, sheets: list[Sheet]) -> None:
        for sheet in sheets:
            values: Any = {"rater": sheet.rater_id, "until": NOON, "questions": (sheet.question_id,)}
            with CaptureQueriesContext(connection) as asked:
                assert held("open", **values) == list(held.__wrapped__("open", **values))  # type: ignore[attr-defined]
            assert asked[0]["sql"].startswith("EXECUTE assay_")

    def test_a_pooler_ends_it_in_this_process(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        question = make_question(project=project)

        @prepared
        def named(*, key: str) -> QuerySet[Question]:
            return Question.objects.filter(key=key)

        # What this connection keeps is gone below for the tests that come after, too.
        plans._kept.pop(connection.connection, None)
        monkeypatch.setattr(plans, "_pooled", set())
        monkeypatch.setattr(plans, "_kept", WeakKeyDictionary())
        assert named(key=question.key) == [question]
        with connection.cursor() as cursor:
            cursor.execute("DEALLOCATE ALL")
        with pytest.raises(DatabaseError), transaction.atomic():
            named(key=question.key)
        for _ in range(2):
            assert named(key=question.key) == [question]

    def test_a_statement_of_another_process_is_the_same(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        question = make_question(project=project)

        @prepared
        def named(*, text: str) -> QuerySet[Question]:
            return Question.objects.filter(text=text)

        for _ in range(2):
            monkeypatch.setattr(plans, "_kept", WeakKeyDictionary())
            assert named(text=question.text) == [question]

    def test_nothing_is_kept_where_a_pooler_is_named(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
        with CaptureQueriesContext(connection) as asked:
            assert heads(project=project.pk, text="none") == []
        assert asked[0]["sql"].startswith("SELECT")


@pytest.mark.django_db(transaction=True)
def test_threads_read_on_connections_of_their_own() -> None:
    @prepared
    def questions(*, position: int) -> QuerySet[Question]:
        return Question.objects.filter(position=position, project__seed=F("position"))

    found: list[Any] = []

    def read() -> None:
        try:
            found.append(questions(position=1))
        finally:
            connection.close()

    questions(position=0)
    threads = [Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[]] * 4
