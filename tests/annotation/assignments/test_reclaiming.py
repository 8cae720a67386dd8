"""Pausing raters and taking back what lies in their hands: nothing is lost, nothing counts twice."""

import pytest

from annotation.accounts.models import User
from annotation.assignments.models import Sheet, WorkEvent
from annotation.assignments.selectors.raters_at_work import list_raters_at_work, list_work_events
from annotation.assignments.services.handing_out import NotHandedOut, hand_out
from annotation.assignments.services.slots import NotAtWork, pause_rater, resume_rater, take_back_sheets
from annotation.judgments.models import Judgment
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import MemberNotFound
from tests.annotation.assignments.factories import judge, make_question
from tests.conftest import ClientOf

pytestmark = pytest.mark.django_db
WORK = "/api/projects/small/work"


def pause(rater: Membership, *, takes_back: bool) -> None:
    pause_rater(
        project=rater.project,
        member_id=rater.public_id,
        by=rater.project.created_by,
        takes_back=takes_back,
    )
    rater.refresh_from_db()


class TestPauseRater:
    def test_nothing_new_is_handed_out_and_the_words_name_whom_to_ask(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        pause(annotators[0], takes_back=False)
        with pytest.raises(NotHandedOut, match="To continue, ask Lea Lead"):
            hand_out(rater=annotators[0])

    def test_sheets_kept_are_taken_in_and_count(self, project: Project, annotators: list[Membership]) -> None:
        make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0])
        pause(annotators[0], takes_back=False)
        assert judge(sheet).counted == 2
        assert Judgment.objects.filter(state="counted").count() == 2

    def test_sheets_taken_back_go_to_others_and_a_late_vote_is_kept_as_surplus(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        question = make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0])
        pause(annotators[0], takes_back=True)
        assert {item.taken for item in question.candidates.all()} == {0}
        for other in annotators[1:]:
            judge(*hand_out(rater=other))
        outcome = judge(sheet)
        assert (outcome.counted, outcome.surplus) == (0, 2)
        assert "a lead had recalled it. 2 of its answers have gone to other annotators." in outcome.message
        assert Judgment.objects.filter(state="counted").count() == 4

    def test_whoever_is_let_go_on_is_given_work_again(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        pause(annotators[0], takes_back=True)
        resume_rater(project=project, member_id=annotators[0].public_id, by=project.created_by)
        assert hand_out(rater=Membership.objects.get(pk=annotators[0].pk))
        kinds = [event.kind for event in list_work_events(project=project)]
        assert kinds == [WorkEvent.Kind.RESUMED, WorkEvent.Kind.PAUSED]

    def test_a_second_lead_who_presses_learns_it(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        pause(annotators[0], takes_back=False)
        with pytest.raises(NotAtWork, match="is already paused"):
            pause(annotators[0], takes_back=True)

    def test_a_pause_set_among_the_people_names_the_leads(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        annotators[0].state = Membership.State.PAUSED
        with pytest.raises(NotHandedOut, match="ask Lea Lead"):
            hand_out(rater=annotators[0])


class TestTakeBackSheets:
    def test_frees_every_sheet_in_hand_and_says_so(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        for _ in range(3):
            make_question(project=project)
        sheets = hand_out(rater=annotators[0], ahead=2)
        (row, *_) = list_raters_at_work(project=project)
        assert (row.open_sheets, row.held_answers) == (2, 4)
        assert (row.held_since, row.held_until) == (sheets[0].handed_out_at, sheets[1].lease_expires_at)
        take_back_sheets(project=project, member_id=annotators[0].public_id, by=project.created_by)
        (row, *_) = list_raters_at_work(project=project)
        assert (row.open_sheets, row.held_answers, row.held_since) == (0, 0, None)
        (event,) = list_work_events(project=project)
        assert (event.kind, event.sheets, event.answers) == ("taken_back", 2, 4)
        assert judge(sheets[0]).counted == 2

    def test_of_empty_hands_is_nothing_done(self, project: Project, annotators: list[Membership]) -> None:
        take_back_sheets(project=project, member_id=annotators[0].public_id, by=project.created_by)
        assert not WorkEvent.objects.exists()

    def test_leads_hold_no_sheets(self, project: Project) -> None:
        with pytest.raises(MemberNotFound):
            take_back_sheets(
                project=project, member_id=project.members.get().public_id, by=project.created_by
            )


class TestApi:
    def test_leads_pause_resume_and_take_back(
        self, project: Project, annotators: list[Membership], lead: User, client_of: type[ClientOf]
    ) -> None:
        make_question(project=project)
        hand_out(rater=annotators[0])
        client, path = client_of(lead), f"{WORK}/raters/{annotators[0].public_id}"
        assert client.post(f"{path}/take-back").json()["raters"][0]["open_sheets"] == 0
        paused = client.post(f"{path}/pause", {"takes_back": False}, format="json").json()
        assert paused["raters"][0]["state"] == "paused"
        (event, *_) = client.post(f"{path}/resume").json()["events"]
        assert (event["kind"], event["rater"], event["by"]) == (
            "resumed",
            annotators[0].user.name,
            "Lea Lead",
        )
        assert Sheet.objects.get().state == Sheet.State.EXPIRED

    def test_too_few_raters_are_said_once_one_is_paused(
        self, project: Project, annotators: list[Membership], lead: User, client_of: type[ClientOf]
    ) -> None:
        make_question(project=project)
        client = client_of(lead)
        assert client.get(WORK).json()["shortage"] == ""
        for rater in annotators[:2]:
            reply = client.post(f"{WORK}/raters/{rater.public_id}/pause", {"takes_back": True}, format="json")
        assert reply.json()["shortage"] == (
            "2 answers will wait: each needs 2 annotators, but only 1 is available."
        )
