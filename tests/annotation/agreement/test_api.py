"""Agreement over HTTP."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.agreement.selectors.reports import read_decisions
from annotation.projects.models import Membership, Project
from common.identifiers import VERSION
from tests.annotation.adjudication.factories import make_answers, vote
from tests.factories import make_figure, make_project

Client = Callable[[User], Any]


class TestAgreementView:
    def test_says_every_figure_and_its_rule(
        self, client_of: Client, lead: User, project: Project, annotators: list[Membership]
    ) -> None:
        make_answers(project=project, question="q", gold=["a"], texts=["a", "b"])
        for rater in annotators[:2]:
            vote(rater=rater, labels={"a": "correct", "b": "incorrect"})
        reply = client_of(lead).get("/api/projects/small/agreement", {"missing_votes": "drop"})
        assert reply.status_code == 200
        body = reply.json()
        assert (body["missing_votes"], body["items"]) == ("drop", 2)
        assert body["figures"]["fleiss_kappa"] == make_figure(1.0, why="too_few_questions")

    def test_points_come_without_intervals_where_those_are_not_asked_for(
        self, client_of: Client, lead: User, project: Project, annotators: list[Membership]
    ) -> None:
        make_answers(project=project, question="q", gold=["a"], texts=["a", "b"])
        for rater in annotators[:2]:
            vote(rater=rater, labels={"a": "correct", "b": "incorrect"})
        body = client_of(lead).get("/api/projects/small/agreement", {"intervals": "false"}).json()
        assert body["figures"]["fleiss_kappa"] == make_figure(1.0)
        assert (body["label_views"], body["checks"], body["check_key"]) == (["as-labelled"], [], "")

    def test_a_check_is_compared_like_answers(self, client_of: Client, lead: User) -> None:
        make_project(lead=lead, slug="checked", preset="efficientqa")
        address = "/api/projects/checked/agreement"
        body = client_of(lead).get(address, {"check": "ambiguous"}).json()
        assert (body["check_key"], body["items"], body["label_views"]) == ("ambiguous", 0, ["as-labelled"])
        assert [check["key"] for check in body["checks"]] == ["ambiguous"]
        answers = client_of(lead).get(address).json()
        assert answers["label_views"] == ["as-labelled", "definitely", "possibly"]
        assert client_of(lead).get(address, {"check": "none"}).status_code == 404

    def test_a_signature_says_every_choice(self, client_of: Client, lead: User) -> None:
        checked = make_project(lead=lead, slug="checked", preset="efficientqa")
        ways: tuple[dict[str, str], ...] = (
            {},
            {"missing_votes": "drop"},
            {"labels": "definitely"},
            {"check": "ambiguous"},
            {"intervals": "false"},
        )
        address = "/api/projects/checked/agreement"
        signed = [client_of(lead).get(address, way).json()["signature"] for way in ways]
        parts = [
            client_of(lead).get(f"{address}/slices", {"by": by}).json()["signature"]
            for by in ("rater", "system")
        ]
        Project.objects.filter(pk=checked.pk).update(
            sample_method="seed", sample_options={"seed": 3, "size": 9}
        )
        sampled = client_of(lead).get(address).json()["signature"]
        assert len({*signed, *parts, sampled}) == len(ways) + 3
        assert signed[0] == (
            "agreement|of:answers|votes:first round|labels:as-labelled|missing_votes:own-category|sample:all"
            f"|protocol:1|interval:questions t|version:{VERSION}"
        )
        assert "|sample:seed,seed=3,size=9|" in sampled

    def test_an_unknown_rule_is_refused(self, client_of: Client, lead: User, project: Project) -> None:
        reply = client_of(lead).get("/api/projects/small/agreement", {"missing_votes": "guess"})
        assert reply.status_code == 400

    @pytest.mark.parametrize(("who", "status"), [("annotator", 403), ("outsider", 404), ("adjudicator", 200)])
    def test_only_those_who_lead_or_decide_may_read_it(
        self,
        who: str,
        status: int,
        client_of: Client,
        people: dict[str, User],
    ) -> None:
        reply = client_of(people[who]).get("/api/projects/small/agreement")
        assert reply.status_code == status


class TestAgreementSlicesView:
    ADDRESS = "/api/projects/small/agreement/slices"

    def test_says_every_figure_of_every_part(
        self, client_of: Client, lead: User, project: Project, annotators: list[Membership]
    ) -> None:
        make_answers(project=project, question="who", gold=["a"], texts=["a", "b c"])
        for rater in annotators[:2]:
            vote(rater=rater, labels={"a": "correct", "b c": "incorrect"})
        body = client_of(lead).get(self.ADDRESS, {"by": "answer_length"}).json()
        assert [
            (part["name"], part["items"], part["figures"]["observed_agreement"]["value"])
            for part in body["slices"]
        ] == [
            ("1 word", 1, 1.0),
            ("2 to 5 words", 1, 1.0),
        ]
        kappa = body["slices"][0]["figures"]["fleiss_kappa"]
        assert (kappa["value"], kappa["why"]) == (None, "one_label")

    def test_a_study_without_votes_has_no_parts(
        self, client_of: Client, lead: User, project: Project
    ) -> None:
        for by in ("question_type", "exact_match", "system", "rater", "week", "protocol_version"):
            assert client_of(lead).get(self.ADDRESS, {"by": by}).json()["slices"] == []

    def test_what_has_no_meaning_for_a_check_is_not_offered(self, client_of: Client, lead: User) -> None:
        make_project(lead=lead, slug="checked", preset="efficientqa")
        query = {"by": "answer_length", "check": "ambiguous"}
        body = client_of(lead).get("/api/projects/checked/agreement/slices", query).json()
        assert body["slices"] == []
        assert body["dimensions"] == ["question_type", "rater", "week", "protocol_version", "dataset", "flag"]

    def test_by_what_must_be_said(self, client_of: Client, lead: User, project: Project) -> None:
        assert client_of(lead).get(self.ADDRESS).status_code == 400
        assert client_of(lead).get(self.ADDRESS, {"by": "weather"}).status_code == 400


class TestDecisionsView:
    ADDRESS = "/api/projects/small/agreement/decisions"

    def test_bounds_every_label_and_source_over_questions(
        self, client_of: Client, lead: User, project: Project, annotators: list[Membership]
    ) -> None:
        for question, label in (("q", "correct"), ("r", "incorrect")):
            make_answers(project=project, question=question, texts=[question])
            for rater in annotators[:2]:
                vote(rater=rater, labels={question: label})
        body = client_of(lead).get(self.ADDRESS).json()
        # Of two questions one is this and one that, which says next to nothing; both were settled alike.
        for row in body["labels"]:
            assert (row["count"], row["sources"], row["share"]["value"]) == (1, {"unanimous": 1}, 0.5)
            assert [row["share"][end] for end in ("low", "high")] == pytest.approx([0.0, 1.0], abs=0.01)
        assert body["sources"] == {"unanimous": make_figure(1.0, low=pytest.approx(0.025**0.5), high=1.0)}

    def test_answers_to_one_question_are_drawn_together(
        self, client_of: Client, lead: User, project: Project, annotators: list[Membership]
    ) -> None:
        make_answers(project=project, question="q", texts=["a", "b"])
        for rater in annotators[:2]:
            vote(rater=rater, labels={"a": "correct", "b": "incorrect"})
        body = client_of(lead).get(self.ADDRESS).json()
        shares = [*(row["share"] for row in body["labels"]), *body["sources"].values()]
        assert [share["value"] for share in shares] == [0.5, 0.5, 1.0]
        assert {(share["low"], share["high"], share["why"]) for share in shares} == {
            (None, None, "too_few_questions")
        }

    def test_without_decisions_there_is_nothing_to_bound(
        self, client_of: Client, lead: User, project: Project
    ) -> None:
        body = client_of(lead).get(self.ADDRESS).json()
        assert {(row["count"], row["share"]["low"], row["share"]["why"]) for row in body["labels"]} == {
            (0, None, None)
        }
        assert body["sources"] == {}

    def test_it_reads_all_decisions_at_once(
        self,
        project: Project,
        annotators: list[Membership],
        django_assert_max_num_queries: Any,
    ) -> None:
        for question in "abcd":
            make_answers(project=project, question=question, texts=[question])
            for rater in annotators[:2]:
                vote(rater=rater, labels={question: "correct"})
        with django_assert_max_num_queries(2):
            read_decisions(project=project)
