"""Guidelines are seen once by everybody, and votes carry the version they were given under."""

import pytest

from annotation.accounts.models import User
from annotation.assignments.models import Sheet
from annotation.assignments.services.handing_out import hand_out
from annotation.judgments.services.revising import undo_submit
from annotation.projects.models import GuidelinesReading, Membership, Project
from annotation.projects.services.protocols import set_protocol
from tests.annotation.assignments.factories import judge, judge_next, make_question
from tests.annotation.known_answers.factories import make_known, use_plan
from tests.conftest import ClientOf
from tests.factories import make_member

pytestmark = pytest.mark.django_db
ADDRESS = "/api/projects/small/guidelines"
NEXT = "/api/projects/small/sheets/next"


@pytest.fixture
def rater(project: Project) -> Membership:
    for _ in range(3):
        make_question(project=project)
    return make_member(project=project)


def change_guidelines(project: Project, text: str) -> None:
    project.refresh_from_db()
    assert project.protocol is not None
    set_protocol(project=project, spec={**project.protocol.spec, "guidelines": text})


def read(rater: Membership) -> int:
    client = ClientOf(rater.user)
    seen = client.get(ADDRESS).json()["hash"]
    return client.post(ADDRESS, {"seen_hash": seen}, format="json").status_code


def again(rater: Membership) -> Membership:
    return Membership.objects.select_related("project__protocol", "user").get(pk=rater.pk)


def versions_of(sheet: Sheet) -> set[int]:
    return {
        item.judgment.revisions.latest("number").protocol_version.number for item in sheet.assignments.all()
    }


class TestReading:
    def test_is_asked_once_on_any_device(self, rater: Membership) -> None:
        assert ClientOf(rater.user).post(NEXT, {}, format="json").json()["guidelines_unread"] != ""
        assert ClientOf(rater.user).get(ADDRESS).json()["standing"] == "new"
        assert (read(rater), read(rater)) == (204, 204)
        assert ClientOf(rater.user).post(NEXT, {}, format="json").json()["guidelines_unread"] == ""
        assert ClientOf(rater.user).get(ADDRESS).json()["standing"] == "read"
        assert GuidelinesReading.objects.count() == 1

    def test_nothing_is_handed_out_before(self, rater: Membership) -> None:
        work = ClientOf(rater.user).post(NEXT, {"ahead": 3}, format="json").json()
        assert (work["sheets"], work["nothing_left"], work["progress"]["left_questions"]) == ([], False, 3)
        assert not Sheet.objects.exists()
        read(rater)
        assert len(ClientOf(rater.user).post(NEXT, {"ahead": 3}, format="json").json()["sheets"]) == 3

    def test_after_a_change_only_what_is_in_hand_goes_on(self, project: Project, rater: Membership) -> None:
        read(rater)
        (sheet,) = hand_out(rater=again(rater))
        change_guidelines(project, "Judge otherwise.")
        work = ClientOf(rater.user).post(NEXT, {"ahead": 3}, format="json").json()
        assert [each["id"] for each in work["sheets"]] == [sheet.public_id]
        assert work["guidelines_unread"] != ""

    def test_they_come_before_the_training(self, project: Project, rater: Membership) -> None:
        make_known(project=project, use="training")
        use_plan(project, is_training=True)
        assert ClientOf(rater.user).post(NEXT, {}, format="json").json()["guidelines_unread"] != ""
        read(rater)
        refused = ClientOf(rater.user).post(NEXT, {}, format="json").json()
        assert refused["error"]["code"] == "training_due"

    def test_who_may_not_judge_is_told_so_at_once(self, rater: Membership) -> None:
        Membership.objects.filter(pk=rater.pk).update(state="paused")
        refused = ClientOf(rater.user).post(NEXT, {}, format="json").json()
        assert refused["error"]["code"] == "paused"

    def test_a_change_is_shown_line_by_line(self, project: Project, rater: Membership) -> None:
        change_guidelines(project, "Judge well.\nTake your time.")
        read(rater)
        hand_out(rater=again(rater))
        change_guidelines(project, "Judge well.\nBe quick.")
        reply = ClientOf(rater.user).get(ADDRESS).json()
        assert reply["standing"] == "changed"
        assert [(line["kind"], line["text"]) for line in reply["lines"]] == [
            ("same", "Judge well."),
            ("removed", "Take your time."),
            ("added", "Be quick."),
        ]

    def test_another_change_of_the_protocol_asks_nobody(self, project: Project, rater: Membership) -> None:
        read(rater)
        hand_out(rater=again(rater))
        project.refresh_from_db()
        assert project.protocol is not None
        set_protocol(project=project, spec={**project.protocol.spec, "sheet_size": 5})
        assert ClientOf(rater.user).post(NEXT, {}, format="json").json()["guidelines_unread"] == ""

    def test_what_was_not_shown_cannot_be_read(self, project: Project, rater: Membership) -> None:
        client = ClientOf(rater.user)
        seen = client.get(ADDRESS).json()["hash"]
        change_guidelines(project, "Judge otherwise.")
        reply = client.post(ADDRESS, {"seen_hash": seen}, format="json")
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "guidelines_changed")
        assert not GuidelinesReading.objects.exists()

    def test_a_study_without_guidelines_asks_nobody(self, project: Project, rater: Membership) -> None:
        change_guidelines(project, "")
        assert ClientOf(rater.user).post(NEXT, {}, format="json").json()["guidelines_unread"] == ""


class TestVersionOfVotes:
    def test_a_sheet_in_hand_is_judged_under_what_was_read_last(
        self, project: Project, rater: Membership
    ) -> None:
        read(rater)
        first, second, third = hand_out(rater=again(rater), ahead=3)
        change_guidelines(project, "Judge otherwise.")
        judge(first)
        read(rater)
        judge(second)
        assert (versions_of(first), versions_of(second)) == ({1}, {2})
        third.refresh_from_db()
        assert third.protocol_version.number == 2

    def test_a_sheet_taken_back_is_judged_under_the_guidelines_known_by_then(
        self, project: Project, rater: Membership
    ) -> None:
        read(rater)
        sheet = judge_next(again(rater))
        change_guidelines(project, "Judge otherwise.")
        assert undo_submit(rater=again(rater)).protocol_version.number == 1
        judge(Sheet.objects.get(pk=sheet.pk))
        read(rater)
        assert undo_submit(rater=again(rater)).protocol_version.number == 2


class TestReaders:
    def test_leads_see_who_has_read_which_version(
        self, project: Project, lead: User, rater: Membership
    ) -> None:
        make_member(project=project, username="late")
        read(rater)
        hand_out(rater=again(rater))
        change_guidelines(project, "Judge otherwise.")
        readers = ClientOf(lead).get("/api/projects/small/protocol/readers").json()
        assert [(each["number"], each["is_up_to_date"]) for each in readers] == [(1, False), (None, False)]
        read(rater)
        readers = ClientOf(lead).get("/api/projects/small/protocol/readers").json()
        assert [(each["number"], each["is_up_to_date"]) for each in readers] == [(2, True), (None, False)]
