"""The judging page's requests, as the browser sends them."""

import re
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, OperationalError, connection
from django.test.utils import CaptureQueriesContext

from annotation.accounts.models import User
from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.selectors import open_work
from annotation.assignments.services import handing_out
from annotation.judgments.models import Judgment
from annotation.judgments.services import submitting
from annotation.judgments.services.settling import settle_due
from annotation.projects.models import Membership, Project
from common.clock import now
from tests.annotation.assignments.factories import make_question, make_source, one_candidate
from tests.conftest import ClientOf
from tests.factories import make_member, make_project, read_what_is_new

# Of one submit with the next sheet, beginnings and ends of transactions left out. PostgreSQL takes two more:
# the lock of the question handed in, with the one by which a rater's tabs take turns, and of the next one.
MOST_QUERIES = 14 if connection.vendor == "sqlite" else 16
# Where checks are asked, what was answered is stored. Gold is read with the rest.
MOST_WITH_CHECKS = MOST_QUERIES + 1
OF_TRANSACTIONS = ("BEGIN", "SAVEPOINT", "RELEASE")


class Rater:
    """An annotator at the browser."""

    def __init__(self, member: Membership) -> None:
        self.client = ClientOf(member.user)
        self.root = f"/api/projects/{member.project.slug}/sheets"

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(f"{self.root}/{path}", body, format="json")

    def next(self, **body: Any) -> Any:
        return self.post("next", **body).json()

    def submit(self, sheet: Any, label: str | None = "correct", **body: Any) -> Any:
        answers = [{"id": answer["id"], "label": label} for answer in sheet["answers"]]
        body = {"submission_key": f"key of {sheet['id']}", "answers": answers, **body}
        return self.post(f"{sheet['id']}/submit", **body)


@pytest.fixture
def rater(annotators: list[Membership]) -> Rater:
    return Rater(read_what_is_new(annotators[0]))


class TestNextSheets:
    def test_gives_exactly_the_named_fields(self, project: Project, rater: Rater) -> None:
        question = make_question(project=project, answers=["Paris"], text="Capital of France?")
        make_source(candidate=one_candidate(question), system="SECRET", gold="GOLD")
        work = rater.next()
        assert set(work) == {"sheets", "progress", "nothing_left", "guidelines_unread", "in_pilot"}
        (sheet,) = work["sheets"]
        assert set(sheet) == {
            "id",
            "version",
            "is_pilot",
            "asks_again",
            "question",
            "checks",
            "checks_first",
            "answers",
            "lease_expires_at",
            "draft",
        }
        assert sheet["question"] == {
            "id": question.public_id,
            "text": "Capital of France?",
            "references": None,
            "passages": None,
            "flags": [],
        }
        assert sheet["answers"] == [{"id": one_candidate(question).public_id, "text": "Paris"}]
        assert work["progress"] == {
            "judged_questions": 0,
            "judged_answers": 0,
            "left_questions": 1,
            "median_seconds": None,
            "can_undo": False,
        }

    def test_says_that_nothing_is_left(self, project: Project, rater: Rater) -> None:
        work = rater.next(ahead=3)
        assert (work["sheets"], work["nothing_left"]) == ([], True)

    def test_shows_references_and_checks_where_the_protocol_says_so(self, db: None) -> None:
        project = make_project(preset="evouna")
        question = make_question(project=project)
        make_source(candidate=one_candidate(question), system="SECRET", gold="Lutetia")
        (sheet,) = Rater(read_what_is_new(make_member(project=project))).next()["sheets"]
        assert sheet["question"]["references"] == ["Lutetia"]
        assert [check["key"] for check in sheet["checks"]] == ["changes_over_time", "gold_improper"]

    def test_asks_for_one_to_three_sheets(self, project: Project, rater: Rater) -> None:
        assert rater.post("next", ahead=25).status_code == 400

    def test_refuses_the_unblinded_in_words(self, project: Project, annotators: list[Membership]) -> None:
        Membership.objects.filter(pk=annotators[0].pk).update(unblinded_at=now())
        reply = Rater(annotators[0]).post("next")
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "unblinded")


class TestSubmitSheet:
    def test_confirms_a_sheet_and_brings_the_next(self, project: Project, rater: Rater) -> None:
        make_question(project=project)
        second = make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        reply = rater.submit(sheet, seconds=12.5).json()
        assert reply["outcome"] == {
            "counted": 2,
            "surplus": 0,
            "message": "",
            "came_back": False,
            "unblinded": False,
        }
        assert reply["sheets"][0]["question"]["id"] == second.public_id
        assert reply["progress"]["judged_answers"] == 2
        assert reply["progress"]["median_seconds"] == 12.5
        assert reply["progress"]["can_undo"]

    @pytest.mark.parametrize("seconds", [1e-305, "1e-310"])
    def test_next_to_no_seconds_are_none(self, project: Project, rater: Rater, seconds: Any) -> None:
        make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        assert rater.submit(sheet, seconds=seconds).status_code == 200
        assert Sheet.objects.get().seconds == 0

    @pytest.mark.parametrize("seconds", ["nan", "inf", "1e999"])
    def test_seconds_that_are_no_number_are_refused(
        self, project: Project, rater: Rater, seconds: str
    ) -> None:
        make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        assert rater.submit(sheet, seconds=seconds).status_code == 400

    def test_a_repeated_request_gets_the_same_outcome(self, project: Project, rater: Rater) -> None:
        make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        assert rater.submit(sheet).json()["outcome"] == rater.submit(sheet).json()["outcome"]

    def test_an_incomplete_sheet_is_refused_field_by_field(self, project: Project, rater: Rater) -> None:
        make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        reply = rater.submit(sheet, answers=[{"id": sheet["answers"][0]["id"], "label": None}])
        error = reply.json()["error"]
        assert (reply.status_code, error["code"]) == (400, "incomplete_sheet")
        assert set(error["details"]["fields"]) == {"answers", f"answers.{sheet['answers'][0]['id']}"}

    def test_a_sheet_closed_in_another_tab_is_a_conflict(self, project: Project, rater: Rater) -> None:
        make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        rater.submit(sheet)
        reply = rater.submit(sheet, submission_key="another key")
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "sheet_closed")

    @pytest.mark.parametrize("failure", [RuntimeError, OperationalError, IntegrityError])
    def test_a_sheet_is_taken_in_where_none_can_be_handed_out(
        self, project: Project, rater: Rater, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
    ) -> None:
        make_question(project=project)
        second = make_question(project=project)
        (sheet,) = rater.next()["sheets"]

        def fail(**_: Any) -> None:
            # As a slot that somebody else took would.
            Assignment.objects.filter(sheet__public_id=sheet["id"]).update(position=99)
            raise failure("no sheet can be handed out")

        monkeypatch.setattr(submitting, "hand_out_in_turn", fail)
        reply = rater.submit(sheet)
        assert (reply.status_code, reply.json()["outcome"]["counted"]) == (200, 2)
        assert reply.json()["sheets"][0]["question"]["id"] == second.public_id
        assert Judgment.objects.count() == 2
        assert not Assignment.objects.filter(position=99).exists()
        assert rater.submit(sheet).json()["outcome"] == reply.json()["outcome"]

    def test_what_is_left_of_many_questions_is_not_counted_each_time(
        self, project: Project, rater: Rater, annotators: list[Membership], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for module in (open_work, handing_out):
            monkeypatch.setattr(module, "COUNTED_ANEW", 3)
        monkeypatch.setattr(open_work, "COUNTED_A_SECOND", 1 / 3_600)
        for _ in range(8):
            make_question(project=project)
        sheets = rater.next(ahead=2)["sheets"]
        counted, told = [], []
        count = Mock(side_effect=open_work._count_questions)
        monkeypatch.setattr(open_work, "_count_questions", count)
        for _ in range(4):
            reply = rater.submit(sheets[0], ahead=2).json()
            sheets = reply["sheets"]
            counted.append(count.call_count)
            told.append(reply["progress"]["left_questions"])
        assert told == [7, 6, 5, 4]
        # Two are in hand, so beside the last sheet only two wait: few are counted each time.
        assert counted == [0, 0, 0, 1]
        assert rater.post("undo", ahead=2).json()["progress"]["left_questions"] == 5

    def test_what_others_did_is_heard_later_where_many_are_left(
        self, project: Project, rater: Rater, annotators: list[Membership], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for module in (open_work, handing_out):
            monkeypatch.setattr(module, "COUNTED_ANEW", 3)
        monkeypatch.setattr(open_work, "COUNTED_A_SECOND", 1)
        for _ in range(8):
            make_question(project=project)
        begun, me = now(), annotators[0]

        def left(*, seconds: float) -> int:
            at = begun + timedelta(seconds=seconds)
            received = handing_out.receive_sheets(rater=read_what_is_new(me), at=at)
            return handing_out.count_left(rater=me, received=received, at=at)

        assert left(seconds=0) == 8
        project.candidates.filter(question=project.questions.order_by("pk")[5]).update(state="decided")
        # Seven wait beside the one in hand, so it is counted again after seven seconds.
        assert [left(seconds=6.9), left(seconds=7)] == [8, 7]

    def test_what_is_left_of_a_question_comes_next(self, db: None) -> None:
        project = make_project(preset="openqa-eval")
        assert project.protocol is not None
        size = project.protocol.rules.sheet_size
        first = make_question(project=project, answers=size + 3)
        make_question(project=project)
        rater = Rater(read_what_is_new(make_member(project=project)))
        (sheet,) = rater.next()["sheets"]
        (rest,) = rater.submit(sheet).json()["sheets"]
        assert (len(sheet["answers"]), len(rest["answers"])) == (size, 3)
        assert rest["question"]["id"] == first.public_id
        candidates = {one["id"] for one in sheet["answers"]} | {one["id"] for one in rest["answers"]}
        assert candidates == {*first.candidates.values_list("public_id", flat=True)}

    def test_slots_are_counted_of_what_comes_and_goes(self, project: Project, rater: Rater) -> None:
        for _ in range(3):
            make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        said = [{"id": sheet["answers"][0]["id"], "label": "correct"}]
        said += [{"id": sheet["answers"][1]["id"], "label": None, "skip_reason": "not my field"}]
        (second,) = rater.submit(sheet, answers=said).json()["sheets"]
        taken = dict(project.candidates.values_list("public_id", "taken"))
        judged = sheet["answers"][0]["id"]
        held = {judged, *(answer["id"] for answer in second["answers"])}
        assert taken == {name: int(name in held) for name in taken}

    def test_the_reply_shows_sheets_as_a_request_for_work_does(self, db: None) -> None:
        project = make_project(preset="evouna")
        for place in range(5):
            make_question(project=project, answers=1 + place % 3)
        rater = Rater(read_what_is_new(make_member(project=project)))
        (sheet, *_) = rater.next(ahead=3)["sheets"]
        rater.post(f"{sheet['id']}/flags", kind="list", note="")
        checks = {check["key"]: False for check in sheet["checks"]}
        reply = rater.submit(sheet, checks=checks, ahead=3).json()
        del reply["outcome"]
        assert len(reply["sheets"]) == 3
        assert reply == rater.next(ahead=3)

    def test_work_of_somebody_paused_meanwhile_is_taken_in(
        self, project: Project, rater: Rater, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        Membership.objects.filter(pk=annotators[0].pk).update(state=Membership.State.PAUSED)
        reply = rater.submit(sheet)
        assert (reply.status_code, reply.json()["outcome"]["counted"]) == (200, 2)
        assert (reply.json()["sheets"], reply.json()["nothing_left"]) == ([], False)
        assert rater.post("next").json()["error"]["code"] == "paused"

    @pytest.mark.parametrize(
        "change", [{"is_active": False}, {"password": "another"}], ids=["closed", "signed out elsewhere"]
    )
    def test_a_session_that_stands_no_more_hands_nothing_in(
        self, project: Project, rater: Rater, annotators: list[Membership], change: dict[str, Any]
    ) -> None:
        make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        User.objects.filter(pk=annotators[0].user_id).update(**change)
        assert rater.submit(sheet).status_code == 403
        assert not Judgment.objects.exists()

    def test_takes_few_queries_however_many_answers(
        self, project: Project, rater: Rater, settings: LazySettings
    ) -> None:
        settings.ASSAY_SETTLES_AT_ONCE = False
        make_question(project=project, answers=2)
        make_question(project=project, answers=20)
        make_question(project=project, answers=20)
        (sheet,) = rater.next()["sheets"]
        with CaptureQueriesContext(connection) as small:
            reply = rater.submit(sheet)
        with CaptureQueriesContext(connection) as large:
            rater.submit(reply.json()["sheets"][0])
        assert len(statements(small)) <= MOST_QUERIES
        assert len(statements(large)) <= len(statements(small))

    def test_takes_few_queries_where_checks_are_asked_and_gold_is_shown(
        self, db: None, settings: LazySettings
    ) -> None:
        settings.ASSAY_SETTLES_AT_ONCE = False
        project = make_project(preset="evouna")
        for _ in range(2):
            make_question(project=project)
        rater = Rater(read_what_is_new(make_member(project=project)))
        (sheet,) = rater.next()["sheets"]
        with CaptureQueriesContext(connection) as asked:
            reply = rater.submit(sheet, checks={check["key"]: False for check in sheet["checks"]})
        assert len(reply.json()["sheets"]) == 1
        assert len(statements(asked)) <= MOST_WITH_CHECKS

    def test_a_vote_that_decides_takes_no_query_more(
        self, project: Project, rater: Rater, annotators: list[Membership], settings: LazySettings
    ) -> None:
        settings.ASSAY_SETTLES_AT_ONCE = False
        for _ in range(2):
            make_question(project=project)
        colleague = Rater(read_what_is_new(annotators[1]))
        sheets = [each.next()["sheets"][0] for each in (rater, colleague)]
        with CaptureQueriesContext(connection) as first:
            rater.submit(sheets[0])
        with CaptureQueriesContext(connection) as deciding:
            colleague.submit(sheets[1])
        settle_due()
        assert {*project.candidates.values_list("state", flat=True)} == {"decided", "open"}
        asked = [[re.sub(r"\d+", "…", sql[:40]) for sql in statements(each)] for each in (first, deciding)]
        assert asked[0] == asked[1]


def statements(asked: CaptureQueriesContext) -> list[str]:
    return [each["sql"] for each in asked if not each["sql"].startswith(OF_TRANSACTIONS)]


class TestSkipAndUndo:
    def test_a_skipped_sheet_brings_the_next(self, project: Project, rater: Rater) -> None:
        make_question(project=project)
        second = make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        reply = rater.post(f"{sheet['id']}/skip", submission_key="skip it now", reason="not my field")
        assert reply.json()["sheets"][0]["question"]["id"] == second.public_id

    def test_a_skip_says_why(self, project: Project, rater: Rater) -> None:
        make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        assert rater.post(f"{sheet['id']}/skip", submission_key="skip it now", reason="").status_code == 400

    def test_the_sheet_taken_back_comes_first_with_its_draft(self, project: Project, rater: Rater) -> None:
        make_question(project=project)
        make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        rater.submit(sheet, "incorrect")
        first, second = rater.post("undo", ahead=2).json()["sheets"]
        assert first["id"] == sheet["id"]
        assert {answer["label"] for answer in first["draft"]["answers"]} == {"incorrect"}
        assert second["draft"] is None


class TestFlags:
    def test_a_flag_is_shown_to_its_rater_only(
        self, project: Project, rater: Rater, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        reply = rater.post(f"{sheet['id']}/flags", kind="ambiguous", note="which year?")
        assert (reply.status_code, reply.json()) == (201, {"kind": "ambiguous", "note": "which year?"})
        assert rater.next()["sheets"][0]["question"]["flags"] == ["ambiguous"]
        assert Rater(read_what_is_new(annotators[1])).next()["sheets"][0]["question"]["flags"] == []

    def test_a_kind_must_be_one_of_the_list(self, project: Project, rater: Rater) -> None:
        make_question(project=project)
        (sheet,) = rater.next()["sheets"]
        assert rater.post(f"{sheet['id']}/flags", kind="boring").status_code == 400
