"""Rows of a table as arrays."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from annotation.items.models import Question
from annotation.projects.models import Project
from common.database.rows import Microseconds, read_integers
from tests.annotation.adjudication.factories import make_answers


class TestReadIntegers:
    def test_what_nothing_can_meet_has_no_rows(self) -> None:
        assert read_integers(Question.objects.filter(pk__in=[]), "pk", "project_id").shape == (0, 2)


class TestMicroseconds:
    @pytest.mark.parametrize(
        "at",
        [
            datetime(2026, 3, 2, 9, tzinfo=UTC),
            datetime(2026, 3, 2, 9, 0, 0, 7, tzinfo=UTC),
            datetime(2026, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
            datetime(2026, 3, 29, 2, 30, tzinfo=timezone(timedelta(hours=2))),
        ],
    )
    def test_a_moment_is_counted_to_the_last_digit(self, project: Project, at: datetime) -> None:
        make_answers(project=project, question="a question", gold=(), texts=["an answer"])
        Question.objects.update(corrected_at=at)
        ((counted,),) = read_integers(
            Question.objects.annotate(moment=Microseconds("corrected_at")), "moment"
        ).tolist()
        assert timedelta(microseconds=counted) == at - datetime(1970, 1, 1, tzinfo=UTC)
