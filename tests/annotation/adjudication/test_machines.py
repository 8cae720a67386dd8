"""Machines decide only what nobody has anything to do with, and imports of votes leave that alone."""

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import decide_answer
from annotation.adjudication.services.recorded import discard_replay, replay_votes
from annotation.adjudication.services.settling import Ruling, decide_together, withdraw_together
from annotation.items.formats.records import Vote
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from tests.annotation.adjudication.factories import make_answers, make_ballot, make_import
from tests.annotation.assignments.factories import judge_next
from tests.factories import make_project

YES, NO = "correct", "incorrect"


def decide(project: Project, *answers: Candidate) -> set[str]:
    rulings = {answer.pk: Ruling(label=YES, rule="rule 1", reason="It says so.") for answer in answers}
    made = decide_together(project_id=project.pk, rulings=rulings)
    return {decision.candidate.text for decision in made.values()}


def withdraw(project: Project, by: User) -> int:
    ids = Decision.objects.filter(source="prejudged").values_list("pk", flat=True)
    return withdraw_together(project=project, decision_ids=ids, by=by, reason="Too bold.")


def history(candidate: Candidate) -> list[tuple[str, str]]:
    return list(candidate.decisions.order_by("number").values_list("label", "source"))


class TestDecideByMachine:
    def test_open_answers_are_decided_once(self, project: Project, answers: list[Candidate]) -> None:
        assert decide(project, *answers) == {"Paris", "Lyon", "paris, france"}
        assert decide(project, *answers) == set()
        assert set(Candidate.objects.values_list("state", "wanted", "taken")) == {("decided", 0, 0)}

    def test_what_raters_hold_or_people_decided_is_left_alone(
        self, project: Project, answers: list[Candidate], annotators: list[Membership], lead: User
    ) -> None:
        (free,) = make_answers(project=project, question="largest ocean", texts=["Pacific"])
        decide_answer(
            project=project, candidate_id=answers[0].public_id, by=lead, label=NO, reason="A trick question."
        )
        judge_next(annotators[0])
        assert decide(project, *answers, free) == {"Pacific"}

    def test_answers_of_another_project_are_left_alone(self, project: Project, lead: User) -> None:
        other = make_project(lead=lead, slug="other")
        (foreign,) = make_answers(project=other, question="q", texts=["a"])
        assert decide(project, foreign) == set()


class TestWithdraw:
    def test_answers_go_back_and_may_be_decided_again(
        self, project: Project, answers: list[Candidate], lead: User
    ) -> None:
        decide(project, *answers)
        assert withdraw(project, lead) == 3
        assert withdraw(project, lead) == 0
        assert set(Candidate.objects.values_list("state", "wanted")) == {("open", 2)}
        assert decide(project, answers[0]) == {"Paris"}
        assert history(answers[0]) == [(YES, "prejudged"), ("", "prejudged"), (YES, "prejudged")]


class TestUndoneImports:
    def test_a_machines_decision_does_not_go_with_votes_that_came_later(
        self, project: Project, answers: list[Candidate]
    ) -> None:
        project = Project.objects.get(pk=project.pk)
        decide(project, answers[0])
        data_import = make_import(project=project)
        cast = [Vote(rater="one", label="no"), Vote(rater="two", label="no")]
        replay_votes(
            project=project,
            ballots=[make_ballot(answer.pk, cast) for answer in answers],
            at=data_import.created_at,
        )
        assert history(answers[0]) == [(YES, "prejudged")]
        assert history(answers[1]) == [(NO, "unanimous")]
        discard_replay(data_import=data_import)
        assert history(answers[0]) == [(YES, "prejudged")]
        assert history(answers[1]) == []
        states = dict(Candidate.objects.values_list("text", "state"))
        assert states == {"Paris": "decided", "Lyon": "open", "paris, france": "open"}

    def test_votes_on_what_machines_gave_back_are_taken_back_like_others(
        self, project: Project, answers: list[Candidate], lead: User
    ) -> None:
        project = Project.objects.get(pk=project.pk)
        decide(project, answers[0])
        withdraw(project, lead)
        data_import = make_import(project=project)
        cast = [Vote(rater="one", label="no"), Vote(rater="two", label="no")]
        replay_votes(project=project, ballots=[make_ballot(answers[0].pk, cast)], at=data_import.created_at)
        discard_replay(data_import=data_import)
        answers[0].refresh_from_db()
        assert (answers[0].state, answers[0].wanted, answers[0].taken) == ("open", 2, 0)
        assert [label for label, _ in history(answers[0])] == [YES, "", NO, ""]
