from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.adjudication.services.deciding import decide_answer
from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.selectors.open_work import count_questions_left, rank_questions
from annotation.assignments.services.handing_out import NotHandedOut, flag_question, hand_out
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import change_member, note_opening
from annotation.projects.services.protocols import set_protocol
from common.clock import now
from tests.annotation.assignments.factories import judge, judge_next, make_question, one_candidate
from tests.factories import make_member

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEASE = timedelta(seconds=settings.ASSAY_LEASE_SECONDS)


def texts(sheet: Sheet) -> list[str]:
    return list(sheet.assignments.order_by("position").values_list("candidate__text", flat=True))


def change_protocol(project: Project, **changes: object) -> None:
    assert project.protocol is not None
    set_protocol(project=project, spec={**project.protocol.spec, **changes})


class TestHandOut:
    def test_a_sheet_holds_every_open_answer_of_one_question(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        question = make_question(project=project, answers=5)
        (sheet,) = hand_out(rater=annotators[0])
        assert sheet.question == question
        assert sorted(texts(sheet)) == [f"answer {number}" for number in range(5)]
        assert set(question.candidates.values_list("taken", flat=True)) == {1}

    def test_asking_again_returns_the_same_sheet(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        assert hand_out(rater=annotators[0]) == hand_out(rater=annotators[0])
        assert Assignment.objects.count() == 2

    def test_as_many_sheets_as_asked_for_are_kept_ready(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        for _ in range(4):
            make_question(project=project)
        assert len(hand_out(rater=annotators[0], ahead=3)) == 3
        assert len(hand_out(rater=annotators[0], ahead=1)) == 1
        assert Sheet.objects.count() == 3

    def test_nobody_beyond_the_protocols_raters_gets_an_answer(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        assert [len(hand_out(rater=rater)) for rater in annotators] == [1, 1, 0]

    def test_questions_that_others_have_begun_come_first(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        begun = make_question(project=project)
        (first,) = hand_out(rater=annotators[0], only_question=begun)
        assert hand_out(rater=annotators[1])[0].question == first.question

    def test_otherwise_the_projects_order_holds(self, project: Project, annotators: list[Membership]) -> None:
        questions = [make_question(project=project) for _ in range(3)]
        sheets = hand_out(rater=annotators[0], ahead=3)
        assert [sheet.question for sheet in sheets] == questions

    def test_every_rater_sees_the_answers_in_an_order_of_their_own(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project, answers=12)
        first, second = (texts(hand_out(rater=rater)[0]) for rater in annotators[:2])
        assert sorted(first) == sorted(second)
        assert first != second

    def test_a_sheet_holds_at_most_the_protocols_size_and_the_rest_follows(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        change_protocol(project, sheet_size=3)
        make_question(project=project, answers=5)
        (first,) = hand_out(rater=annotators[0])
        assert hand_out(rater=annotators[0], ahead=3) == [first]
        judge(first)
        (second,) = hand_out(rater=annotators[0])
        assert (len(texts(first)), len(texts(second))) == (3, 2)
        assert not set(texts(first)) & set(texts(second))

    def test_a_rater_of_a_group_gets_its_answers_only(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        question = make_question(project=project, answers=["own", "foreign"])
        question.candidates.filter(text="own").update(group="first")
        question.candidates.filter(text="foreign").update(group="second")
        annotators[0].group = "first"
        annotators[0].save()
        assert texts(hand_out(rater=annotators[0])[0]) == ["own"]

    def test_the_first_sheet_freezes_the_protocol(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        hand_out(rater=annotators[0], at=NOON)
        project.protocol.refresh_from_db()
        assert project.protocol.frozen_at == NOON

    def test_answers_nobody_is_asked_about_are_not_handed_out(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        question = make_question(project=project)
        question.candidates.update(state=Candidate.State.UNASKED)
        assert hand_out(rater=annotators[0]) == []

    def test_what_is_left_counts_questions_at_hand_and_waiting(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        for _ in range(3):
            make_question(project=project)
        hand_out(rater=annotators[0])
        assert count_questions_left(rater=annotators[0]) == 3
        judge_next(annotators[0])
        assert count_questions_left(rater=annotators[0]) == 2

    def test_other_projects_answers_stay_there(
        self, project: Project, annotators: list[Membership], lead: object
    ) -> None:
        from tests.factories import make_project

        make_question(project=make_project(slug="other"))
        assert hand_out(rater=annotators[0]) == []


class TestRefusals:
    def test_who_was_unblinded_gets_no_work(self, project: Project, annotators: list[Membership]) -> None:
        make_question(project=project)
        annotators[0].unblinded_at = now()
        with pytest.raises(NotHandedOut) as refused:
            hand_out(rater=annotators[0])
        assert refused.value.error_code == "unblinded"

    def test_an_adjudicator_who_looked_and_becomes_annotator_stays_unblinded(
        self, project: Project, adjudicator: Membership
    ) -> None:
        make_question(project=project)
        note_opening(member=adjudicator)
        member = change_member(project=project, public_id=adjudicator.public_id, role="annotator")
        with pytest.raises(NotHandedOut):
            hand_out(rater=member)

    def test_a_paused_annotator_is_told_so(self, project: Project, annotators: list[Membership]) -> None:
        annotators[0].state = Membership.State.PAUSED
        with pytest.raises(NotHandedOut, match="paused"):
            hand_out(rater=annotators[0])

    def test_an_archived_project_has_no_work(self, project: Project, annotators: list[Membership]) -> None:
        annotators[0].project.state = Project.State.ARCHIVED
        with pytest.raises(NotHandedOut, match="archived"):
            hand_out(rater=annotators[0])


class TestLeases:
    def test_abandoned_work_returns_at_the_next_request(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        for rater in annotators[:2]:
            hand_out(rater=rater, at=NOON)
        just_before = NOON + LEASE - timedelta(seconds=1)
        assert hand_out(rater=annotators[2], at=just_before) == []
        assert len(hand_out(rater=annotators[2], at=NOON + LEASE)) == 1
        assert set(Candidate.objects.values_list("taken", flat=True)) == {1}

    def test_a_rater_who_comes_back_gets_the_same_sheet_under_a_new_lease(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0], at=NOON)
        (again,) = hand_out(rater=annotators[0], at=NOON + 2 * LEASE)
        assert again == sheet
        assert again.lease_expires_at == NOON + 3 * LEASE
        assert Assignment.objects.filter(state=Assignment.State.LIVE).count() == 2

    def test_a_sheet_that_comes_back_shows_only_what_is_still_open(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        question = make_question(project=project, answers=["open", "gone"])
        (sheet,) = hand_out(rater=annotators[0], at=NOON)
        question.candidates.filter(text="gone").update(taken=0, wanted=0)
        later = NOON + 2 * LEASE
        question.candidates.filter(text="gone").update(taken=0, wanted=1)
        Candidate.objects.filter(text="gone").update(state=Candidate.State.DECIDED)
        (again,) = hand_out(rater=annotators[0], at=later)
        live = again.assignments.filter(state=Assignment.State.LIVE)
        assert [item.candidate.text for item in live] == ["open"]
        assert again == sheet

    def test_the_slot_of_a_lease_that_ended_is_still_a_first_vote(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project, answers=1)
        hand_out(rater=annotators[0], at=NOON)
        hand_out(rater=annotators[1], at=NOON)
        (sheet,) = hand_out(rater=annotators[2], at=NOON + LEASE)
        assert sheet.assignments.get().round == Assignment.Round.FIRST


class TestTieBreaks:
    def disagree(self, annotators: list[Membership]) -> None:
        judge_next(annotators[0], {"agreed": "correct", "disputed": "correct"})
        judge_next(annotators[1], {"agreed": "correct", "disputed": "incorrect"})

    def test_the_third_rater_sees_the_disputed_answers_only(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project, answers=["agreed", "disputed"])
        self.disagree(annotators)
        (sheet,) = hand_out(rater=annotators[2])
        assignment = sheet.assignments.get()
        assert (assignment.candidate.text, assignment.slot, assignment.round) == ("disputed", 3, "tie_break")

    def test_where_the_protocol_wants_it_settled_answers_fill_the_sheet_and_do_not_count(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        change_protocol(project, fill_tie_break_sheets=True)
        question = make_question(project=project, answers=["agreed", "disputed"])
        self.disagree(annotators)
        sheet = judge_next(annotators[2])
        assert sorted(texts(sheet)) == ["agreed", "disputed"]
        states = dict(sheet.assignments.values_list("candidate__text", "state"))
        assert states == {"agreed": Assignment.State.SURPLUS, "disputed": Assignment.State.DONE}
        assert dict(question.candidates.values_list("text", "taken")) == {"agreed": 2, "disputed": 3}
        assert sheet.outcome == {
            "counted": 2,
            "surplus": 0,
            "message": "",
            "came_back": False,
            "unblinded": False,
        }

    def test_the_first_raters_are_never_asked_again(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project, answers=["agreed", "disputed"])
        self.disagree(annotators)
        assert rank_questions(rater=annotators[0], limit=9) == []
        assert hand_out(rater=annotators[1]) == []

    def test_a_tie_break_a_lead_made_needless_is_kept_as_surplus_and_told_as_taken_in(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        question = make_question(project=project, answers=["disputed"])
        judge_next(annotators[0], "correct")
        judge_next(annotators[1], "incorrect")
        (sheet,) = hand_out(rater=annotators[2])
        decide_answer(
            project=project,
            candidate_id=one_candidate(question).public_id,
            by=project.created_by,
            label="correct",
            reason="looked it up",
        )
        outcome = judge(sheet, "incorrect")
        assert (outcome.counted, outcome.surplus, outcome.message) == (1, 0, "")
        assert sheet.assignments.get().state == Assignment.State.SURPLUS


class TestConstraints:
    """What the database refuses whatever the code does."""

    def test_a_slot_is_held_once(self, project: Project, annotators: list[Membership]) -> None:
        make_question(project=project, answers=1)
        (sheet,) = hand_out(rater=annotators[0])
        with pytest.raises(IntegrityError), transaction.atomic():
            Assignment.objects.create(
                sheet=sheet, candidate=sheet.assignments.get().candidate, rater=annotators[1], slot=1
            )

    def test_a_rater_has_an_answer_once(self, project: Project, annotators: list[Membership]) -> None:
        make_question(project=project, answers=1)
        (sheet,) = hand_out(rater=annotators[0])
        with pytest.raises(IntegrityError), transaction.atomic():
            Assignment.objects.create(
                sheet=sheet, candidate=sheet.assignments.get().candidate, rater=annotators[0], slot=2
            )

    def test_no_more_slots_are_taken_than_wanted(self, project: Project) -> None:
        candidate = one_candidate(make_question(project=project, answers=1))
        with pytest.raises(IntegrityError), transaction.atomic():
            Candidate.objects.filter(pk=candidate.pk).update(taken=3)

    def test_a_rater_holds_one_open_sheet_of_a_question(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project, answers=1)
        (sheet,) = hand_out(rater=annotators[0])
        sheet.pk = None
        sheet.public_id = "another"
        with pytest.raises(IntegrityError), transaction.atomic():
            sheet.save(force_insert=True)


class TestFlags:
    def test_a_flag_is_kept_once_with_its_last_note(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0])
        flag_question(rater=annotators[0], sheet_id=sheet.public_id, kind="ambiguous", note="two people")
        flag = flag_question(rater=annotators[0], sheet_id=sheet.public_id, kind="ambiguous", note="three")
        assert sheet.question.flags.count() == 1
        assert flag.note == "three"


class TestMembers:
    def test_a_new_annotator_joins_the_work_at_once(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        hand_out(rater=annotators[0])
        late = make_member(project=project)
        assert len(hand_out(rater=late)) == 1
