"""EVOUNA's way with questions: three raters, two of whom can take one out, and who is asked again."""

from typing import NamedTuple

import pytest

from annotation.adjudication.selectors.queue import count_waiting
from annotation.adjudication.services.deciding import decide_answer
from annotation.agreement.selectors.votes import read_first_round
from annotation.assignments.api import work_for
from annotation.assignments.blind_view import BlindSheet
from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate, Question
from annotation.judgments.models import CheckAnswer, Judgment
from annotation.judgments.selectors import improper_questions
from annotation.judgments.services.revising import undo_submit
from annotation.judgments.services.submitting import skip_sheet
from annotation.projects.models import Membership, Project
from annotation.projects.services.protocols import set_protocol
from tests.annotation.assignments.factories import judge, make_question, new_key
from tests.factories import make_member, make_project, read_what_is_new

GROUPS = ("small", "gpt4", "bing")
CHANGES, IMPROPER = {"changes_over_time": True}, {"changes_over_time": False, "gold_improper": True}
FINE = {"changes_over_time": False, "gold_improper": False}


class Study(NamedTuple):
    """One question answered in three groups of systems, each with its rater."""

    project: Project
    question: Question
    raters: list[Membership]

    def is_improper(self) -> bool:
        return improper_questions(self.project) == {self.question.pk}

    def states(self) -> list[str]:
        return list(self.question.candidates.order_by("position").values_list("state", flat=True))


@pytest.fixture
def study(db: None) -> Study:
    project = make_project(preset="evouna")
    question = make_question(project=project, answers=list(GROUPS))
    raters = []
    for group in GROUPS:
        Candidate.objects.filter(question=question, text=group).update(group=group)
        rater = make_member(project=project)
        rater.group = group
        rater.save()
        raters.append(rater)
    return Study(project, question, raters)


def say(rater: Membership, checks: dict[str, bool]) -> Sheet:
    """Take the next sheet and hand it in with these answers to the checks."""
    (sheet,) = hand_out(rater=rater)
    judge(sheet, checks=checks)
    sheet.refresh_from_db()
    return sheet


def next_sheet(rater: Membership) -> BlindSheet | None:
    return next(iter(work_for(rater=read_what_is_new(rater), ahead=1).sheets), None)


class TestTwoOfThree:
    @pytest.fixture
    def disputed(self, study: Study) -> Study:
        """T, F, T: for different reasons, as a yes to the first check leaves the second unasked."""
        for rater, checks in zip(study.raters, (CHANGES, FINE, IMPROPER), strict=True):
            say(rater, checks)
        return study

    def test_take_a_question_out_of_the_scores_and_agreement(self, disputed: Study) -> None:
        assert disputed.is_improper()
        assert read_first_round(project=disputed.project).items.size == 0

    def test_leave_the_third_to_be_asked_about_the_checks_alone(self, disputed: Study) -> None:
        sheet = next_sheet(disputed.raters[1])
        assert sheet is not None
        assert (sheet.asks_again, sheet.answers) == ("checks", [])
        assert [check.key for check in sheet.checks] == ["changes_over_time", "gold_improper"]
        progress = work_for(rater=disputed.raters[1], ahead=1).progress
        # "Question 1 of 1", not 2 of 2: what comes back is not judged yet.
        assert (progress.judged_questions, progress.left_questions) == (0, 1)

    def test_ask_nobody_else_again(self, disputed: Study) -> None:
        assert next_sheet(disputed.raters[0]) is None
        assert next_sheet(disputed.raters[2]) is None
        assert count_waiting(project=disputed.project) == 0

    @pytest.mark.parametrize("checks", [FINE, IMPROPER])
    def test_stand_whatever_the_third_says_then(self, disputed: Study, checks: dict[str, bool]) -> None:
        rater = disputed.raters[1]
        say(rater, checks)
        assert disputed.is_improper()
        assert next_sheet(rater) is None
        answers = CheckAnswer.objects.filter(rater=rater, check_key="gold_improper").order_by("pk")
        assert list(answers.values_list("round", "answer")) == [
            ("first", False),
            ("again", checks["gold_improper"]),
        ]

    def test_stand_where_the_third_will_not_be_asked(self, disputed: Study) -> None:
        (sheet,) = hand_out(rater=disputed.raters[1])
        skip_sheet(
            rater=disputed.raters[1], sheet_id=sheet.public_id, submission_key=new_key(), reason="enough"
        )
        assert next_sheet(disputed.raters[1]) is None
        assert disputed.is_improper()

    def test_keep_the_vote_of_the_third(self, disputed: Study) -> None:
        assert Judgment.objects.get().rater == disputed.raters[1]
        assert disputed.states() == ["open", "decided", "open"]

    def test_let_the_third_be_asked_about_it_first_where_they_were_quicker(self, study: Study) -> None:
        say(study.raters[0], CHANGES)
        say(study.raters[2], CHANGES)
        assert study.is_improper()
        first = say(study.raters[1], FINE)
        assert first.asks_again == ""
        again = next_sheet(study.raters[1])
        assert again is not None
        assert again.asks_again == "checks"

    def test_are_undone_when_one_of_them_takes_it_back(self, disputed: Study) -> None:
        undone = undo_submit(rater=disputed.raters[0])
        assert not disputed.is_improper()
        assert next_sheet(disputed.raters[1]) is None
        judge(undone, checks=FINE)
        assert disputed.states() == ["decided", "decided", "open"]
        again = next_sheet(disputed.raters[2])
        assert again is not None
        assert (again.asks_again, [answer.text for answer in again.answers]) == ("answers", ["bing"])

    def test_are_told_anew_when_the_third_takes_the_first_answer_back(self, disputed: Study) -> None:
        rater = disputed.raters[1]
        (again,) = hand_out(rater=rater)
        undone = undo_submit(rater=rater)
        assert not Sheet.objects.filter(pk=again.pk).exists()
        judge(undone, checks=CHANGES)
        assert next_sheet(rater) is None
        assert disputed.states() == ["open", "open", "open"]

    def test_asking_again_can_be_taken_back_like_any_sheet(self, disputed: Study) -> None:
        rater = disputed.raters[1]
        again = say(rater, IMPROPER)
        undone = undo_submit(rater=rater)
        assert undone.pk == again.pk
        assert undone.draft == {"answers": [], "checks": IMPROPER}
        judge(undone, checks=FINE)
        assert CheckAnswer.objects.filter(rater=rater, round="again", answer=True).count() == 0


class TestOneOfThree:
    @pytest.fixture
    def overruled(self, study: Study) -> Study:
        for rater, checks in zip(study.raters, (CHANGES, FINE, FINE), strict=True):
            say(rater, checks)
        return study

    def test_keeps_its_answers_from_others_until_all_have_spoken(self, study: Study) -> None:
        substitute = make_member(project=study.project)
        substitute.group = GROUPS[0]
        substitute.save()
        say(study.raters[0], CHANGES)
        assert next_sheet(substitute) is None
        assert next_sheet(study.raters[0]) is None
        assert count_waiting(project=study.project) == 0

    def test_judges_the_answers_after_all(self, overruled: Study) -> None:
        assert not overruled.is_improper()
        sheet = next_sheet(overruled.raters[0])
        assert sheet is not None
        assert (sheet.asks_again, sheet.checks) == ("answers", [])
        assert [answer.text for answer in sheet.answers] == ["small"]
        say(overruled.raters[0], {})
        assert overruled.states() == ["decided", "decided", "decided"]
        assert Assignment.objects.filter(state=Assignment.State.DONE, round="first").count() == 3

    def test_leaves_them_to_others_by_skipping(self, overruled: Study) -> None:
        (sheet,) = hand_out(rater=overruled.raters[0])
        skip_sheet(rater=overruled.raters[0], sheet_id=sheet.public_id, submission_key=new_key(), reason="no")
        assert count_waiting(project=overruled.project) == 1

    def test_cannot_bring_the_yes_back_on_that_sheet(self, overruled: Study) -> None:
        (sheet,) = hand_out(rater=overruled.raters[0])
        judge(sheet, checks=CHANGES)
        assert overruled.states()[0] == "decided"

    def test_judges_the_answers_after_all_where_a_lead_settles_what_others_were_waited_for(
        self, study: Study
    ) -> None:
        say(study.raters[0], CHANGES)
        for answer in study.question.candidates.exclude(text="small"):
            assert next_sheet(study.raters[0]) is None
            decide_answer(
                project=study.project,
                candidate_id=answer.public_id,
                by=study.project.created_by,
                label="correct",
                reason="read it up",
            )
        sheet = next_sheet(study.raters[0])
        assert sheet is not None
        assert [answer.text for answer in sheet.answers] == ["small"]

    def test_judges_the_answers_after_all_where_the_protocol_asks_nobody_else(self, db: None) -> None:
        project = make_project()
        assert project.protocol is not None
        check = {"key": "odd", "text": "Odd?", "rule": "at_least", "at_least": 2, "skips_answers": True}
        spec = {**project.protocol.spec, "question_checks": [check]}
        set_protocol(project=project, spec=spec)
        make_question(project=project, answers=["small"])
        rater = Membership.objects.select_related("project__protocol").get(pk=make_member(project=project).pk)
        say(rater, {"odd": True})
        assert next_sheet(rater) is None
        set_protocol(project=project, spec={**spec, "raters_per_answer": 1})
        sheet = next_sheet(Membership.objects.select_related("project__protocol").get(pk=rater.pk))
        assert sheet is not None
        assert [answer.text for answer in sheet.answers] == ["small"]

    def test_takes_everything_back_at_once(self, overruled: Study) -> None:
        rater = overruled.raters[0]
        hand_out(rater=rater)
        undone = undo_submit(rater=rater)
        sheet = next_sheet(rater)
        assert sheet is not None
        assert (sheet.id, sheet.asks_again, len(sheet.checks), len(sheet.answers)) == (
            undone.public_id,
            "",
            2,
            1,
        )
        judge(undone, checks=FINE)
        assert overruled.states() == ["decided", "decided", "decided"]
