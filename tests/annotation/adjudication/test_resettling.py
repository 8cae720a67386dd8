"""What a protocol that changes in mid-project does to answers with votes, and that it is foreseen."""

from collections.abc import Sequence
from typing import Any

import pytest

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import Move, Moved
from annotation.adjudication.services.deciding import decide_answer
from annotation.adjudication.services.protocol_changes import ChangeEffects, foresee_change, words_of_change
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.revising import edit_judgment
from annotation.projects.models import Membership, Project
from annotation.projects.services.protocols import UnusableProtocol, set_protocol
from tests.annotation.adjudication.factories import make_answers, vote
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db
CAST = ("ada", "ben", "cay", "dan")


@pytest.fixture
def raters(project: Project) -> list[Membership]:
    return [make_member(project=project, username=name) for name in CAST]


def judged(project: Project, raters: Sequence[Membership], *labels: str) -> Candidate:
    """Make one answer and let the raters vote on it in turn."""
    (answer,) = make_answers(
        project=project,
        question=f"who has {project.questions.count()}",
        texts=[f"a{project.questions.count()}"],
    )
    for rater, label in zip(raters, labels, strict=False):
        vote(rater=rater, labels={answer.text: label})
    answer.refresh_from_db()
    return answer


def edit(answer: Candidate, *, rater: Membership, label: str) -> None:
    """Let a rater say otherwise of an answer."""
    judgment = Judgment.objects.get(candidate=answer, rater=rater)
    edit_judgment(
        rater=Membership.objects.select_related("project__protocol").get(pk=rater.pk),
        sheet_id=judgment.assignment.sheet.public_id,
        given=AnswerGiven(id=answer.public_id, label=label),
        seen_at=judgment.judged_at,
    )


def change(project: Project, **changes: Any) -> ChangeEffects:
    """Put a changed protocol in force and return what was foreseen of it."""
    project.refresh_from_db()
    spec = {**project.protocol.spec, **changes}
    foreseen = foresee_change(project=project, spec=spec)
    set_protocol(project=project, spec=spec)
    return foreseen


def standing(answer: Candidate) -> tuple[str, int, int, str]:
    """Return an answer's state, its slots wanted and taken, and the label in force."""
    answer.refresh_from_db()
    current = Decision.objects.in_force().filter(candidate=answer).first()
    return answer.state, answer.wanted, answer.taken, current.label if current else ""


class TestMoreRaters:
    def test_a_decided_answer_waits_for_the_rater_who_lacks(
        self, project: Project, raters: list[Membership]
    ) -> None:
        answer = judged(project, raters, "correct", "correct")
        foreseen = change(project, raters_per_answer=3)
        assert standing(answer) == ("open", 3, 2, "")
        assert foreseen.moved == {Moved(Move.REOPENED, 1): 1}
        vote(rater=raters[2], labels={answer.text: "incorrect"})
        assert standing(answer) == ("decided", 3, 3, "correct")

    def test_the_history_says_that_the_protocol_withdrew_the_decision(
        self, project: Project, raters: list[Membership]
    ) -> None:
        answer = judged(project, raters, "correct", "correct")
        change(project, raters_per_answer=3)
        last = answer.decisions.get(is_current=True)
        assert (last.is_reopening, last.reason) == (True, "The protocol was changed to version 2.")

    def test_a_tie_break_counts_as_the_third_rater(self, project: Project, raters: list[Membership]) -> None:
        answer = judged(project, raters, "correct", "incorrect", "correct")
        foreseen = change(project, raters_per_answer=3)
        assert standing(answer) == ("decided", 3, 3, "correct")
        assert foreseen.moved == {Moved(Move.STAYS): 1}

    def test_an_answer_nobody_has_judged_asks_for_more(self, project: Project) -> None:
        answer = judged(project, [])
        assert change(project, raters_per_answer=3).moved == {Moved(Move.MORE_RATERS): 1}
        assert standing(answer) == ("open", 3, 0, "")

    def test_votes_carry_the_version_they_were_made_under(
        self, project: Project, raters: list[Membership]
    ) -> None:
        answer = judged(project, raters, "correct", "correct")
        change(project, raters_per_answer=3)
        vote(rater=raters[2], labels={answer.text: "correct"})
        numbers = JudgmentRevision.objects.order_by("pk").values_list("protocol_version__number", flat=True)
        assert list(numbers) == [1, 1, 2]


class TestFewerRaters:
    @pytest.fixture
    def project(self, lead: Any) -> Project:
        return make_project(lead=lead, preset="efficientqa", slug="three", name="Three")

    @pytest.fixture
    def asked_by_majority(self, project: Project) -> Project:
        change(project, decision_rule="majority", question_checks=[], checks_first=False)
        return project

    def test_the_votes_there_are_decide(self, asked_by_majority: Project, raters: list[Membership]) -> None:
        answer = judged(asked_by_majority, raters, "possibly_correct", "possibly_correct")
        assert standing(answer) == ("open", 3, 2, "")
        foreseen = change(asked_by_majority, raters_per_answer=2)
        assert standing(answer) == ("decided", 2, 2, "possibly_correct")
        assert foreseen.moved == {Moved(Move.DECIDED): 1}

    def test_a_vote_too_many_stays_and_counts_again_when_more_are_wanted(
        self, asked_by_majority: Project, raters: list[Membership]
    ) -> None:
        labels = ("possibly_correct", "definitely_incorrect", "definitely_incorrect")
        answer = judged(asked_by_majority, raters, *labels)
        foreseen = change(asked_by_majority, raters_per_answer=1)
        assert standing(answer)[3] == "possibly_correct"
        assert foreseen.moved == {Moved(Move.RELABELLED): 1}
        assert Judgment.objects.filter(state="counted").count() == 3
        change(asked_by_majority, raters_per_answer=3)
        assert standing(answer) == ("decided", 3, 3, "definitely_incorrect")

    def test_a_vote_too_many_stays_when_another_rater_edits_theirs(
        self, asked_by_majority: Project, raters: list[Membership]
    ) -> None:
        labels = ("possibly_correct", "definitely_incorrect", "definitely_incorrect")
        answer = judged(asked_by_majority, raters, *labels)
        change(asked_by_majority, raters_per_answer=1)
        edit(answer, rater=raters[0], label="definitely_correct")
        assert standing(answer)[3] == "definitely_correct"
        assert Judgment.objects.filter(state="counted").count() == 3
        change(asked_by_majority, raters_per_answer=3)
        assert standing(answer) == ("decided", 3, 3, "definitely_incorrect")

    def test_judgments_fill_the_lowest_slots(
        self, asked_by_majority: Project, raters: list[Membership]
    ) -> None:
        answer = judged(asked_by_majority, raters, "possibly_correct", "definitely_incorrect")
        first = Judgment.objects.get(slot=1)
        first.assignment.state = "skipped"
        first.assignment.save()
        first.state = "missing"
        first.save()
        Candidate.objects.filter(pk=answer.pk).update(taken=1)
        change(asked_by_majority, raters_per_answer=1)
        assert standing(answer)[3] == "definitely_incorrect"
        assert Judgment.objects.get(state="counted").slot == 1


class TestOtherTieBreaks:
    def test_a_tie_goes_to_the_lead_and_back(self, project: Project, raters: list[Membership]) -> None:
        answer = judged(project, raters, "correct", "incorrect")
        assert change(project, tie_break="lead").moved == {Moved(Move.FOR_LEAD): 1}
        assert standing(answer) == ("disputed", 2, 2, "")
        assert change(project, tie_break="third_rater").moved == {Moved(Move.FROM_LEAD, 1): 1}
        assert standing(answer) == ("open", 3, 2, "")

    def test_a_vote_that_broke_a_tie_goes_on_counting(
        self, project: Project, raters: list[Membership]
    ) -> None:
        answer = judged(project, raters, "correct", "incorrect", "incorrect")
        change(project, tie_break="lead")
        assert standing(answer) == ("decided", 3, 3, "incorrect")


class TestWhatStays:
    def test_what_a_person_decided(self, project: Project, raters: list[Membership], lead: Any) -> None:
        answer = judged(project, raters, "correct", "correct")
        decide_answer(
            project=project, candidate_id=answer.public_id, by=lead, label="incorrect", reason="it is not"
        )
        foreseen = change(project, raters_per_answer=3)
        assert standing(answer)[3] == "incorrect"
        assert (foreseen.moved, foreseen.by_others) == ({}, 1)

    def test_the_protocol_in_force_again_changes_nothing(
        self, project: Project, raters: list[Membership]
    ) -> None:
        judged(project, raters, "correct", "correct")
        assert change(project).is_same
        assert project.protocol_versions.count() == 1

    def test_gold_follows_the_decisions(self, project: Project, raters: list[Membership]) -> None:
        answer = judged(project, raters, "correct", "correct")
        assert answer.question.gold_changes.filter(undone_at=None).count() == 1
        change(project, raters_per_answer=3)
        assert answer.question.gold_changes.filter(undone_at=None).count() == 0

    def test_foreseeing_changes_nothing(self, project: Project, raters: list[Membership]) -> None:
        answer = judged(project, raters, "correct", "correct")
        foresee_change(project=project, spec={**project.protocol.spec, "raters_per_answer": 3})
        assert standing(answer) == ("decided", 2, 2, "correct")
        assert project.protocol_versions.count() == 1

    def test_what_cannot_be_is_refused_before_it_is_foreseen(self, project: Project) -> None:
        with pytest.raises(UnusableProtocol):
            foresee_change(project=project, spec={**project.protocol.spec, "sheet_size": 0})


class TestWords:
    def test_say_what_stays_and_what_changes(self, project: Project, raters: list[Membership]) -> None:
        judged(project, raters, "correct", "correct")
        foreseen = change(project, raters_per_answer=3, guidelines="Judge well.")
        assert foreseen.number == 2
        assert words_of_change(foreseen) == [
            "2 judgments were made under version 1 and keep that version.",
            "1 decided answer is reopened and waits for one more annotator.",
            "2 annotators must read the changed guidelines before continuing.",
        ]

    def test_say_that_nothing_was_done_yet(self, project: Project) -> None:
        foreseen = foresee_change(project=project, spec={**project.protocol.spec, "sheet_size": 5})
        assert (foreseen.number, words_of_change(foreseen)) == (1, ["No judgments have been made yet."])
