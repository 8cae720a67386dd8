from collections.abc import Callable
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import change_member
from tests.factories import make_project

Voter = Callable[..., None]
Client = Callable[[User], Any]
YES, NO = "correct", "incorrect"


@pytest.fixture
def disputed(project: Project, answers: list[Candidate], votes: Voter) -> Candidate:
    """An answer on which two raters disagree and no third is left: the third skips it."""
    votes(1, **{"Paris": YES, "Lyon": NO, "paris, france": YES})
    votes(2, **{"Paris": YES, "Lyon": NO, "paris, france": NO})
    return answers[2]


class TestQueue:
    def test_what_raters_can_still_settle_is_not_in_the_queue(
        self, client_of: Client, lead: User, disputed: Candidate
    ) -> None:
        body = client_of(lead).get("/api/projects/small/queue").json()
        assert (body["items"], body["total"], body["decided_today"]) == ([], 0, 0)

    def test_an_answer_everybody_passed_over_names_its_reason(
        self, client_of: Client, lead: User, disputed: Candidate, votes: Voter
    ) -> None:
        votes(3, **{"paris, france": None})
        (item,) = client_of(lead).get("/api/projects/small/queue").json()["items"]
        assert (item["id"], item["answer"], item["reason"]) == (
            disputed.public_id,
            "paris, france",
            "cannot_judge",
        )
        assert sorted(vote["letter"] for vote in item["votes"]) == ["A", "B"]
        assert sorted(vote["label"] for vote in item["votes"]) == [YES, NO]
        assert item["waiting_since"] is not None

    def test_an_answer_without_raters_left_is_in_the_queue(
        self,
        client_of: Client,
        lead: User,
        project: Project,
        disputed: Candidate,
        annotators: list[Membership],
    ) -> None:
        change_member(project=project, public_id=annotators[2].public_id, state="paused")
        items = client_of(lead).get("/api/projects/small/queue?reason=out_of_raters").json()["items"]
        assert [item["id"] for item in items] == [disputed.public_id]
        assert client_of(lead).get("/api/projects/small/queue?reason=disputed").json()["items"] == []
        # The list of answers calls it by the name under which it finds it.
        listed = client_of(lead).get("/api/projects/small/answers?state=disputed").json()["answers"]
        assert [(line["id"], line["state"]) for line in listed] == [(disputed.public_id, "disputed")]

    def test_the_third_rater_settles_it_and_the_queue_stays_empty(
        self, client_of: Client, lead: User, disputed: Candidate, votes: Voter
    ) -> None:
        votes(3, **{"paris, france": YES})
        assert client_of(lead).get("/api/projects/small/queue").json()["items"] == []

    def test_a_fresh_project_has_an_empty_queue_though_nobody_can_judge_yet(
        self, client_of: Client, lead: User, answers: list[Candidate]
    ) -> None:
        assert client_of(lead).get("/api/projects/small/queue").json()["items"] == []

    def test_annotators_and_strangers_do_not_see_it(
        self, client_of: Client, project: Project, annotators: list[Membership], outsider: User
    ) -> None:
        assert client_of(annotators[0].user).get("/api/projects/small/queue").status_code == 403
        assert client_of(outsider).get("/api/projects/small/queue").status_code == 404


class TestDossier:
    def test_everything_a_decision_rests_on_without_names(
        self, client_of: Client, adjudicator: Membership, disputed: Candidate
    ) -> None:
        reply = client_of(adjudicator.user).get(f"/api/projects/small/queue/{disputed.public_id}")
        body = reply.json()
        assert body["question"]["gold"] == ["Paris"]
        assert {vote["round"] for vote in body["votes"]} == {"first"}
        assert all(vote["counted"] for vote in body["votes"])
        assert body["decision"] is None
        assert [(sibling["answer"], sibling["label"]) for sibling in body["siblings"]] == [
            ("Paris", YES),
            ("Lyon", NO),
        ]
        for name in ("annotator1", "annotator2", "Annotator1"):
            assert name not in reply.content.decode()

    def test_who_passed_it_over_is_heard_without_a_name(
        self, client_of: Client, lead: User, disputed: Candidate, votes: Voter
    ) -> None:
        votes(3, **{"paris, france": None})
        body = client_of(lead).get(f"/api/projects/small/queue/{disputed.public_id}").json()
        (skip,) = body["skips"]
        assert skip.keys() == {"round", "reason", "at"}
        assert (skip["round"], skip["reason"]) == ("tie_break", "not sure")

    def test_answers_of_other_projects_are_not_found(
        self, client_of: Client, lead: User, outsider: User, disputed: Candidate
    ) -> None:
        make_project(lead=outsider, slug="other")
        reply = client_of(outsider).get(f"/api/projects/other/queue/{disputed.public_id}")
        assert reply.status_code == 404


class TestDecision:
    def test_deciding_and_reopening_leave_a_history(
        self, client_of: Client, lead: User, disputed: Candidate
    ) -> None:
        client = client_of(lead)
        address = f"/api/projects/small/answers/{disputed.public_id}"
        decided = client.post(f"{address}/decision", {"label": YES, "reason": "In France."}, format="json")
        assert decided.json()["decision"]["by"] == lead.name
        assert client.get("/api/projects/small/queue").json()["decided_today"] == 1
        reopened = client.post(f"{address}/reopen", {"reason": "Look again."}, format="json").json()
        assert reopened["decision"] is None
        assert [(row["number"], row["is_reopening"], row["label"]) for row in reopened["history"]] == [
            (2, True, ""),
            (1, False, YES),
        ]

    def test_the_reply_is_of_the_answer_to_go_on_to(
        self, client_of: Client, lead: User, disputed: Candidate, answers: list[Candidate]
    ) -> None:
        address = f"/api/projects/small/answers/{disputed.public_id}/decision"
        wish = {"label": YES, "reason": "In France.", "next": answers[1].public_id}
        reply = client_of(lead).post(address, wish, format="json").json()
        assert (reply["id"], reply["answer"]) == (answers[1].public_id, "Lyon")
        # As things stand after the decision.
        assert {sibling["answer"]: sibling["label"] for sibling in reply["siblings"]}["paris, france"] == YES

    def test_nothing_is_decided_where_the_next_answer_is_not_there(
        self, client_of: Client, lead: User, disputed: Candidate
    ) -> None:
        address = f"/api/projects/small/answers/{disputed.public_id}/decision"
        wish = {"label": YES, "reason": "In France.", "next": "nowhere"}
        assert client_of(lead).post(address, wish, format="json").status_code == 404
        assert not disputed.decisions.exists()

    def test_a_decision_without_a_reason_is_refused_by_field(
        self, client_of: Client, lead: User, disputed: Candidate
    ) -> None:
        address = f"/api/projects/small/answers/{disputed.public_id}/decision"
        reply = client_of(lead).post(address, {"label": YES}, format="json")
        assert reply.status_code == 400
        assert list(reply.json()["error"]["details"]["fields"]) == ["reason"]
