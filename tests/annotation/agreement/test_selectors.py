"""Which votes are first-round votes."""

from typing import Any

import pytest

from annotation.agreement.selectors import read_first_round
from annotation.items.models import Question
from annotation.projects.models import Membership, Project
from tests.annotation.adjudication.factories import make_answers, vote

pytestmark = pytest.mark.django_db


@pytest.fixture
def answers(project: Project) -> list[Any]:
    return make_answers(
        project=project, question="capital of france", gold=["Paris"], texts=["Paris", "Lyon"]
    )


class TestReadFirstRound:
    def test_a_project_without_votes_has_no_items(self, project: Project, answers: list[Any]) -> None:
        first_round = read_first_round(project=project)
        assert first_round.votes.shape == (0, 2)

    def test_an_answer_that_one_rater_has_judged_waits(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "Lyon": "incorrect"})
        assert len(read_first_round(project=project).votes) == 0

    def test_a_tie_break_is_no_first_round_vote(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "Lyon": "incorrect"})
        vote(rater=annotators[1], labels={"Paris": "correct", "Lyon": "correct"})
        vote(rater=annotators[2], labels={"Lyon": "incorrect"})
        first_round = read_first_round(project=project)
        assert first_round.votes.tolist() == [[0, 0], [1, 0]]
        assert set(first_round.names) == {annotators[0].pseudonym, annotators[1].pseudonym}
        assert first_round.items.tolist() == [answer.pk for answer in answers]

    def test_a_skip_is_missing_and_its_replacement_does_not_count(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "Lyon": "incorrect"})
        vote(rater=annotators[1], labels={"Paris": None, "Lyon": "incorrect"})
        vote(rater=annotators[2], labels={"Paris": "incorrect"})
        assert read_first_round(project=project).votes.tolist() == [[0, -1], [1, 1]]

    def test_questions_outside_the_sample_stay_out(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        for rater in annotators[:2]:
            vote(rater=rater, labels={"Paris": "correct", "Lyon": "incorrect"})
        Question.objects.update(in_sample=False)
        assert len(read_first_round(project=project).votes) == 0

    def test_it_is_one_query(
        self,
        project: Project,
        answers: list[Any],
        annotators: list[Membership],
        django_assert_num_queries: Any,
    ) -> None:
        with django_assert_num_queries(1):
            read_first_round(project=project)
