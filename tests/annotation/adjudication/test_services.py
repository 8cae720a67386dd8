from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services import (
    DecidedMeanwhile,
    NothingToReopen,
    UnknownLabel,
    UnusableDecision,
    VotesInUse,
    decide_answer,
    discard_replay,
    reopen_answer,
    replay_votes,
    settle_candidates,
)
from annotation.assignments.models import Assignment
from annotation.gold.models import GoldChange
from annotation.items.formats.records import Vote
from annotation.items.models import Candidate, DataImport
from annotation.items.rules import Ballot
from annotation.judgments.models import Judgment
from annotation.judgments.services import undo_submit
from annotation.projects.models import Membership, Project
from common.clock import now
from tests.annotation.adjudication.factories import make_answers, make_ballot, make_import, vote
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


def ballots(answers: list[Candidate], *rows: str) -> list[Ballot]:
    """One letter a rater: y, n, or . for a blank cell."""
    words = {"y": "Yes", "n": "No", ".": ""}
    return [
        make_ballot(
            answer.pk,
            [Vote(f"annotator{number}", words[letter]) for number, letter in enumerate(row, 1)],
        )
        for answer, row in zip(answers, rows, strict=True)
    ]


class TestReplayVotes:
    def test_votes_become_first_round_tie_break_replacement_and_surplus(
        self, project: Project, answers: list[Candidate]
    ) -> None:
        more = make_answers(project=project, question="largest lake", texts=["Caspian"])
        counts = replay_votes(project=project, ballots=ballots([*answers, *more], "yy.", "yny", "y.y", "nny"))
        assert counts == (7, 1, 1, 1, 1)
        decided = Decision.objects.filter(is_current=True).order_by("candidate_id")
        assert list(decided.values_list("label", "source")) == [
            (YES, "unanimous"),
            (YES, "majority"),
            (YES, "unanimous"),
            (NO, "unanimous"),
        ]
        surplus = Judgment.objects.get(candidate=more[0], state=Judgment.State.SURPLUS)
        assert surplus.label == YES

    def test_a_blank_is_a_skip_that_says_so(self, project: Project, answers: list[Candidate]) -> None:
        replay_votes(project=project, ballots=ballots(answers, "yy.", "nn.", "y.n"))
        skip = Assignment.objects.get(state=Assignment.State.SKIPPED)
        assert (skip.candidate, skip.skip_reason, skip.rater.user.name) == (
            answers[2],
            "missing in source",
            "annotator2",
        )

    def test_replaying_again_changes_nothing(self, project: Project, answers: list[Candidate]) -> None:
        recorded = ballots(answers, "yy.", "yny", "nny")
        first = replay_votes(project=project, ballots=recorded)
        assert replay_votes(project=project, ballots=recorded) == first
        assert project.members.filter(user__is_imported=True).count() == 3

    def test_raters_of_a_file_cannot_sign_in(self, project: Project, answers: list[Candidate]) -> None:
        replay_votes(project=project, ballots=ballots(answers, "yy", "yy", "yy"))
        raters = User.objects.filter(is_imported=True)
        assert raters.count() == 2
        assert not any(rater.has_usable_password() for rater in raters)

    def test_an_unknown_word_is_refused_and_nothing_of_its_question_kept(
        self, project: Project, answers: list[Candidate]
    ) -> None:
        with pytest.raises(UnknownLabel, match="perhaps"):
            replay_votes(
                project=project, ballots=[make_ballot(answers[0].pk, [Vote("annotator1", "perhaps")])]
            )
        assert not Judgment.objects.exists()

    def test_comments_and_evidence_come_along(self, project: Project, answers: list[Candidate]) -> None:
        said = Vote("annotator1", "Yes", comment="sure", evidence_url="https://example.org")
        replay_votes(project=project, ballots=[make_ballot(answers[0].pk, [said])])
        judgment = Judgment.objects.get()
        assert (judgment.comment, judgment.evidence_url) == ("sure", "https://example.org")

    def test_answers_left_open_wait_for_real_raters(
        self, project: Project, answers: list[Candidate], votes: Voter
    ) -> None:
        replay_votes(project=project, ballots=ballots(answers, "yn", "yy", "yy"))
        votes(1, Paris=NO)
        assert history(answers[0]) == [(NO, "majority", True)]

    def test_three_raters_of_three_labels(self, lead: User) -> None:
        project = make_project(lead=lead, slug="three", preset="efficientqa")
        (answer,) = make_answers(project=project, question="q", texts=["a"])
        said = [("r1", "definitely correct"), ("r2", "possibly correct"), ("r3", "no")]
        replay_votes(project=project, ballots=[make_ballot(answer.pk, [Vote(*pair) for pair in said])])
        assert history(answer) == [("possibly_correct", "majority", True)]


class TestDiscardReplay:
    @pytest.fixture
    def replayed(self, project: Project, answers: list[Candidate]) -> DataImport:
        """Votes imported at one moment: agreement on two answers, a third vote on the last."""
        data_import = make_import(project=project)
        replay_votes(
            project=project, ballots=ballots(answers, "yy.", "nn.", "yny"), at=data_import.created_at
        )
        return data_import

    def test_everything_is_as_it_was_before(self, replayed: DataImport, answers: list[Candidate]) -> None:
        discard_replay(data_import=replayed)
        assert not Judgment.objects.exists()
        assert not Assignment.objects.exists()
        assert not Decision.objects.exists()
        assert not GoldChange.objects.exists()
        assert set(Candidate.objects.values_list("state", "wanted", "taken")) == {("open", 2, 0)}

    def test_votes_of_others_stay_and_are_settled_anew(
        self, project: Project, answers: list[Candidate], votes: Voter
    ) -> None:
        votes(1, **labels(YES, NO, YES))
        data_import = make_import(project=project)
        replay_votes(project=project, ballots=ballots(answers, "y", "n", "n"), at=data_import.created_at)
        assert [history(answer)[-1][0] for answer in answers[:2]] == [YES, NO]
        discard_replay(data_import=data_import)
        assert Judgment.objects.count() == 3
        assert history(answers[0])[-1] == ("", "unanimous", True)
        assert set(Candidate.objects.values_list("state", "wanted", "taken")) == {("open", 2, 1)}

    def test_what_a_person_decided_keeps_the_votes(
        self, project: Project, replayed: DataImport, answers: list[Candidate], lead: User
    ) -> None:
        decide_answer(
            project=project, candidate_id=answers[0].public_id, by=lead, label=NO, reason="Not quite."
        )
        with pytest.raises(VotesInUse):
            discard_replay(data_import=replayed)
        assert Judgment.objects.count() == 7

    def test_another_import_is_left_alone(self, project: Project, replayed: DataImport) -> None:
        discard_replay(data_import=make_import(project=project))
        assert Judgment.objects.count() == 7
