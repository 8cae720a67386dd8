"""The second pass: another human judges what others decided, after the work, and counts for nothing else."""

from datetime import timedelta

import pytest
from django.conf import settings

from annotation.assignments.blind_view import build_work
from annotation.assignments.models import Purpose, Sheet
from annotation.assignments.selectors.open_work import count_questions_left
from annotation.assignments.selectors.second_pass import count_second_judgments
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate
from annotation.judgments.models import CheckAnswer, Judgment
from annotation.judgments.selectors import improper_questions
from annotation.judgments.services.revising import undo_submit
from annotation.projects.models import Membership, Project
from common.clock import now
from judges.comparison.selectors.judge_board.judged import POOLED_KEY, read_human_rows
from tests.annotation.assignments.factories import judge, judge_next, make_question
from tests.annotation.known_answers.factories import use_plan
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db
YES = {"changes_over_time": True}


@pytest.fixture
def study() -> Project:
    """EVOUNA's: three questions with one answer each from two groups of systems; all are judged twice."""
    project = make_project(preset="evouna")
    for _ in range(3):
        question = make_question(project=project, answers=["one", "two"])
        question.candidates.filter(text="two").update(group="b")
        question.candidates.filter(text="one").update(group="a")
    use_plan(project, known_share=0, second_share=1)
    return project


def rater_of(project: Project, group: str) -> Membership:
    member = make_member(project=project)
    member.group = group
    member.save(update_fields=["group"])
    return member


@pytest.fixture
def first(study: Project) -> Membership:
    return rater_of(study, "a")


@pytest.fixture
def second(study: Project) -> Membership:
    return rater_of(study, "b")


def work_through(rater: Membership, label: str = "correct") -> list[Sheet]:
    sheets: list[Sheet] = []
    while found := hand_out(rater=rater):
        judge(found[0], label)
        sheets += found
    return sheets


def answers_of(sheets: list[Sheet]) -> list[str]:
    return [item.candidate.text for sheet in sheets for item in sheet.assignments.all()]


class TestSecondPass:
    def test_comes_after_the_work_with_the_answers_of_others(
        self, first: Membership, second: Membership
    ) -> None:
        assert answers_of(work_through(first)) == ["one"] * 3
        sheets = work_through(second)
        assert answers_of(sheets) == ["two"] * 3 + ["one"] * 3
        assert [sheet.purpose for sheet in sheets] == [Purpose.VOTE] * 3 + [Purpose.SECOND] * 3
        assert answers_of(work_through(first)) == ["two"] * 3

    def test_gives_each_answer_to_one_other_rater(
        self, study: Project, first: Membership, second: Membership
    ) -> None:
        for rater in (first, second):
            for _ in range(3):
                judge_next(rater)
        third, fourth = make_member(project=study), make_member(project=study)
        (at_hand,) = hand_out(rater=third)
        others = work_through(fourth)
        # One group a sheet: equal answers of two groups are never side by side.
        assert len(others) == 5
        judge(at_hand)
        assert work_through(third) == []
        assert count_second_judgments(project=study) == 6

    def test_changes_no_decision_and_asks_no_checks(self, study: Project, first: Membership) -> None:
        work_through(first, "correct")
        rater = rater_of(study, "a")
        before = list(Candidate.objects.order_by("pk").values("state", "taken", "wanted"))
        (sheet,) = hand_out(rater=rater)
        work = build_work(rater=rater, sheets=[sheet], left_questions=3, references=None)
        assert [item.checks for item in work.sheets] == [[]]
        checks = CheckAnswer.objects.count()
        outcome = judge(sheet, "incorrect", checks=YES)
        assert (outcome.counted, outcome.surplus) == (1, 0)
        assert CheckAnswer.objects.count() == checks
        assert list(Candidate.objects.order_by("pk").values("state", "taken", "wanted")) == before
        assert Judgment.objects.get(rater=rater).state == Judgment.State.SURPLUS

    def test_can_be_taken_back_and_comes_back_after_its_lease(
        self, study: Project, first: Membership
    ) -> None:
        work_through(first)
        rater = rater_of(study, "a")
        (sheet,) = hand_out(rater=rater)
        judge(sheet)
        assert undo_submit(rater=rater) == sheet
        later = now() + timedelta(seconds=settings.ASSAY_LEASE_SECONDS + 1)
        assert hand_out(rater=rater, at=later) == [sheet]
        judge(sheet, "incorrect")
        assert Judgment.objects.get(rater=rater).label == "incorrect"

    def test_is_counted_in_what_is_left(self, first: Membership, second: Membership) -> None:
        work_through(first)
        totals = set()
        for _ in range(6):
            (sheet,) = hand_out(rater=second)
            left = count_questions_left(rater=second)
            done = build_work(rater=second, sheets=[], left_questions=left, references=None).progress
            totals.add(done.judged_questions + done.left_questions)
            judge(sheet)
        assert totals == {6}

    def test_leaves_out_improper_questions(self, study: Project, first: Membership) -> None:
        judge_next(first)
        work_through(first)
        question = study.questions.order_by("position")[0]
        for _ in range(2):
            rater = make_member(project=study)
            sheet = Sheet.objects.filter(rater=first).earliest("pk")
            CheckAnswer.objects.create(
                sheet=sheet,
                question=question,
                rater=rater,
                check_key="changes_over_time",
                answer=True,
                answered_at=now(),
            )
        assert improper_questions(study) == {question.pk}
        assert len(work_through(rater_of(study, "c"))) == 2

    def test_ends_when_the_lead_takes_the_share_back(self, study: Project, first: Membership) -> None:
        work_through(first)
        rater = rater_of(study, "a")
        hand_out(rater=rater)
        later = now() + timedelta(seconds=settings.ASSAY_LEASE_SECONDS + 1)
        use_plan(study, second_share=0)
        assert hand_out(rater=rater, at=later) == []
        assert count_questions_left(rater=rater) == 0

    def test_draws_a_share_by_the_projects_seed(self, study: Project, first: Membership) -> None:
        work_through(first)
        for _ in range(30):
            make_question(project=study, answers=["one"])
        study.candidates.filter(group="").update(group="a")
        work_through(first)
        use_plan(study, second_share=0.5)
        rater = rater_of(study, "c")
        drawn = {sheet.question_id for sheet in work_through(rater)}
        assert 8 <= len(drawn) <= 25
        # Each once.
        assert work_through(rater_of(study, "c")) == []


class TestAnotherHuman:
    def test_compares_the_second_pass_with_the_first(
        self, study: Project, first: Membership, second: Membership
    ) -> None:
        for rater in (first, second):
            for _ in range(3):
                judge_next(rater)
        assert read_human_rows(project=study) == []
        judge_next(second, "correct")
        judge_next(second, "incorrect")
        pooled = next(row for row in read_human_rows(project=study) if row.column.key == POOLED_KEY)
        assert (pooled.confusion.scored, pooled.confusion.right) == (2, 1)
