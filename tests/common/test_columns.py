"""Rows of a table as arrays, and what tells one state of them from another."""

from annotation.items.models import Prediction, Question
from annotation.projects.models import Project
from common.columns import last_change
from tests.annotation.adjudication.factories import make_answers


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
