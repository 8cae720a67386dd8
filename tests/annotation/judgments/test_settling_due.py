"""What votes come to is found out after the reply, by whoever comes first, and never lost."""

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import decide_answer
from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services.handing_out import hand_out
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, Question
from annotation.judgments.models import Judgment
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services import settling
from annotation.judgments.services.revising import edit_judgment, undo_submit
from annotation.judgments.services.settling import settle_due
from annotation.judgments.services.submitting import skip_sheet
from annotation.projects.models import Membership, Project
from common.clock import now
from config.steps.sweeper import see_to
from tests.annotation.assignments.factories import judge, judge_next, make_question, new_key, one_candidate
from tests.conftest import ClientOf
from tests.factories import make_member, make_project, read_what_is_new

State = Candidate.State


@pytest.fixture(autouse=True)
def _settle_after_the_reply(settings: LazySettings) -> None:
    settings.ASSAY_SETTLES_AT_ONCE = False


@pytest.fixture
def question(project: Project) -> Question:
    return make_question(project=project, answers=1)


def state_of(question: Question) -> str:
    return one_candidate(question).state


def is_due() -> bool:
    return Sheet.objects.filter(settling_due=True).exists()


class TestWhatIsDoneLater:
    @pytest.mark.parametrize("second", ["correct", "incorrect"])
    def test_a_submit_decides_nothing_until_it_is_settled(
        self, question: Question, annotators: list[Membership], second: str
    ) -> None:
        judge_next(annotators[0])
        settle_due()
        judge_next(annotators[1], second)
        before = one_candidate(question)
        assert (before.state, before.wanted) == (State.OPEN, 2)
        assert not Decision.objects.exists()
        assert settle_due()
        after = one_candidate(question)
        decided = (State.DECIDED, 2) if second == "correct" else (State.OPEN, 3)
        assert (after.state, after.wanted) == decided
        assert GoldChange.objects.exists() == (second == "correct")
        assert not is_due()

    def test_an_edit_a_skip_and_taking_back_are_settled_alike(
        self, question: Question, annotators: list[Membership]
    ) -> None:
        sheet = judge_next(annotators[0])
        judge_next(annotators[1])
        settle_due()
        edit(sheet, "incorrect")
        assert state_of(question) == State.DECIDED
        settle_due()
        assert state_of(question) == State.OPEN
        undo_submit(rater=annotators[1])
        settle_due()
        assert one_candidate(question).wanted == 2
        (held,) = hand_out(rater=annotators[1])
        skip_sheet(rater=annotators[1], sheet_id=held.public_id, submission_key=new_key(), reason="no idea")
        assert is_due()
        settle_due()
        assert (one_candidate(question).wanted, one_candidate(question).taken) == (2, 1)

    def test_twice_is_as_good_as_once(self, question: Question, annotators: list[Membership]) -> None:
        for rater in annotators[:2]:
            judge_next(rater)
        settle_due()
        Sheet.objects.update(settling_due=True)
        settle_due()
        assert Decision.objects.count() == GoldChange.objects.count() == 1

    def test_the_sweeper_settles_what_a_killed_server_left(
        self, question: Question, annotators: list[Membership]
    ) -> None:
        for rater in annotators[:2]:
            judge_next(rater)
        see_to("judgments")
        assert state_of(question) == State.DECIDED

    def test_one_question_that_fails_keeps_nobody_from_the_others(
        self,
        project: Project,
        annotators: list[Membership],
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        first, second = (make_question(project=project, answers=1) for _ in range(2))
        for rater in annotators[:2]:
            judge_next(rater)
            judge_next(rater)

        def fail(*, project_id: int, question_ids: list[int]) -> None:
            if first.pk in question_ids:
                raise ValueError("a bug")

        monkeypatch.setattr(settling, "ask_again", fail)
        assert not settle_due()
        assert (state_of(first), state_of(second)) == (State.OPEN, State.DECIDED)
        assert "a bug" in caplog.text
        monkeypatch.undo()
        settle_due()
        assert state_of(first) == State.DECIDED

    def test_many_questions_take_as_many_queries_as_one(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        taken = []
        for number in (1, settling.QUESTIONS_AT_ONCE):
            for _ in range(number):
                make_question(project=project, answers=1)
            for rater in annotators[:2]:
                for _ in range(number):
                    judge_next(rater)
            with CaptureQueriesContext(connection) as queries:
                assert settle_due()
            taken.append(len(queries))
        assert taken[0] == taken[1] <= 30

    def test_studies_do_not_mix(self, project: Project, annotators: list[Membership]) -> None:
        other = make_project()
        others = [make_member(project=other) for _ in range(2)]
        questions = [make_question(project=each, answers=1) for each in (project, other)]
        for rater in (*annotators[:2], *others):
            judge_next(rater)
        assert settle_due()
        assert [state_of(question) for question in questions] == [State.DECIDED, State.DECIDED]


def edit(sheet: Sheet, label: str) -> None:
    judgment = Judgment.objects.select_related("candidate").get(assignment__sheet=sheet)
    edit_judgment(
        rater=Membership.objects.get(pk=sheet.rater_id),
        sheet_id=sheet.public_id,
        given=AnswerGiven(id=judgment.candidate.public_id, label=label),
        seen_at=judgment.judged_at,
    )


class TestWhoSettles:
    @pytest.fixture(autouse=True)
    def _agreed(self, question: Question, annotators: list[Membership]) -> None:
        for rater in annotators[:2]:
            judge_next(rater)

    def test_whoever_may_see_results_has_them_settled_first(
        self, project: Project, question: Question
    ) -> None:
        reply = ClientOf(project.created_by).get(f"/api/projects/{project.slug}")
        assert reply.status_code == 200
        assert state_of(question) == State.DECIDED

    def test_an_annotator_never_waits_for_it(
        self, project: Project, annotators: list[Membership], question: Question
    ) -> None:
        client = ClientOf(annotators[0].user)
        read_what_is_new(annotators[0])
        for address in ("", "/judged", "/guidelines"):
            assert client.get(f"/api/projects/{project.slug}{address}").status_code == 200
        client.post(f"/api/projects/{project.slug}/sheets/next", {}, format="json")
        assert state_of(question) == State.OPEN


class TestStatesThatLagBehind:
    def test_a_tie_break_handed_in_anew_counts_before_its_taking_back_is_settled(
        self, question: Question, annotators: list[Membership]
    ) -> None:
        judge_next(annotators[0])
        judge_next(annotators[1], "incorrect")
        settle_due()
        sheet = judge_next(annotators[2])
        settle_due()
        assert state_of(question) == State.DECIDED
        sheet = undo_submit(rater=annotators[2])
        judge(sheet, "incorrect")
        settle_due()
        assert Decision.objects.current().get().label == "incorrect"
        assert not Judgment.objects.filter(state=Judgment.State.SURPLUS).exists()

    def test_a_tie_break_that_became_needless_meanwhile_is_set_aside(
        self, question: Question, annotators: list[Membership]
    ) -> None:
        judge_next(annotators[0])
        second = judge_next(annotators[1], "incorrect")
        settle_due()
        (sheet,) = hand_out(rater=annotators[2])
        edit(second, "correct")
        judge(sheet, "incorrect")
        settle_due()
        assert Decision.objects.current().get().source == Decision.Source.UNANIMOUS
        assert Assignment.objects.get(sheet=sheet).state == Assignment.State.SURPLUS

    def test_what_a_person_decided_meanwhile_stays(
        self, project: Project, question: Question, annotators: list[Membership]
    ) -> None:
        for rater in annotators[:2]:
            judge_next(rater)
        decide_answer(
            project=project,
            candidate_id=one_candidate(question).public_id,
            by=project.created_by,
            label="incorrect",
            reason="read it up",
            at=now(),
        )
        settle_due()
        assert Decision.objects.get().label == "incorrect"

    def test_slots_given_up_by_a_yes_to_a_check_are_kept_from_the_first_moment(self, db: None) -> None:
        study = make_project(preset="evouna")
        make_question(project=study, answers=1)
        raters = [make_member(project=study) for _ in range(2)]
        (sheet,) = hand_out(rater=raters[0])
        judge(sheet, checks={"changes_over_time": True})
        assert hand_out(rater=raters[1]) == []
