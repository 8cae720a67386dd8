"""Pilots: everybody judges the same questions first, and nothing of it counts anywhere."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction

from annotation.accounts.models import User
from annotation.agreement.rules.measures import measure_pilot
from annotation.agreement.selectors.votes import find_differences, read_first_round, read_pilot
from annotation.assignments.blind_view import Progress, build_work
from annotation.assignments.models import Pilot, PilotQuestion, Purpose, Sheet, WorkEvent
from annotation.assignments.selectors.open_work import count_questions_left, open_candidates
from annotation.assignments.selectors.pilots import read_pilots
from annotation.assignments.services import pilots
from annotation.assignments.services.handing_out import hand_out
from annotation.assignments.services.pilots import NoPilot, PilotGoesOn, UnusablePilot, begin_pilot, end_pilot
from annotation.assignments.services.slots import lock_due_questions
from annotation.assignments.services.work_plans import RaterWish, save_plan
from annotation.items.models import Candidate, Question
from annotation.items.services.applying import undo_import
from annotation.items.services.samples import set_sample
from annotation.judgments.models import Judgment
from annotation.judgments.selectors import past_sheets
from annotation.judgments.services.revising import NothingToUndo, undo_submit
from annotation.judgments.services.submitting import skip_sheet
from annotation.known_answers.models import TrainingPass
from annotation.known_answers.selectors import is_training_due
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import change_member
from annotation.quality.services import PlanWish, save_quality_plan
from annotation.release.selectors.rows import count_votes
from common.clock import now
from tests.annotation.assignments.factories import judge, judge_next, make_question, new_key
from tests.annotation.items.conftest import import_into, outputs
from tests.annotation.known_answers.factories import make_known, use_plan
from tests.conftest import ClientOf
from tests.factories import make_member, make_project, read_what_is_new

pytestmark = pytest.mark.django_db
LATER = timedelta(seconds=2 * settings.ASSAY_LEASE_SECONDS)


@pytest.fixture
def questions(project: Project) -> list[Question]:
    return [make_question(project=project) for _ in range(4)]


@pytest.fixture
def pilot(project: Project, lead: User, questions: list[Question]) -> Pilot:
    return begin_pilot(project=project, by=lead, questions=2)


def fresh(rater: Membership) -> Membership:
    """Read a rater anew, as each request does."""
    return Membership.objects.select_related("project__protocol", "user").get(pk=rater.pk)


def progress(rater: Membership) -> Progress:
    left = count_questions_left(rater=rater)
    return build_work(rater=rater, sheets=[], left_questions=left, references=None).progress


def counts(rater: Membership) -> tuple[int, int, int]:
    """Return how many questions and answers a rater has judged, and how many questions are left."""
    told = progress(rater)
    return told.judged_questions, told.judged_answers, told.left_questions


def work_through(rater: Membership, label: str = "correct") -> list[Sheet]:
    sheets = []
    while given := hand_out(rater=rater):
        judge(given[0], label)
        sheets.append(given[0])
    return sheets


def end(project: Project, outcome: str = "again") -> None:
    end_pilot(project=project, by=project.created_by, outcome=outcome)


def places(pilot: Pilot) -> list[int]:
    return sorted(pilot.questions.values_list("question__position", flat=True))


class TestBeginPilot:
    def test_takes_the_first_questions(self, pilot: Pilot) -> None:
        assert places(pilot) == [0, 1]

    def test_a_seed_draws_the_same_again(self, project: Project, lead: User) -> None:
        for _ in range(40):
            make_question(project=project)
        drawn = []
        for _ in range(2):
            with transaction.atomic():
                drawn.append(places(begin_pilot(project=project, by=lead, questions=5, seed=3)))
                transaction.set_rollback(True)
        assert drawn[0] == drawn[1] != [0, 1, 2, 3, 4]

    def test_locks_no_question_but_its_own(
        self, project: Project, lead: User, questions: list[Question], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        locked: list[int] = []

        def note(*, question_ids: list[int], waits: bool) -> list[int]:
            locked.extend(question_ids)
            return lock_due_questions(question_ids=question_ids, waits=waits)

        monkeypatch.setattr(pilots, "lock_due_questions", note)
        begin_pilot(project=project, by=lead, questions=2)
        assert locked == [question.pk for question in questions[:2]]

    def test_takes_another_question_for_one_handed_out_at_that_moment(
        self,
        project: Project,
        lead: User,
        questions: list[Question],
        annotators: list[Membership],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def hand_out_meanwhile(*, question_ids: list[int], waits: bool) -> list[int]:
            if not Sheet.objects.exists():
                hand_out(rater=annotators[0])
            return lock_due_questions(question_ids=question_ids, waits=waits)

        monkeypatch.setattr(pilots, "lock_due_questions", hand_out_meanwhile)
        pilot = begin_pilot(project=project, by=lead, questions=2)
        assert {each.question_id for each in pilot.questions.all()} == {each.pk for each in questions[1:3]}

    def test_goes_with_the_import_that_brought_its_questions(self, project: Project, lead: User) -> None:
        data_import = import_into(project, files={"a.jsonl": outputs(q1="x", q2="y")})
        begin_pilot(project=project, by=lead, questions=2)
        undo_import(data_import=data_import)
        assert not Pilot.objects.exists()

    def test_leaves_out_what_somebody_was_handed(
        self, project: Project, lead: User, questions: list[Question], annotators: list[Membership]
    ) -> None:
        hand_out(rater=annotators[0])
        assert places(begin_pilot(project=project, by=lead, questions=2)) == [1, 2]

    def test_says_how_many_can_serve(self, project: Project, lead: User, questions: list[Question]) -> None:
        with pytest.raises(UnusablePilot, match=r"\(4 left\)"):
            begin_pilot(project=project, by=lead, questions=5)

    def test_there_is_one_at_a_time(self, project: Project, lead: User, pilot: Pilot) -> None:
        with pytest.raises(PilotGoesOn):
            begin_pilot(project=project, by=lead, questions=1)
        with pytest.raises(IntegrityError), transaction.atomic():
            Pilot.objects.create(project=project, begun_by=lead, begun_at=now())

    def test_no_question_serves_twice(self, project: Project, lead: User, pilot: Pilot) -> None:
        end(project)
        assert places(begin_pilot(project=project, by=lead, questions=2)) == [2, 3]
        with pytest.raises(IntegrityError), transaction.atomic():
            PilotQuestion.objects.create(pilot=pilot, question=project.questions.get(position=2))


class TestInThePilot:
    def test_every_rater_judges_the_same_answers_and_nothing_else(
        self, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        for rater in annotators:
            sheets = work_through(rater)
            assert [sheet.purpose for sheet in sheets] == [Purpose.PILOT] * 2
            assert {sheet.question.position for sheet in sheets} == {0, 1}
        said = Judgment.objects.filter(purpose=Purpose.PILOT)
        assert said.count() == 3 * 4
        assert set(Candidate.objects.values_list("state", "taken")) == {("open", 0)}

    def test_the_database_keeps_a_rater_from_judging_an_answer_twice_in_it(
        self, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        (sheet,) = hand_out(rater=annotators[0])
        again = sheet.assignments.order_by("pk")[0]
        again.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            again.save(force_insert=True)

    def test_it_freezes_the_protocol(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        assert project.protocol is not None
        assert project.protocol.frozen_at is None
        hand_out(rater=annotators[0])
        project.protocol.refresh_from_db()
        assert project.protocol.frozen_at is not None

    def test_progress_is_of_the_pilot_alone(self, pilot: Pilot, annotators: list[Membership]) -> None:
        rater = annotators[0]
        assert counts(rater) == (0, 0, 2)
        (sheet,) = hand_out(rater=rater)
        assert counts(rater) == (0, 0, 2)
        judge(sheet)
        assert counts(rater) == (1, 2, 1)
        work_through(rater)
        assert counts(rater) == (2, 4, 0)

    def test_a_sheet_can_be_taken_back_and_handed_in_again(
        self, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        sheet = judge_next(annotators[0])
        assert progress(annotators[0]).can_undo
        undo_submit(rater=annotators[0])
        assert counts(annotators[0]) == (0, 0, 2)
        assert hand_out(rater=annotators[0]) == [sheet]
        judge(sheet, "incorrect")
        said = Judgment.objects.filter(assignment__sheet=sheet)
        assert set(said.values_list("label", "state", "purpose")) == {("incorrect", "surplus", "pilot")}

    def test_a_sheet_whose_time_ran_out_comes_back(self, pilot: Pilot, annotators: list[Membership]) -> None:
        (sheet,) = hand_out(rater=annotators[0])
        later = now() + LATER
        assert hand_out(rater=annotators[0], at=later) == [sheet]
        assert set(sheet.assignments.values_list("state", flat=True)) == {"live"}
        assert progress(annotators[0]).left_questions == 2

    def test_a_sheet_that_was_passed_over_does_not(self, pilot: Pilot, annotators: list[Membership]) -> None:
        (sheet,) = hand_out(rater=annotators[0])
        skip_sheet(rater=annotators[0], sheet_id=sheet.public_id, submission_key=new_key(), reason="unclear")
        assert [each.question.position for each in work_through(annotators[0])] == [1]

    def test_sheets_stay_short_and_each_answer_comes_once(
        self, project: Project, lead: User, annotators: list[Membership]
    ) -> None:
        assert project.protocol is not None
        size = project.protocol.rules.sheet_size
        make_question(project=project, answers=size + 2)
        begin_pilot(project=project, by=lead, questions=1)
        sheets = work_through(annotators[0])
        assert [sheet.assignments.count() for sheet in sheets] == [size, 2]
        undo_submit(rater=annotators[0])
        assert counts(annotators[0]) == (0, size, 1)

    def test_only_who_takes_part_by_the_plan_is_asked(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        first = annotators[0]
        wish = RaterWish(member_id=first.public_id, takes_part=True, first_question=4, answers_at_most=1)
        save_plan(project=project, sharing="named", raters=[wish])
        # Parts and limits are of the work.
        assert len(work_through(first)) == 2
        assert hand_out(rater=annotators[1]) == []

    def test_sheets_of_work_in_hand_are_finished_first(
        self, project: Project, lead: User, questions: list[Question], annotators: list[Membership]
    ) -> None:
        (sheet,) = hand_out(rater=annotators[0])
        begin_pilot(project=project, by=lead, questions=1)
        assert hand_out(rater=annotators[0]) == [sheet]
        judge(sheet)
        assert Judgment.objects.votes().filter(state="counted").count() == 2
        (next_sheet,) = hand_out(rater=annotators[0])
        assert next_sheet.purpose == Purpose.PILOT

    def test_a_question_is_open_to_nobody_as_work(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        found = open_candidates(rater=annotators[0]).values_list("question__position", flat=True)
        assert set(found) == {2, 3}

    def test_training_comes_before_it(
        self, project: Project, pilot: Pilot, annotators: list[Membership], lead: User
    ) -> None:
        work_through(annotators[0])
        make_known(project=project, use="training")
        wish = PlanWish(0, 0, 30, 24, 0, is_training=True, pass_share=0.5, least_answers=1)
        save_quality_plan(project=project, by=lead, wish=wish)
        # Whoever has only done the pilot has not judged yet.
        assert not TrainingPass.objects.exists()
        assert is_training_due(rater=fresh(annotators[0]))


class TestEndPilot:
    def test_again_its_questions_are_work_for_everybody(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        for rater in annotators:
            work_through(rater, "incorrect")
        end(project)
        for rater in annotators[:2]:
            sheets = work_through(fresh(rater))
            assert [sheet.purpose for sheet in sheets] == [Purpose.VOTE] * 4
        assert set(Candidate.objects.values_list("state", "taken")) == {("decided", 2)}
        assert set(Judgment.objects.votes().values_list("label", flat=True)) == {"correct"}
        assert count_votes(project) == 2 * 8

    def test_again_progress_begins_anew_and_adds_up(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        rater = annotators[0]
        judge_next(rater)
        hand_out(rater=rater)
        end(project)
        assert progress(rater) == Progress(0, 0, 4, progress(rater).median_seconds, False)
        for number in range(1, 5):
            judge_next(rater)
            told = progress(rater)
            assert (told.judged_questions, told.left_questions) == (number, 4 - number)

    def test_a_pilot_sheet_is_not_taken_back_afterwards(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        rater = annotators[0]
        sheet = judge_next(rater)
        end(project)
        assert not progress(rater).can_undo
        # The same question is in the rater's hands as work.
        (again,) = hand_out(rater=rater)
        assert again.question == sheet.question
        for sheet_id in ("", sheet.public_id):
            with pytest.raises(NothingToUndo):
                undo_submit(rater=rater, sheet_id=sheet_id)
        judge(again)
        assert undo_submit(rater=rater) == again

    def test_what_lay_in_hand_is_taken_in_with_the_pilot(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        (sheet,) = hand_out(rater=annotators[0])
        end(project)
        (again,) = hand_out(rater=annotators[0])
        assert (again.question, again.purpose) == (sheet.question, Purpose.VOTE)
        outcome = judge(sheet, "incorrect")
        assert (outcome.counted, outcome.surplus) == (2, 0)
        judge(again)
        assert set(Judgment.objects.values_list("purpose", "label", "state")) == {
            ("pilot", "incorrect", "surplus"),
            ("vote", "correct", "counted"),
        }

    def test_a_sheet_never_handed_in_keeps_no_repeat_away(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        hand_out(rater=annotators[0], ahead=2)
        end(project)
        work_through(annotators[0])
        # One question is left to be work among which a sheet comes a second time.
        make_question(project=project)
        use_plan(project, known_share=0, repeat_share=1, repeat_distance=0, repeat_hours=0)
        (sheet,) = hand_out(rater=annotators[0])
        assert sheet.purpose == Purpose.REPEAT

    def test_left_out_its_questions_leave_the_sample_for_good(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        work_through(annotators[0])
        end(project, "left_out")
        assert {sheet.question.position for sheet in work_through(annotators[0])} == {2, 3}
        sample = set_sample(project=project, method="all")
        assert (sample.questions, sample.sampled) == (4, 2)
        with pytest.raises(IntegrityError), transaction.atomic():
            Question.objects.filter(position=0).update(in_sample=True)

    def test_raters_find_both_times_among_what_they_judged(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        work_through(annotators[0])
        end(project)
        work_through(annotators[0])
        assert past_sheets(rater=annotators[0]).count() == 2 + 4

    def test_there_must_be_one(self, project: Project, pilot: Pilot) -> None:
        end(project)
        with pytest.raises(NoPilot):
            end(project)

    def test_leads_read_who_began_and_ended_it(self, project: Project, pilot: Pilot) -> None:
        end(project)
        kinds = WorkEvent.objects.order_by("pk").values_list("kind", flat=True)
        assert list(kinds) == ["pilot_begun", "pilot_ended"]


class TestListPilots:
    def test_says_how_far_each_rater_is(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        judge_next(annotators[0])
        hand_out(rater=annotators[1])
        change_member(project=project, public_id=annotators[2].public_id, state="paused")
        (standing,) = read_pilots(project=project).pilots
        assert [(row.member_id, row.judged, row.left) for row in standing.raters] == [
            (annotators[0].public_id, 2, 2),
            (annotators[1].public_id, 0, 4),
        ]


class TestAgreement:
    def test_is_measured_over_all_raters_and_apart_from_the_work(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        differing: dict[str, str | None] = {"answer 0": "correct", "answer 1": "incorrect"}
        judge_next(annotators[0])
        judge_next(annotators[1], differing)
        judge_next(annotators[2], {**differing, "answer 0": None})
        report = measure_pilot(read_pilot(pilot=pilot))
        # answer 0: two equal votes; answer 1: one correct, two incorrect, so one pair of three is equal.
        assert (report.items, report.raters, report.disagreements) == (2, 3, 1)
        assert report.figures["observed_agreement"].value == pytest.approx((1 + 1 / 3) / 2)
        assert report.distribution == {"correct": 3, "incorrect": 2}
        assert len(read_first_round(project=project).items) == 0
        (difference,) = find_differences(pilot=pilot)
        assert difference.candidate.text == "answer 1"
        assert sorted(label for _, label in difference.votes) == ["correct", "incorrect", "incorrect"]

    def test_says_that_nothing_was_said_yet(self, pilot: Pilot) -> None:
        assert measure_pilot(read_pilot(pilot=pilot)).items == 0


class TestApi:
    def test_a_lead_begins_watches_and_ends_it(
        self, project: Project, lead: User, questions: list[Question], annotators: list[Membership]
    ) -> None:
        client = ClientOf(lead)
        root = "/api/projects/small"
        assert client.get(f"{root}/work/pilots").json() == {"untouched_questions": 4, "pilots": []}
        begun = client.post(f"{root}/work/pilots", {"questions": 2}, format="json")
        assert begun.status_code == 201
        assert client.post(f"{root}/work/pilots", {"questions": 9}, format="json").status_code == 409
        judge_next(annotators[0])
        judge_next(annotators[1], "incorrect")
        (pilot,) = client.get(f"{root}/agreement/pilots").json()
        assert (pilot["report"]["items"], len(pilot["differences"])) == (2, 2)
        ended = client.post(f"{root}/work/pilots/end", {"outcome": "left_out"}, format="json").json()
        assert ended["pilots"][0]["outcome"] == "left_out"
        assert client.get(f"{root}/sample").json()["sampled"] == 2

    def test_raters_are_told_that_it_is_one(
        self, project: Project, pilot: Pilot, annotators: list[Membership]
    ) -> None:
        client = ClientOf(read_what_is_new(annotators[0]).user)
        told: Any = client.post("/api/projects/small/sheets/next", {"ahead": 5}, format="json").json()
        assert (told["in_pilot"], [sheet["is_pilot"] for sheet in told["sheets"]]) == (True, [True, True])
        end(project)
        told = client.post("/api/projects/small/sheets/next", {"ahead": 5}, format="json").json()
        assert (told["in_pilot"], [sheet["is_pilot"] for sheet in told["sheets"]]) == (False, [False] * 4)


class TestBlindness:
    def test_what_others_say_in_it_changes_no_byte(
        self, project: Project, pilot: Pilot, annotators: list[Membership], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        moment = now()
        monkeypatch.setattr("common.clock.timezone.now", lambda: moment)
        client = ClientOf(read_what_is_new(annotators[0]).user)

        def told() -> bytes:
            reply: Any = client.post("/api/projects/small/sheets/next", {"ahead": 5}, format="json")
            return bytes(reply.content)

        before = told()
        judge_next(annotators[1])
        judge_next(annotators[2], "incorrect")
        assert told() == before
        end(project)
        assert make_member(project=project)
        after = told()
        Judgment.objects.filter(rater=annotators[2]).update(label="correct")
        assert told() == after


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one lock for all writers")
@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_a_sheet_while_a_lead_holds_the_project() -> None:
    project = make_project()
    rater = make_member(project=project)
    make_question(project=project, answers=1)

    def next_sheets() -> int:
        with closing(connection), connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '5s'")
            return len(hand_out(rater=rater))

    with ThreadPoolExecutor(1) as threads, transaction.atomic():
        # Else two would wait for each other: a pilot that begins locks questions next.
        Project.objects.locked(project.pk)
        assert threads.submit(next_sheets).result() == 1
