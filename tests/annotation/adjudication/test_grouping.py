from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import CATEGORIES
from annotation.adjudication.selectors.dossier import CandidateNotFound
from annotation.adjudication.selectors.queue import read_queue
from annotation.adjudication.services.deciding import (
    MOST_AT_ONCE,
    DecidedMeanwhile,
    NothingToReopen,
    UnusableDecision,
    decide_answer,
    decide_answers,
    take_back,
)
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import change_member
from tests.annotation.adjudication.factories import make_answers
from tests.factories import make_project

Voter = Callable[..., None]
Client = Callable[[User], Any]
YES, NO = "correct", "incorrect"


def unseen(answers: list[Candidate]) -> dict[str, int]:
    return {answer.public_id: 0 for answer in answers}


def standing(candidate: Candidate) -> tuple[str, str, str | None]:
    candidate.refresh_from_db()
    current = candidate.decisions.in_force().first()
    return (candidate.state, current.source if current else "", current.label if current else None)


@pytest.fixture
def disputed(
    project: Project, answers: list[Candidate], votes: Voter, annotators: list[Membership]
) -> list[Candidate]:
    """Answers on which the only two raters differ, but for the first, on which they agree."""
    change_member(project=project, public_id=annotators[2].public_id, state="paused")
    votes(1, **{"Paris": YES, "Lyon": NO, "paris, france": YES})
    votes(2, **{"Paris": YES, "Lyon": YES, "paris, france": NO})
    return answers


class TestCategories:
    def test_every_category_of_the_table_has_a_meaning(self) -> None:
        assert [(each.key, each.name) for each in CATEGORIES] == list(Decision.Category.choices)
        assert all(each.meaning.endswith(".") for each in CATEGORIES)


class TestDecideAnswers:
    def test_all_of_them_are_decided_alike_as_a_group(
        self, project: Project, lead: User, disputed: list[Candidate]
    ) -> None:
        group = decide_answers(
            project=project, seen_numbers=unseen(disputed[1:]), by=lead, label=NO, category="rater_error"
        )
        assert {standing(answer) for answer in disputed[1:]} == {("decided", "adjudicated", NO)}
        assert Decision.objects.filter(group=group, decided_by=lead, category="rater_error").count() == 2
        assert read_queue(project=project).items == []

    def test_one_decided_meanwhile_stops_them_all(
        self, project: Project, lead: User, disputed: list[Candidate]
    ) -> None:
        decide_answer(
            project=project, candidate_id=disputed[1].public_id, by=lead, label=YES, category="other"
        )
        with pytest.raises(DecidedMeanwhile) as refusal:
            decide_answers(
                project=project, seen_numbers=unseen(disputed[1:]), by=lead, label=NO, reason="why"
            )
        assert refusal.value.details == {"answers": [disputed[1].public_id]}
        assert standing(disputed[2])[1] == ""

    def test_a_strange_answer_stops_them_all(
        self, project: Project, lead: User, outsider: User, disputed: list[Candidate]
    ) -> None:
        other = make_answers(project=make_project(lead=outsider, slug="other"), question="q", texts=["a"])
        with pytest.raises(CandidateNotFound):
            decide_answers(
                project=project, seen_numbers=unseen([disputed[1], *other]), by=lead, label=NO, reason="why"
            )
        assert standing(disputed[1])[1] == ""

    @pytest.mark.parametrize("count", [0, 201])
    def test_none_and_too_many_are_refused_by_field(self, project: Project, lead: User, count: int) -> None:
        with pytest.raises(UnusableDecision) as refusal:
            decide_answers(
                project=project,
                seen_numbers={f"answer {number}": 0 for number in range(count)},
                by=lead,
                label=NO,
                reason="why",
            )
        assert list(refusal.value.details["fields"]) == ["answers"]

    def test_the_page_takes_as_many(self) -> None:
        page = Path(settings.BASE_DIR) / "frontend/src/features/explorer/answer-actions.tsx"
        assert f"const MOST_AT_ONCE = {MOST_AT_ONCE};" in page.read_text()


class TestTakeBack:
    def test_a_group_goes_back_together_and_to_the_same_place_in_the_queue(
        self, project: Project, lead: User, disputed: list[Candidate]
    ) -> None:
        before = [(item.id, item.reason) for item in read_queue(project=project).items]
        group = decide_answers(
            project=project, seen_numbers=unseen(disputed[1:]), by=lead, label=NO, reason="why"
        )
        taken = take_back(project=project, by=lead, group=group)
        assert taken == ([answer.public_id for answer in disputed[1:]], [])
        assert [(item.id, item.reason) for item in read_queue(project=project).items] == before
        assert [row.is_reopening for row in disputed[1].decisions.order_by("number")] == [False, True]

    def test_what_the_votes_had_decided_stands_again(
        self, project: Project, lead: User, disputed: list[Candidate]
    ) -> None:
        chosen = {"project": project, "candidate_id": disputed[0].public_id, "by": lead}
        decide_answer(**chosen, label=NO, reason="why")
        take_back(project=project, by=lead, answer=disputed[0].public_id)
        assert standing(disputed[0]) == ("decided", "unanimous", YES)
        assert disputed[0].decisions.count() == 3

    def test_what_somebody_replaced_since_stays(
        self, project: Project, lead: User, adjudicator: Membership, disputed: list[Candidate]
    ) -> None:
        group = decide_answers(
            project=project, seen_numbers=unseen(disputed[1:]), by=lead, label=NO, reason="why"
        )
        decide_answer(
            project=project, candidate_id=disputed[1].public_id, by=adjudicator.user, label=YES, reason="no"
        )
        assert take_back(project=project, by=lead, group=group).answers == [disputed[2].public_id]
        assert standing(disputed[1])[2] == YES

    def test_nobody_takes_back_what_another_decided(
        self, project: Project, lead: User, adjudicator: Membership, disputed: list[Candidate]
    ) -> None:
        group = decide_answers(
            project=project, seen_numbers=unseen(disputed[1:]), by=lead, label=NO, reason="why"
        )
        for asked in ({"group": group}, {"answer": disputed[1].public_id}, {"group": ""}):
            with pytest.raises(NothingToReopen):
                take_back(project=project, by=adjudicator.user, **asked)


class TestApi:
    def test_a_group_is_decided_and_taken_back(
        self, client_of: Client, lead: User, disputed: list[Candidate]
    ) -> None:
        client = client_of(lead)
        items = client.get("/api/projects/small/queue").json()["items"]
        answers = [{"id": item["id"], "seen_number": item["number"]} for item in items]
        body = {"answers": answers, "label": NO, "category": "evidence"}
        reply = client.post("/api/projects/small/queue/decide", body, format="json").json()
        assert reply["decided"] == 2
        taken = client.post("/api/projects/small/queue/take-back", {"group": reply["group"]}, format="json")
        assert sorted(taken.json()["answers"]) == sorted(item["id"] for item in items)
