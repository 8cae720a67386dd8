"""The judging page's requests, as the browser sends them."""

import re
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.assignments.models import Sheet
from annotation.judgments.services.settling import settle_due
from annotation.projects.models import Membership, Project
from common.clock import now
from tests.annotation.assignments.factories import make_question, make_source, one_candidate
from tests.conftest import ClientOf
from tests.factories import make_member, make_project, read_what_is_new

# Of one submit with the next sheet, beginnings and ends of transactions left out. PostgreSQL takes two more:
# the lock of the question, and the one by which a rater's tabs take turns.
MOST_QUERIES = 21 if connection.vendor == "sqlite" else 23
# Where checks are asked and gold is shown: two reads, and what was answered is stored.
MOST_WITH_CHECKS = MOST_QUERIES + 3
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
