"""Which votes are read of raters, and which not."""

from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.adjudication.services.deciding import decide_answer
from annotation.assignments.services.handing_out import hand_out
from annotation.judgments.models import JudgmentRevision
from annotation.judgments.services.revising import undo_submit
from annotation.projects.models import Membership, Project
from annotation.quality.rules.figures import Tally
from annotation.quality.selectors import RaterNotFound, get_rater, list_raters, read_ballots
from tests.annotation.adjudication.factories import make_answers, vote
from tests.annotation.quality.plain import Decided, decisions_in, votes_in
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def answers(project: Project) -> list[Any]:
    return make_answers(
        project=project, question="capital of france", gold=["Paris"], texts=["Paris", "Lyon"]
    )


def votes_by_rater(project: Project) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for each in votes_in(read_ballots(project=project)):
        found.setdefault(each.rater, []).append(each.label)
    return found


class TestReadBallots:
    def test_tie_breaks_are_votes_like_any(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        first, second, third = annotators
        vote(rater=first, labels={"Paris": "correct", "Lyon": "incorrect"})
        vote(rater=second, labels={"Paris": "correct", "Lyon": "correct"})
        vote(rater=third, labels={"Lyon": "incorrect"})
        ballots = read_ballots(project=project)
        assert len(votes_in(ballots)) == 5
        assert votes_by_rater(project)[third.pk] == ["incorrect"]
        assert decisions_in(ballots)[answers[1].pk] == Decided("incorrect", by_votes=True)

    def test_what_was_taken_back_or_skipped_is_none(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        first, second, _ = annotators
        vote(rater=first, labels={"Paris": "correct", "Lyon": "incorrect"})
        undo_submit(rater=first)
        vote(rater=second, labels={"Paris": None, "Lyon": "incorrect"})
        assert votes_by_rater(project) == {second.pk: ["incorrect"]}
        skipped = {rater.id: rater.skipped for rater in read_ballots(project=project).raters}
        assert skipped[second.pk] == 1

    def test_votes_and_skips_are_counted_apart(
        self, project: Project, django_assert_max_num_queries: Any
    ) -> None:
        """Of a rater with 100,000 of each, one row a pair filled the database's disk."""
        with django_assert_max_num_queries(20) as queries:
            read_ballots(project=project)
        joined = [
            query["sql"]
            for query in queries
            if all(f'JOIN "annotation_{table}"' in query["sql"] for table in ("judgment", "assignment"))
            and "annotation_membership" in query["sql"]
        ]
        assert joined == []

    def test_a_leads_decision_is_not_the_votes_own(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        decide_answer(
            project=project,
            candidate_id=answers[0].public_id,
            by=project.created_by,
            label="incorrect",
            reason="because",
        )
        assert decisions_in(read_ballots(project=project)) == {
            answers[0].pk: Decided("incorrect", by_votes=False)
        }

    def test_the_last_submits_time_is_the_votes(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "Lyon": "incorrect"})
        JudgmentRevision.objects.update(seconds=4.0)
        assert {each.seconds for each in votes_in(read_ballots(project=project))} == {4.0}

    def test_leads_are_no_raters(self, project: Project, annotators: list[Membership]) -> None:
        raters = read_ballots(project=project).raters
        assert [each.id for each in raters] == [member.pk for member in annotators]


class TestListRaters:
    def test_the_number_of_queries_does_not_grow_with_raters(
        self,
        project: Project,
        answers: list[Any],
        annotators: list[Membership],
        django_assert_max_num_queries: Any,
    ) -> None:
        for rater in annotators[:2]:
            vote(rater=rater, labels={"Paris": "correct", "Lyon": "incorrect"})
        with django_assert_max_num_queries(15):
            reports = list_raters(project=project)
        assert [report.judged for report in reports] == [2, 2, 0]


class TestGetRater:
    def test_a_rater_of_another_project_is_not_found(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        with pytest.raises(RaterNotFound):
            get_rater(project=make_project(), public_id=annotators[0].public_id)

    def test_a_sheet_in_hand_is_no_vote(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        hand_out(rater=annotators[0])
        assert get_rater(project=project, public_id=annotators[0].public_id).judged == 0


class TestWhatIsKept:
    def test_is_measured_anew_once_a_vote_or_a_decision_changes(
        self, project: Project, lead: User, answers: list[Any], annotators: list[Membership]
    ) -> None:
        first, second, third = annotators
        vote(rater=first, labels={"Paris": "correct", "Lyon": "correct"})
        vote(rater=second, labels={"Paris": "correct", "Lyon": "incorrect"})
        kept = list_raters(project=project)
        again = list_raters(project=project)
        assert all(one.with_decisions is other.with_decisions for one, other in zip(kept, again, strict=True))
        vote(rater=third, labels={"Lyon": "incorrect"})
        assert [report.judged for report in list_raters(project=project)] == [2, 2, 1]
        agreed = [report.with_decisions.tally for report in list_raters(project=project)]
        assert agreed == [Tally(1, 2), Tally(2, 2), Tally(1, 1)]
        decide_answer(
            project=project, candidate_id=answers[1].public_id, by=lead, label="correct", reason="Looked up."
        )
        agreed = [report.with_decisions.tally for report in list_raters(project=project)]
        assert agreed == [Tally(2, 2), Tally(1, 2), Tally(0, 1)]
