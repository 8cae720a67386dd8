"""Recorded votes replayed through assignment, submission and decision, and taken back."""

from collections.abc import Callable

import pytest

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import decide_answer
from annotation.adjudication.services.recorded import UnknownLabel, VotesInUse, discard_replay, replay_votes
from annotation.assignments.models import Assignment
from annotation.gold.models import GoldChange
from annotation.items.formats.records import Vote
from annotation.items.models import Candidate, DataImport
from annotation.items.rules import Ballot
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from tests.annotation.adjudication.factories import make_answers, make_ballot, make_import
from tests.annotation.adjudication.test_services import history, labels
from tests.factories import make_project

Voter = Callable[..., None]
YES, NO = "correct", "incorrect"


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
        decided = Decision.objects.current().order_by("candidate_id")
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
            "missing from the source",
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
