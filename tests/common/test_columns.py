"""Rows of a table as arrays, and what tells one state of them from another."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from annotation.items.models import Prediction, Question
from annotation.projects.models import Project
from common.database.columns import Microseconds, changes_by, last_change, read_integers
from tests.annotation.adjudication.factories import make_answers


class TestReadIntegers:
    def test_what_nothing_can_meet_has_no_rows(self) -> None:
        assert read_integers(Question.objects.filter(pk__in=[]), "pk", "project_id").shape == (0, 2)


class TestLastChange:
    def test_a_sample_redrawn_with_the_same_sum_of_keys_is_another(self, project: Project) -> None:
        for number in range(5):
            make_answers(project=project, question=f"question {number}", gold=(), texts=["an answer"])
        first, second, third, fourth, last = Question.objects.order_by("pk")
        one = Question.objects.filter(pk__in=[first.pk, fourth.pk, last.pk])
        other = Question.objects.filter(pk__in=[second.pk, third.pk, last.pk])
        assert last_change(one, "pk") != last_change(other, "pk")
        assert last_change(one, "pk") == last_change(one.all(), "pk")

    def test_no_rows_have_a_state_too(self, project: Project) -> None:
        assert set(last_change(Prediction.objects.all(), "candidate_id")) == {0}


class TestChangesBy:
    def test_each_group_has_the_state_that_it_has_alone(self, project: Project) -> None:
        for number in range(5):
            texts = [f"answer {place}" for place in range(number % 2 + 1)]
            make_answers(project=project, question=f"question {number}", gold=(), texts=texts)
        Question.objects.filter(text="question 3").update(in_sample=False)
        rows = Question.objects.filter(project=project)
        states = changes_by(rows, "in_sample", "project_id", sums=["pk"])
        assert states == {
            (is_in, project.pk): last_change(rows.filter(in_sample=is_in), "pk") for is_in in (True, False)
        }

    def test_no_rows_have_no_groups(self) -> None:
        assert changes_by(Question.objects.none(), "in_sample") == {}


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
