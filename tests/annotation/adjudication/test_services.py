from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import (
    DecidedMeanwhile,
    NothingToReopen,
    UnusableDecision,
    decide_answer,
    reopen_answer,
)
from annotation.adjudication.services.settling import settle_candidates
from annotation.assignments.models import Assignment
from annotation.items.models import Candidate
from annotation.judgments.services.revising import undo_submit
from annotation.projects.models import Membership, Project
from common.clock import now
from tests.annotation.adjudication.factories import make_answers, vote
from tests.factories import make_member, make_project

Voter = Callable[..., None]
YES, NO = "correct", "incorrect"


def labels(*values: str | None) -> dict[str, str | None]:
    return dict(zip(["Paris", "Lyon", "paris, france"], values, strict=False))


def history(candidate: Candidate) -> list[tuple[str, str, bool]]:
    rows = candidate.decisions.order_by("number")
    return [(row.label, row.source, row.is_current) for row in rows]


class TestSettle:
    def test_nothing_is_decided_before_all_raters_voted(self, answers: list[Candidate], votes: Voter) -> None:
        votes(1, **labels(YES, NO, YES))
        assert not Decision.objects.exists()
        assert set(Candidate.objects.values_list("state", "wanted")) == {("open", 2)}

    def test_agreement_decides(self, answers: list[Candidate], votes: Voter) -> None:
        votes(1, **labels(YES, NO, YES))
        votes(2, **labels(YES, NO, YES))
        assert [history(answer) for answer in answers] == [
            [(YES, "unanimous", True)],
            [(NO, "unanimous", True)],
            [(YES, "unanimous", True)],
        ]
        assert set(Candidate.objects.values_list("state", "wanted", "taken")) == {("decided", 2, 2)}

    def test_disagreement_opens_one_blind_slot_and_the_third_vote_decides(
        self, answers: list[Candidate], votes: Voter
    ) -> None:
        votes(1, **labels(YES, NO, YES))
        votes(2, **labels(YES, NO, NO))
        disputed = answers[2]
        disputed.refresh_from_db()
        assert (disputed.state, disputed.wanted, disputed.taken) == ("open", 3, 2)
        votes(3, **{"paris, france": NO})
        assert history(disputed) == [(NO, "majority", True)]
        assert disputed.assignments.get(slot=3).round == Assignment.Round.TIE_BREAK

    def test_settling_again_changes_nothing(self, answers: list[Candidate], votes: Voter) -> None:
        votes(1, **labels(YES, NO, YES))
        votes(2, **labels(YES, NO, NO))
        before = list(Candidate.objects.order_by("pk").values()), list(Decision.objects.values())
        settle_candidates(project_id=answers[0].project_id, candidate_ids=[answer.pk for answer in answers])
        assert before == (list(Candidate.objects.order_by("pk").values()), list(Decision.objects.values()))

    def test_taking_votes_back_withdraws_the_decision_as_a_further_row(
        self, answers: list[Candidate], votes: Voter, annotators: list[Membership]
    ) -> None:
        votes(1, **labels(YES, NO, YES))
        votes(2, **labels(YES, NO, NO))
        undo_submit(rater=annotators[1])
        first, _, third = answers
        first.refresh_from_db()
        third.refresh_from_db()
        assert history(first) == [(YES, "unanimous", False), ("", "unanimous", True)]
        assert (first.state, first.wanted) == ("open", 2)
        # The tie-break slot nobody had taken is gone again.
        assert (third.state, third.wanted, third.taken) == ("open", 2, 2)

    def test_judging_again_after_taking_back_decides_anew(
        self, answers: list[Candidate], votes: Voter, annotators: list[Membership]
    ) -> None:
        votes(1, **labels(YES, NO, YES))
        votes(2, **labels(YES, NO, NO))
        undo_submit(rater=annotators[1])
        votes(2, **labels(YES, NO, YES))
        assert history(answers[2]) == [(YES, "unanimous", True)]
        assert [row[0] for row in history(answers[0])] == [YES, "", YES]

    def test_a_tie_break_stops_mattering_when_the_first_raters_come_to_agree(
        self, answers: list[Candidate], votes: Voter, annotators: list[Membership]
    ) -> None:
        votes(1, **labels(YES, NO, YES))
        votes(2, **labels(YES, NO, NO))
        votes(3, **{"paris, france": NO})
        undo_submit(rater=annotators[1])
        disputed = answers[2]
        disputed.refresh_from_db()
        assert (disputed.state, disputed.wanted, disputed.taken) == ("open", 3, 3)
        votes(2, **labels(YES, NO, YES))
        assert history(disputed)[-1] == (YES, "unanimous", True)

    def test_a_skip_passes_the_slot_on(self, answers: list[Candidate], votes: Voter) -> None:
        votes(1, **labels(YES, NO, YES))
        votes(2, **labels(YES, NO, None))
        votes(3, **{"paris, france": YES})
        assert history(answers[2]) == [(YES, "unanimous", True)]
        assert answers[2].judgments.get(slot=2).round == Assignment.Round.REPLACEMENT

    def test_without_a_third_rater_a_tie_waits_for_the_lead(self, lead: User) -> None:
        project = make_project(lead=lead, slug="lead-decides")
        assert project.protocol is not None
        project.protocol.spec = {**project.protocol.spec, "tie_break": "lead"}
        project.protocol.save()
        (answer,) = make_answers(project=project, question="q", texts=["a"])
        for name, label in (("one", YES), ("two", NO)):
            vote(rater=make_member(project=project, username=name), labels={"a": label})
        answer.refresh_from_db()
        assert (answer.state, answer.wanted) == ("disputed", 2)

    def test_a_candidate_has_one_current_decision(self, answers: list[Candidate], votes: Voter) -> None:
        votes(1, **labels(YES, NO, YES))
        votes(2, **labels(YES, NO, YES))
        with pytest.raises(IntegrityError), transaction.atomic():
            Decision.objects.create(
                candidate=answers[0], number=2, label=NO, source="adjudicated", decided_at=now()
            )


class TestDecideAnswer:
    def test_a_person_decides_with_a_reason_and_open_slots_close(
        self, project: Project, answers: list[Candidate], votes: Voter, lead: User
    ) -> None:
        votes(1, **labels(YES, NO, YES))
        votes(2, **labels(YES, NO, NO))
        answer = answers[2]
        decision = decide_answer(
            project=project, candidate_id=answer.public_id, by=lead, label=YES, reason="It is in France."
        )
        answer.refresh_from_db()
        assert (answer.state, answer.wanted) == ("decided", 2)
        assert (decision.source, decision.decided_by, decision.reason) == (
            "adjudicated",
            lead,
            "It is in France.",
        )

    def test_later_votes_do_not_change_what_a_person_decided(
        self, project: Project, answers: list[Candidate], votes: Voter, lead: User
    ) -> None:
        votes(1, **labels(YES, NO, YES))
        for answer in answers:
            decide_answer(
                project=project, candidate_id=answer.public_id, by=lead, label=NO, category="guideline"
            )
        settle_candidates(project_id=project.pk, candidate_ids=[answer.pk for answer in answers])
        assert {tuple(history(answer)) for answer in answers} == {((NO, "adjudicated", True),)}

    @pytest.mark.parametrize(
        ("label", "reason", "category", "field"),
        [("maybe", "why", "", "label"), (YES, " ", "", "reason"), (YES, "why", "mood", "category")],
    )
    def test_unusable_decisions_name_the_field(
        self,
        project: Project,
        answers: list[Candidate],
        lead: User,
        label: str,
        reason: str,
        category: str,
        field: str,
    ) -> None:
        with pytest.raises(UnusableDecision) as refusal:
            decide_answer(
                project=project,
                candidate_id=answers[0].public_id,
                by=lead,
                label=label,
                reason=reason,
                category=category,
            )
        assert list(refusal.value.details["fields"]) == [field]

    def test_who_looked_at_an_older_decision_is_told(
        self, project: Project, answers: list[Candidate], lead: User
    ) -> None:
        chosen = {"project": project, "candidate_id": answers[0].public_id, "by": lead, "reason": "why"}
        decide_answer(**chosen, label=YES, seen_number=0)
        with pytest.raises(DecidedMeanwhile):
            decide_answer(**chosen, label=NO, seen_number=0)


class TestReopenAnswer:
    def test_an_answer_with_all_its_votes_goes_to_the_queue_and_stays_there(
        self, project: Project, answers: list[Candidate], votes: Voter, lead: User
    ) -> None:
        votes(1, **labels(YES, NO, YES))
        votes(2, **labels(YES, NO, YES))
        reopen_answer(project=project, candidate_id=answers[0].public_id, by=lead, reason="Look again.")
        settle_candidates(project_id=project.pk, candidate_ids=[answers[0].pk])
        answers[0].refresh_from_db()
        assert answers[0].state == "disputed"
        assert history(answers[0])[-1] == ("", "unanimous", True)

    def test_an_answer_that_lacks_votes_goes_back_to_the_raters(
        self, project: Project, answers: list[Candidate], votes: Voter, lead: User
    ) -> None:
        votes(1, **labels(YES, NO, YES))
        decide_answer(
            project=project, candidate_id=answers[0].public_id, by=lead, label=NO, reason="too early"
        )
        reopen_answer(project=project, candidate_id=answers[0].public_id, by=lead, reason="Let them vote.")
        votes(2, **labels(YES, NO, YES))
        assert [row[0] for row in history(answers[0])] == [NO, "", YES]

    def test_what_is_not_decided_cannot_be_reopened(
        self, project: Project, answers: list[Candidate], lead: User
    ) -> None:
        with pytest.raises(NothingToReopen):
            reopen_answer(project=project, candidate_id=answers[0].public_id, by=lead, reason="why")
