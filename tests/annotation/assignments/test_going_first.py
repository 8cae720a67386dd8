"""What was drawn for people comes first, by itself, and nothing that a rater hears tells it from work."""

from collections.abc import Collection
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.assignments.blind_view import build_work
from annotation.assignments.models import Purpose, Sheet
from annotation.assignments.selectors.open_work import count_questions_left
from annotation.assignments.services.handing_out import hand_out
from annotation.assignments.services.work_plans import put_first, save_plan
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from tests.annotation.assignments.factories import judge, judge_next, make_question
from tests.annotation.assignments.test_handing_out import change_protocol
from tests.annotation.assignments.test_hidden import NOON, rater, total
from tests.annotation.judgments.test_api import Rater, statements
from tests.annotation.known_answers.factories import make_known, use_plan
from tests.factories import read_what_is_new

__all__ = ["rater"]
QUESTIONS, ANSWERS = 5, 3
# By question and answer, from 0.
DRAWN = ("2.0", "3.0", "3.2")


@pytest.fixture(autouse=True)
def questions(project: Project) -> None:
    for question in range(QUESTIONS):
        make_question(project=project, answers=[f"{question}.{answer}" for answer in range(ANSWERS)])


def keys(texts: Collection[str]) -> set[int]:
    return set(Candidate.objects.filter(text__in=texts).values_list("pk", flat=True))


def put(project: Project, *texts: str) -> None:
    put_first(project_id=project.pk, candidate_ids=keys(texts))


def texts_of(sheet: Sheet) -> list[str]:
    return sorted(sheet.assignments.values_list("candidate__text", flat=True))


def work_through(rater: Membership) -> list[list[str]]:
    """Judge all that comes, and return what was on each sheet."""
    sheets = list[list[str]]()
    while found := hand_out(rater=rater):
        sheets.append(texts_of(found[0]))
        judge(found[0])
    return sheets


def whole(*questions: int) -> list[list[str]]:
    return [[f"{question}.{answer}" for answer in range(ANSWERS)] for question in questions]


class TestOrder:
    @pytest.mark.parametrize("plan", [{}, {"order": "seed"}, {"goes_first": ["Question 4?"]}])
    def test_it_comes_before_all_else_and_without_the_rest(
        self, project: Project, rater: Membership, plan: dict[str, object]
    ) -> None:
        if plan.get("goes_first"):
            plan = {"goes_first": [project.questions.get(position=4).public_id]}
        if plan:
            save_plan(project=project, **plan)
        put(project, *DRAWN)
        sheets = work_through(rater)
        assert sorted(sheets[:2]) == [["2.0"], ["3.0", "3.2"]]
        assert sorted(sheets[2:]) == sorted([*whole(0, 1, 4), ["2.1", "2.2"], ["3.1"]])
        if not plan:
            assert [sheet[0] for sheet in sheets] == ["2.0", "3.0", "0.0", "1.0", "2.1", "3.1", "4.0"]

    def test_a_tie_is_broken_before_other_work(self, project: Project, annotators: list[Membership]) -> None:
        put(project, "4.1")
        first, second, third = annotators
        judge_next(first, "correct")
        judge_next(second, "incorrect")
        assert texts_of(hand_out(rater=third)[0]) == ["4.1"]

    def test_a_sheet_that_breaks_a_tie_holds_none_of_the_rest(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        change_protocol(project, fill_tie_break_sheets=True)
        first, second, third = map(read_what_is_new, annotators)
        put(project, "0.0", "0.1")
        judge_next(first, "correct")
        judge_next(second, "correct")
        put(project, "0.2")
        judge_next(first, "correct")
        judge_next(second, "incorrect")
        assert texts_of(hand_out(rater=third)[0]) == ["0.2"]

    def test_others_take_its_place_or_nothing_does(self, project: Project, rater: Membership) -> None:
        put(project, *DRAWN)
        put(project, "1.1")
        assert keys(["1.1"]) == set(Candidate.objects.filter(goes_first=True).values_list("pk", flat=True))
        put(project)
        assert work_through(rater) == whole(*range(QUESTIONS))

    def test_what_is_in_hand_stays_as_it_is(self, project: Project, rater: Membership) -> None:
        (sheet,) = hand_out(rater=rater)
        put(project, *DRAWN)
        assert hand_out(rater=rater) == [sheet]
        assert texts_of(sheet) == whole(0)[0]

    def test_it_comes_back_by_itself_once_its_time_ran_out(self, project: Project, rater: Membership) -> None:
        put(project, *DRAWN)
        (sheet,) = hand_out(rater=rater, at=NOON)
        (again,) = hand_out(rater=rater, at=NOON + timedelta(days=1))
        assert (again, texts_of(again)) == (sheet, ["2.0"])


class TestWhatIsTold:
    def test_each_sheet_is_one_of_those_left(self, project: Project, rater: Membership) -> None:
        put(project, *DRAWN)
        before = total(rater)
        assert before == QUESTIONS + 2
        for judged in range(before):
            assert count_questions_left(rater=rater) == before - judged
            (sheet,) = hand_out(rater=rater)
            assert (count_questions_left(rater=rater), total(rater)) == (before - judged, before)
            judge(sheet)
        assert (count_questions_left(rater=rater), total(rater)) == (0, before)

    def test_a_sheet_looks_and_is_asked_for_as_any_other(self, project: Project, rater: Membership) -> None:
        asked, shown = [], []
        for drawn in ([], ["2.0"]):
            put(project, *drawn)
            browser = Rater(read_what_is_new(rater))
            (sheet,) = browser.next()["sheets"]
            with CaptureQueriesContext(connection) as queries:
                (sheet,) = browser.submit(sheet).json()["sheets"]
            asked.append(len(statements(queries)))
            shown.append(sorted(sheet))
        assert asked[0] == asked[1]
        assert shown[0] == shown[1]
        assert not {"goes_first", "first"} & set(shown[0])

    def test_known_answers_among_it_are_as_many_on_a_sheet(self, project: Project, rater: Membership) -> None:
        for _ in range(6):
            make_known(project=project)
        use_plan(project, known_share=0.5)
        put(project, *(f"{question}.0" for question in range(QUESTIONS)))
        before, sheets = total(rater), list[Sheet]()
        while found := hand_out(rater=rater, at=NOON):
            judge(found[0], at=NOON)
            assert total(rater) == before
            sheets += found
        first = [sheet for sheet in sheets if sheet.goes_first]
        among = sheets[: sheets.index(first[-1])]
        hidden = [sheet for sheet in among if sheet.purpose == Purpose.KNOWN_ANSWER]
        assert len(first) == QUESTIONS
        # None of the rest comes before all of them were handed out.
        assert len(among) + 1 == len(first) + len(hidden)
        assert hidden
        assert {len(texts_of(sheet)) for sheet in hidden} == {1}

    def test_a_rater_gets_no_field_of_it(self, project: Project, rater: Membership) -> None:
        put(project, *DRAWN)
        sheets = hand_out(rater=rater)
        work = build_work(rater=rater, sheets=sheets, left_questions=1, references=None)
        assert "goes_first" not in str(work)
