"""Checks that a lead adds or removes in mid-project: a sheet demands those it shows, and no others."""

import hashlib

import pytest

from annotation.assignments.api import work_for
from annotation.assignments.models import Sheet
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate, Question
from annotation.judgments.models import CheckAnswer
from annotation.judgments.services.recording import IncompleteSheet
from annotation.projects.models import Membership, Project
from annotation.projects.services.protocols import set_protocol
from tests.annotation.assignments.factories import judge, make_question
from tests.factories import make_member, make_project, read_what_is_new

CHANGES = {"key": "changes", "text": "Does its answer change over time?"}
IMPROPER = {"key": "improper", "text": "Is the gold answer improper?"}


@pytest.fixture
def project(db: None) -> Project:
    return make_project()


@pytest.fixture
def question(project: Project) -> Question:
    return make_question(project=project, answers=["one"])


@pytest.fixture
def rater(project: Project, question: Question) -> Membership:
    return read_what_is_new(make_member(project=project))


def ask(project: Project, *checks: dict[str, str]) -> None:
    """Change which checks the project asks."""
    project = Project.objects.get(pk=project.pk)
    assert project.protocol is not None
    set_protocol(project=project, spec={**project.protocol.spec, "question_checks": list(checks)})


def anew(rater: Membership) -> Membership:
    """Return the rater as their next request finds them."""
    return read_what_is_new(Membership.objects.select_related("project__protocol").get(pk=rater.pk))


def shown(rater: Membership) -> list[str]:
    """Return the checks that the rater sees on what they have in hand."""
    (sheet,) = work_for(rater=anew(rater), ahead=1).sheets
    return [check.key for check in sheet.checks]


def in_hand(rater: Membership) -> Sheet:
    (sheet,) = hand_out(rater=anew(rater))
    return sheet


def add_answer(question: Question) -> None:
    """Let a new system answer the question."""
    first = question.candidates.get()
    text = "another"
    Candidate.objects.create(
        question=question,
        project=question.project,
        data_import=question.data_import,
        text=text,
        pool_hash=hashlib.sha256(text.encode()).hexdigest(),
        position=1,
        state=Candidate.State.OPEN,
        wanted=first.wanted,
    )


def answered(rater: Membership) -> list[str]:
    return list(
        CheckAnswer.objects.filter(rater=rater).order_by("check_key").values_list("check_key", flat=True)
    )


class TestAdded:
    def test_after_the_question_was_judged_come_with_its_new_answers(
        self, project: Project, question: Question, rater: Membership
    ) -> None:
        judge(in_hand(rater))
        ask(project, CHANGES)
        add_answer(question)
        assert shown(rater) == ["changes"]
        with pytest.raises(IncompleteSheet):
            judge(in_hand(rater), checks={})
        judge(in_hand(rater), checks={"changes": False})
        assert answered(rater) == ["changes"]

    def test_to_others_are_asked_alone(self, project: Project, question: Question, rater: Membership) -> None:
        ask(project, CHANGES)
        judge(in_hand(rater), checks={"changes": False})
        ask(project, CHANGES, IMPROPER)
        add_answer(question)
        assert shown(rater) == ["improper"]
        judge(in_hand(rater), checks={"improper": True})
        assert answered(rater) == ["changes", "improper"]

    @pytest.mark.usefixtures("question")
    def test_while_a_sheet_is_in_hand_are_not_on_it(self, project: Project, rater: Membership) -> None:
        sheet = in_hand(rater)
        ask(project, CHANGES)
        assert shown(rater) == []
        judge(sheet, checks={})
        assert answered(rater) == []


class TestRemoved:
    @pytest.mark.usefixtures("question")
    def test_while_a_sheet_is_in_hand_stay_on_it(self, project: Project, rater: Membership) -> None:
        ask(project, CHANGES)
        sheet = in_hand(rater)
        ask(project)
        assert shown(rater) == ["changes"]
        judge(sheet, checks={"changes": True})
        assert answered(rater) == ["changes"]

    def test_are_not_asked_with_new_answers(
        self, project: Project, question: Question, rater: Membership
    ) -> None:
        ask(project, CHANGES)
        judge(in_hand(rater), checks={"changes": False})
        ask(project)
        add_answer(question)
        assert shown(rater) == []
        judge(in_hand(rater), checks={})
