"""Proposals of a study: what is proposed, accepted, put aside and taken back."""

import pytest

from annotation.accounts.models import User
from annotation.adjudication.services.deciding import decide_answer
from annotation.gold.models import GoldChange
from annotation.gold.selectors.ledger import gold_lists, gold_patterns, gold_version
from annotation.gold.selectors.proposals import find_proposals, proposal_id, read_proposals
from annotation.gold.services.ledger import ReasonMissing, correct_gold, undo_change
from annotation.gold.services.proposals import (
    GroupNotFound,
    ProposalGone,
    accept_proposals,
    dismiss_proposals,
    restore_dismissed,
    undo_group,
)
from annotation.items.models import Candidate
from annotation.projects.models import Project
from tests.annotation.adjudication.factories import make_answers

pytestmark = pytest.mark.django_db

LONG = "The second expedition was led by Ada Cole in all of its many years."


@pytest.fixture
def answer(project: Project) -> Candidate:
    """A long answer to a question with a gold answer, undecided."""
    return make_answers(
        project=project, question="who led the second expedition", gold=["Bertha Moss"], texts=[LONG]
    )[0]


def decide(answer: Candidate, label: str, *, by: User) -> None:
    decide_answer(
        project=answer.project, candidate_id=answer.public_id, by=by, label=label, reason="looked it up"
    )


def ids_of(project: Project, question: str) -> dict[str, str]:
    """Return what is proposed now, by its first example and kind."""
    return {
        f"{each.examples[0]} ({each.kind.value})": proposal_id(question, each)
        for found in find_proposals(
            project=project, question_ids=project.questions.values_list("pk", flat=True)
        )
        for each in found.proposals
    }


class TestReadProposals:
    def test_proposes_nothing_before_people_accept_an_answer(
        self, project: Project, answer: Candidate
    ) -> None:
        assert read_proposals(project) == ()

    def test_proposes_what_the_list_holds_between_the_lines(
        self, project: Project, answer: Candidate, lead: User
    ) -> None:
        decide(answer, "correct", by=lead)
        (found,) = read_proposals(project)
        assert [(each.kind.value, each.examples[0], each.source) for each in found.proposals] == [
            ("name", "Bertha Moss", "Bertha Moss"),
            ("alias", "Ada Cole", LONG),
            ("name", "Ada Cole", LONG),
        ]
        assert set(found.decisions) == {LONG}

    def test_does_not_propose_what_was_taken_off_the_list(
        self, project: Project, answer: Candidate, lead: User
    ) -> None:
        decide(answer, "correct", by=lead)
        assert "Ada Cole (alias)" in ids_of(project, answer.question.public_id)
        for action in ("added", "removed"):
            correct_gold(
                project=project,
                question_id=answer.question.public_id,
                action=action,
                text="Ada Cole",
                reason="so",
                by=lead,
            )
        assert "Ada Cole (alias)" not in ids_of(project, answer.question.public_id)


class TestAcceptProposals:
    def test_lets_them_join_the_list_as_one_group(
        self, project: Project, answer: Candidate, lead: User
    ) -> None:
        decide(answer, "correct", by=lead)
        ids = ids_of(project, answer.question.public_id)
        accepted = accept_proposals(project=project, ids=list(ids.values()), by=lead)
        assert accepted.changes == 3
        rows = GoldChange.objects.filter(group=accepted.group).order_by("pk")
        assert [(row.rule, row.kind, row.decision is not None) for row in rows] == [
            ("proposal", "regex", False),
            ("proposal", "string", True),
            ("proposal", "regex", True),
        ]
        (question,) = gold_lists(project, amended=True)
        assert "Ada Cole" in gold_lists(project, amended=True)[question]
        assert len(gold_patterns(project, amended=True)[question]) == 2
        assert gold_patterns(project, amended=False) == {}
        assert ids_of(project, answer.question.public_id) == {}

    def test_says_which_of_them_are_gone_and_writes_nothing(
        self, project: Project, answer: Candidate, lead: User
    ) -> None:
        decide(answer, "correct", by=lead)
        ids = list(ids_of(project, answer.question.public_id).values())
        before = gold_version(project, amended=True)
        for wrong in ("", "nothing", f"{answer.question.public_id}-0000"):
            with pytest.raises(ProposalGone):
                accept_proposals(project=project, ids=[*ids, wrong], by=lead)
        assert gold_version(project, amended=True) == before
        accepted = accept_proposals(project=project, ids=[*ids, "gone-1"], by=lead, skips_gone=True)
        assert accepted.changes == len(ids)

    def test_goes_with_the_decision_behind_it(self, project: Project, answer: Candidate, lead: User) -> None:
        decide(answer, "correct", by=lead)
        accept_proposals(
            project=project, ids=list(ids_of(project, answer.question.public_id).values()), by=lead
        )
        decide(answer, "correct", by=lead)
        assert GoldChange.objects.filter(rule="proposal", undone_at=None).count() == 3
        decide(answer, "incorrect", by=lead)
        (left,) = GoldChange.objects.filter(rule="proposal", undone_at=None)
        assert "Bertha Moss" in left.reason

    def test_can_be_undone_as_a_group_and_one_by_one(
        self, project: Project, answer: Candidate, lead: User
    ) -> None:
        decide(answer, "correct", by=lead)
        before = gold_version(project, amended=True)
        ids = list(ids_of(project, answer.question.public_id).values())
        group = accept_proposals(project=project, ids=ids, by=lead).group
        first = GoldChange.objects.filter(group=group).earliest("pk")
        undo_change(project=project, public_id=first.public_id, by=lead, reason="too wide")
        with pytest.raises(ReasonMissing):
            undo_group(project=project, group=group, by=lead, reason=" ")
        assert undo_group(project=project, group=group, by=lead, reason="all of it") == 2
        assert gold_version(project, amended=True) == before
        for gone in (group, "", "nothing"):
            with pytest.raises(GroupNotFound):
                undo_group(project=project, group=gone, by=lead, reason="again")


class TestDismissProposals:
    def test_are_not_proposed_again_until_all_are_restored(
        self, project: Project, answer: Candidate, lead: User
    ) -> None:
        decide(answer, "correct", by=lead)
        ids = ids_of(project, answer.question.public_id)
        assert dismiss_proposals(project=project, ids=[ids["Ada Cole (alias)"]], by=lead) == 1
        assert set(ids_of(project, answer.question.public_id)) == {*ids} - {"Ada Cole (alias)"}
        with pytest.raises(ProposalGone):
            dismiss_proposals(project=project, ids=[ids["Ada Cole (alias)"]], by=lead)
        assert restore_dismissed(project=project) == 1
        assert ids_of(project, answer.question.public_id) == ids
