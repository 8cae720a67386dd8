"""Correcting the gold list by hand: it stands in the ledger, beside what decisions call for."""

import pytest

from annotation.accounts.models import User
from annotation.adjudication.services.deciding import decide_answer
from annotation.gold.models import GoldChange
from annotation.gold.selectors.ledger import gold_lists
from annotation.gold.services.ledger import NothingToCorrect, ReasonMissing, correct_gold, undo_change
from annotation.items.models import Candidate
from annotation.projects.models import Project
from tests.annotation.adjudication.factories import make_answers
from tests.conftest import ClientOf

pytestmark = pytest.mark.django_db


@pytest.fixture
def answer(project: Project) -> Candidate:
    return make_answers(project=project, question="capital of france", gold=["Paris"], texts=["lutetia"])[0]


def correct(answer: Candidate, *, by: User, action: str, text: str, reason: str = "known") -> GoldChange:
    return correct_gold(
        project=answer.project,
        question_id=answer.question.public_id,
        action=action,
        text=text,
        reason=reason,
        by=by,
    )


def amended(answer: Candidate) -> tuple[str, ...]:
    return gold_lists(answer.project, amended=True)[answer.question_id]


class TestCorrectGold:
    def test_adds_and_takes_off_and_leaves_the_original_list(self, answer: Candidate, lead: User) -> None:
        correct(answer, by=lead, action="added", text="Lutetia")
        correct(answer, by=lead, action="removed", text="Paris")
        assert amended(answer) == ("Lutetia",)
        assert gold_lists(answer.project, amended=False)[answer.question_id] == ("Paris",)

    def test_stays_whatever_people_decide(self, answer: Candidate, lead: User) -> None:
        correct(answer, by=lead, action="added", text="lutetia")
        for label in ("correct", "incorrect"):
            decide_answer(
                project=answer.project, candidate_id=answer.public_id, by=lead, label=label, reason="so"
            )
            assert amended(answer) == ("Paris", "lutetia")

    def test_puts_back_what_was_taken_off_by_undoing_that(self, answer: Candidate, lead: User) -> None:
        removal = correct(answer, by=lead, action="removed", text="Paris")
        assert correct(answer, by=lead, action="added", text="Paris").pk == removal.pk
        assert amended(answer) == ("Paris",)

    def test_can_be_undone(self, answer: Candidate, lead: User) -> None:
        change = correct(answer, by=lead, action="added", text="Lutetia")
        undo_change(project=answer.project, public_id=change.public_id, by=lead, reason="was wrong")
        assert amended(answer) == ("Paris",)

    @pytest.mark.parametrize(("action", "text"), [("added", "Paris"), ("removed", "Lyon")])
    def test_says_that_there_is_nothing_to_do(
        self, answer: Candidate, lead: User, action: str, text: str
    ) -> None:
        with pytest.raises(NothingToCorrect):
            correct(answer, by=lead, action=action, text=text)

    def test_wants_a_reason(self, answer: Candidate, lead: User) -> None:
        with pytest.raises(ReasonMissing):
            correct(answer, by=lead, action="added", text="Lutetia", reason=" ")

    def test_is_reached_by_leads(self, answer: Candidate, lead: User) -> None:
        body = {
            "question": answer.question.public_id,
            "action": "added",
            "text": "Lutetia",
            "reason": "known",
        }
        address = f"/api/projects/{answer.project.slug}/gold/corrections"
        reply = ClientOf(lead).post(address, body, format="json")
        assert (reply.status_code, reply.json()["rule"]) == (201, "correction")
