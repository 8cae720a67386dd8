"""Raters beside each other, as if each were a judge."""

import pytest

from analysis.raters.agreement import MissingVotes
from annotation.items.models import Candidate
from annotation.judgments.rules import AnswerGiven, Fate
from annotation.judgments.services.recording import RecordedAnswer, RecordedSheet, insert_recorded
from annotation.projects.models import Membership, Project
from annotation.projects.services.protocols import set_protocol
from common.clock import now
from judges.comparison.selectors.judge_board.judges import read_judge_board, read_own_signatures
from judges.comparison.selectors.report import build_report
from tests.annotation.adjudication.factories import vote
from tests.conftest import ClientOf


class TestPeopleAsJudges:
    @pytest.fixture
    def voted(self, study: Project, annotators: list[Membership]) -> Project:
        """Two raters differ on one of the two answers to the first question."""
        for rater, label in zip(annotators, ("correct", "incorrect"), strict=False):
            vote(rater=rater, labels={"Paris": "correct", "the city of Paris": label})
        return Project.objects.get(pk=study.pk)

    def test_raters_are_compared_with_each_other_pooled_and_one_by_one(
        self, voted: Project, annotators: list[Membership]
    ) -> None:
        rows = read_judge_board(project=voted)
        assert rows[0].name == "All annotators"
        assert [row.name for row in rows[1:]] == ["Annotator A", "Annotator B"]
        # On pages under the names that the page of raters and exports give them.
        named = ClientOf(voted.created_by).get(f"/api/projects/{voted.slug}/judge-board").json()
        assert named[0]["name"] == "All annotators"
        assert {row["name"] for row in named[1:]} == {rater.pseudonym for rater in annotators[:2]}
        assert [row.key for row in rows] == ["another_human", "another_human:A", "another_human:B"]
        assert tuple(rows[0].counts.values()) == (2, 1, 1, 0, 0)
        assert sorted(tuple(row.counts.values()) for row in rows[1:]) == [(1, 0, 1, 0, 0), (1, 1, 0, 0, 0)]
        signatures = read_own_signatures(project=voted)
        assert signatures[rows[0].key] == "judge:another_human|revision:1"
        assert signatures[rows[1].key] == "judge:another_human|rater:A|revision:1"
        assert {row.run for row in rows} == {""}

    def test_nobody_is_named_in_a_report(self, voted: Project) -> None:
        report = build_report(project=voted, rules=[MissingVotes.DROP])
        assert [row["name"] for row in report["judges"]] == ["All annotators", "Annotator A", "Annotator B"]
        words = str(report["judges"])
        for member in voted.members.select_related("user"):
            assert member.user.name not in words
            assert member.pseudonym not in words

    def test_a_tie_break_is_no_part_of_it(self, voted: Project, annotators: list[Membership]) -> None:
        before = [tuple(row.counts.values()) for row in read_judge_board(project=voted)]
        vote(rater=annotators[2], labels={"the city of Paris": "correct"})
        assert [tuple(row.counts.values()) for row in read_judge_board(project=voted)] == before

    def test_a_lone_vote_is_unscored(self, voted: Project, annotators: list[Membership]) -> None:
        vote(rater=annotators[0], labels={"Pacific": "correct"})
        Candidate.objects.filter(project=voted, text="Pacific").update(state=Candidate.State.DECIDED)
        assert read_judge_board(project=voted)[0].counts["unscored"] == 1

    def test_a_vote_whose_fellow_is_still_to_come_is_left_out(
        self, voted: Project, annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Pacific": "correct"})
        assert read_judge_board(project=voted)[0].counts["unscored"] == 0

    def test_a_second_pass_is_compared_with_the_first(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        study = Project.objects.get(pk=study.pk)
        spec = {**study.protocol.spec, "raters_per_answer": 1, "decision_rule": "only_rater"}
        set_protocol(project=study, spec=spec)
        Candidate.objects.filter(project=study).update(wanted=1)
        sheet = vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "incorrect"})
        assert read_judge_board(project=Project.objects.get(pk=study.pk)) == []
        rater = Membership.objects.select_related("project__protocol").get(pk=annotators[1].pk)
        answers = Candidate.objects.filter(question=sheet.question)
        said = [
            RecordedAnswer(
                each.pk, 0, "tie_break", AnswerGiven(id=each.public_id, label="correct"), Fate.SURPLUS
            )
            for each in answers
        ]
        second_pass = RecordedSheet(rater, sheet.question_id, said, {}, is_asked_for=False)
        insert_recorded([second_pass], version=sheet.protocol_version, at=now())
        pooled, alone = read_judge_board(project=Project.objects.get(pk=study.pk))
        assert tuple(pooled.counts.values()) == tuple(alone.counts.values()) == (1, 0, 1, 0, 0)
