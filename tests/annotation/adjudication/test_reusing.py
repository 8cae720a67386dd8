"""Decisions of another project are taken over only where they fit, and given back together."""

from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import decide_answer, reopen_answer
from annotation.adjudication.services.reuse import (
    ReasonMissing,
    SourceNotFound,
    get_offer,
    list_offers,
    list_reused,
    reuse_decisions,
    undo_reuse,
)
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, Question
from annotation.items.rules import key_of_question, text_hash
from annotation.projects.models import Membership, Project
from annotation.release.selectors.rows import released_answers
from tests.annotation.adjudication.factories import make_answers
from tests.annotation.assignments.factories import judge_next
from tests.conftest import ClientOf
from tests.factories import make_member, make_project

YES, NO = "correct", "incorrect"
ASKED = "What is the capital of France?"


def ask(project: Project, *texts: str, question: str = ASKED) -> list[Candidate]:
    """Make a question with open answers under the key that an import gives it."""
    answers = make_answers(project=project, question=question, texts=texts)
    hashed = text_hash(key_of_question(text=question))
    Question.objects.filter(pk=answers[0].question_id).update(key_hash=hashed)
    return answers


def decide(answer: Candidate, label: str = YES) -> None:
    project = answer.project
    decide_answer(
        project=project, candidate_id=answer.public_id, by=project.created_by, label=label, reason="-"
    )


def offered(project: Project, by: User) -> list[tuple[str, dict[str, str], int]]:
    return [
        (offer.source.slug, {answer.text: label for answer, label in offer.answers}, len(offer.contested))
        for offer in list_offers(project=project, by=by)
    ]


@pytest.fixture
def source(lead: User) -> Project:
    """A project of the same lead where Paris is right and Lyon is wrong."""
    source = make_project(lead=lead, slug="earlier", name="Earlier")
    paris, lyon, _ = ask(source, "Paris", "Lyon", "Nice")
    decide(paris)
    decide(lyon, NO)
    return source


@pytest.fixture
def waiting(project: Project) -> list[Candidate]:
    """The same question in another writing, with answers that nobody has judged."""
    return ask(project, "paris", "Lyon", "Lille", question="what is the capital of  France")


class TestOffers:
    def test_the_same_answers_of_the_same_question_are_offered(
        self, project: Project, source: Project, waiting: list[Candidate], lead: User
    ) -> None:
        assert offered(project, lead) == [("earlier", {"paris": YES, "Lyon": NO}, 0)]

    def test_nothing_is_offered_of_projects_that_the_person_does_not_lead(
        self, project: Project, waiting: list[Candidate], lead: User
    ) -> None:
        foreign = make_project(slug="foreign")
        decide(ask(foreign, "Paris")[0])
        assert offered(project, lead) == []
        member = Membership.objects.create(
            project=foreign, user=lead, role="adjudicator", pseudonym="R-1", joined_at=foreign.created_at
        )
        assert offered(project, lead) == []
        Membership.objects.filter(pk=member.pk).update(role="lead", state="paused")
        assert offered(project, lead) == []
        with pytest.raises(SourceNotFound):
            get_offer(project=project, by=lead, source="foreign")

    def test_what_people_here_hold_voted_on_or_decided_is_left_to_them(
        self, project: Project, source: Project, waiting: list[Candidate], lead: User
    ) -> None:
        decide(waiting[0], NO)
        assert offered(project, lead) == [("earlier", {"Lyon": NO}, 0)]
        judge_next(make_member(project=project))
        assert offered(project, lead) == []

    def test_only_what_people_decided_counts(
        self, project: Project, source: Project, waiting: list[Candidate], lead: User
    ) -> None:
        rows = Decision.objects.filter(candidate__project=source)
        for made in ("prejudged", "imported", "reused"):
            rows.update(source=made)
            assert offered(project, lead) == []
        rows.update(source="majority")
        assert len(offered(project, lead)) == 1
        paris = rows.get(candidate__text="Paris").candidate
        reopen_answer(project=source, candidate_id=paris.public_id, by=lead, reason="A new look.")
        assert offered(project, lead) == [("earlier", {"Lyon": NO}, 0)]

    def test_where_projects_differ_nothing_is_offered(
        self, project: Project, source: Project, waiting: list[Candidate], lead: User
    ) -> None:
        later = make_project(lead=lead, slug="later")
        for answer, label in zip(ask(later, "PARIS", "Lyon"), (NO, NO), strict=True):
            decide(answer, label)
        assert offered(project, lead) == [("earlier", {"Lyon": NO}, 1), ("later", {"Lyon": NO}, 1)]

    def test_labels_must_be_worth_the_same(
        self, project: Project, waiting: list[Candidate], lead: User
    ) -> None:
        graded = make_project(lead=lead, slug="graded", preset="efficientqa")
        decide(ask(graded, "Paris")[0], "definitely_correct")
        assert offered(project, lead) == []

    def test_another_question_of_the_same_number_is_another_question(
        self, project: Project, source: Project, lead: User
    ) -> None:
        ask(project, "Paris", question="Where was the treaty of 1763 signed?")
        Question.objects.update(key_hash="id 1")
        assert offered(project, lead) == []


class TestReuse:
    def test_answers_are_decided_and_say_where_it_was_decided(
        self, project: Project, source: Project, waiting: list[Candidate], lead: User
    ) -> None:
        assert reuse_decisions(project=project, by=lead, source="earlier") == 2
        decision = Decision.objects.get(candidate=waiting[0])
        assert (decision.label, decision.source, decision.rule) == (YES, "reused", "earlier")
        assert decision.reason == "Taken from the project “Earlier,” where people decided it."
        assert decision.decided_by == lead
        assert Candidate.objects.get(pk=waiting[0].pk).state == "decided"
        assert [(made.project, made.answers) for made in list_reused(project=project)] == [("earlier", 2)]
        assert reuse_decisions(project=project, by=lead, source="earlier") == 0

    def test_exports_name_the_project(
        self, project: Project, source: Project, waiting: list[Candidate], lead: User
    ) -> None:
        reuse_decisions(project=project, by=lead, source="earlier")
        sources = [answer.source for answer in released_answers(project)]
        assert sources == ["reused:earlier", "reused:earlier", ""]

    def test_gold_follows(
        self, project: Project, source: Project, waiting: list[Candidate], lead: User
    ) -> None:
        reuse_decisions(project=project, by=lead, source="earlier")
        added = GoldChange.objects.filter(question=waiting[0].question, undone_at=None)
        assert [change.text for change in added] == ["paris"]

    def test_is_undone_together_and_can_be_done_again(
        self, project: Project, source: Project, waiting: list[Candidate], lead: User
    ) -> None:
        reuse_decisions(project=project, by=lead, source="earlier")
        decide(waiting[1], YES)
        with pytest.raises(ReasonMissing):
            undo_reuse(project=project, by=lead, source="earlier", reason=" ")
        assert undo_reuse(project=project, by=lead, source="earlier", reason="Too old.") == 1
        states = Candidate.objects.filter(question=waiting[0].question).order_by("position")
        assert list(states.values_list("state", "wanted")) == [("open", 2), ("decided", 0), ("open", 2)]
        assert list_reused(project=project) == []
        with pytest.raises(SourceNotFound):
            undo_reuse(project=project, by=lead, source="earlier", reason="Again.")
        assert offered(project, lead) == [("earlier", {"paris": YES}, 0)]

    def test_what_a_person_reopened_is_not_offered_again(
        self, project: Project, source: Project, waiting: list[Candidate], lead: User
    ) -> None:
        reuse_decisions(project=project, by=lead, source="earlier")
        for answer in waiting[:2]:
            reopen_answer(project=project, candidate_id=answer.public_id, by=lead, reason="Look anew.")
        assert offered(project, lead) == []


class TestApi:
    def test_a_lead_looks_takes_over_and_gives_back(
        self, project: Project, source: Project, waiting: list[Candidate], lead: User
    ) -> None:
        client, base = ClientOf(lead), f"/api/projects/{project.slug}/reuse"
        offers: Any = client.get(base).json()
        assert offers["offers"] == [{"project": "earlier", "name": "Earlier", "answers": 2, "contested": 0}]
        preview = client.get(f"{base}/preview", {"project": "earlier"}).json()
        assert [(row["answer"], row["label"]) for row in preview["answers"]] == [("paris", YES), ("Lyon", NO)]
        done = client.post(base, {"project": "earlier"}, format="json").json()
        assert (done["offers"], done["reused"][0]["answers"]) == ([], 2)
        body = {"project": "earlier", "reason": "Too old."}
        assert client.post(f"{base}/undo", body, format="json").status_code == 204
        assert client.get(base).json()["reused"] == []

    def test_a_project_that_the_lead_does_not_lead_does_not_exist(self, project: Project, lead: User) -> None:
        make_project(slug="foreign")
        client, base = ClientOf(lead), f"/api/projects/{project.slug}/reuse"
        assert client.get(f"{base}/preview", {"project": "foreign"}).status_code == 404
        assert client.post(base, {"project": "foreign"}, format="json").status_code == 404
