"""The table of answers as leads and adjudicators get it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.accounts.models import User
from annotation.assignments.models import QuestionFlag
from annotation.items.models import Candidate, Question
from annotation.projects.models import Membership, Project
from common.clock import now
from common.memory import forget_everything
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import make_answers, vote
from tests.factories import make_member
from tests.judges.comparison.conftest import make_run

Decider = Callable[[str, str], None]
Client = Callable[[User], Any]
TABLE = "/api/projects/small/answers"


def answers(page: dict[str, Any]) -> list[str]:
    return [line["answer"] for line in page["answers"]]


class TestAnswersView:
    def test_a_line_says_who_gave_it_and_what_became_of_it(
        self, client_of: Client, lead: User, study: Project, decide: Decider, annotators: list[Membership]
    ) -> None:
        decide("Pacific", "correct")
        question = Question.objects.get(text="largest ocean")
        Question.objects.filter(pk=question.pk).update(dataset="nq", tags=["seas"])
        for kind in ("list", "unclear"):
            QuestionFlag.objects.create(question=question, rater=annotators[0], kind=kind, flagged_at=now())
        body = client_of(lead).get(TABLE, {"search": "pacific"}).json()
        (line,) = body["answers"]
        assert (body["count"], body["before"], body["previous"], body["next"]) == (1, 0, None, None)
        assert line["systems"] == ["Alpha", "Beta"]
        assert (line["state"], line["label"], line["source"]) == ("decided", "correct", "adjudicated")
        assert (line["number"], line["words"]) == (1, 1)
        assert (line["dataset"], line["tags"], line["flags"]) == ("nq", ["seas"], ["list", "unclear"])

    def test_a_line_holds_the_verdicts_of_the_judges_that_are_asked_for(
        self, client_of: Client, lead: User, study: Project, exact_match: JudgeRun
    ) -> None:
        other = make_run(study, "bem", {"Pacific": 0.75, "Paris": None})
        client = client_of(lead)
        page = client.get(TABLE, {"judges": f"{other.public_id}~gone"}).json()
        said = {line["answer"]: line["verdicts"] for line in page["answers"]}
        assert page["judges"] == [other.public_id]
        assert said["Pacific"] == [{"run": other.public_id, "accepted": True, "score": 0.75, "reason": ""}]
        assert said["Paris"][0]["accepted"] is None
        assert said["Paris"][0]["reason"] == "abstained"
        assert said["Marlowe"] == []
        assert client.get(TABLE).json()["judges"] == [exact_match.public_id, other.public_id]
        assert client.get(TABLE, {"judges": "none"}).json()["judges"] == []

    def test_a_table_that_nobody_set_up_shows_few_judges(
        self, client_of: Client, lead: User, study: Project
    ) -> None:
        for number in range(4):
            make_run(study, "bem", {"Paris": 0.5}, gold_version=f"amended@{number}")
        assert len(client_of(lead).get(TABLE).json()["judges"]) == 3

    def test_those_are_exact_match_and_what_differs_most_from_it(
        self, client_of: Client, lead: User, study: Project, exact_match: JudgeRun
    ) -> None:
        keys = ["token_f1", "containment", "learned", "bem"]
        runs = {key: make_run(study, key, {"Paris": 0.5}) for key in keys}
        shown = client_of(lead).get(TABLE).json()["judges"]
        assert sorted(shown) == sorted(run.public_id for run in (exact_match, runs["learned"], runs["bem"]))
        assert shown[0] == exact_match.public_id

    @pytest.mark.parametrize(
        "wrong",
        [
            {"state": "lost"},
            {"source": "hearsay"},
            {"flag": "odd"},
            {"said": "people"},
            {"said": "people~maybe"},
            {"differing": "people"},
            {"differing": "rater:~people"},
            {"min_words": "-1"},
            {"by": "moon"},
            {"search": "a" * 50_001},
        ],
    )
    def test_what_there_is_not_is_refused(
        self, wrong: dict[str, str], client_of: Client, lead: User, project: Project
    ) -> None:
        assert client_of(lead).get(TABLE, wrong).status_code == 400

    def test_an_address_says_several_things_at_once(
        self, client_of: Client, lead: User, study: Project, exact_match: JudgeRun, all_decided: None
    ) -> None:
        said = f"people~accepted,{exact_match.public_id}~rejected"
        page = client_of(lead).get(TABLE, {"said": said, "min_words": 3, "sort": "-answer"}).json()
        assert answers(page) == ["the city of Paris"]

    def test_pages_follow_each_other_there_and_back(
        self, client_of: Client, lead: User, study: Project
    ) -> None:
        client = client_of(lead)
        page = client.get(TABLE, {"limit": 2}).json()
        there = [page]
        while page["next"]:
            page = client.get(TABLE, {"limit": 2, "cursor": page["next"]}).json()
            there.append(page)
        assert [len(each["answers"]) for each in there] == [2, 2, 1]
        assert [each["before"] for each in there] == [0, 2, 4]
        assert {each["count"] for each in there} == {5}
        back = [page]
        while page["previous"]:
            page = client.get(TABLE, {"limit": 2, "cursor": page["previous"]}).json()
            back.append(page)
        assert [answers(each) for each in reversed(back)] == [answers(each) for each in there]

    def test_a_page_goes_on_where_an_answer_left_what_is_asked_for(
        self,
        client_of: Client,
        lead: User,
        study: Project,
        decide: Decider,
    ) -> None:
        client = client_of(lead)
        page = client.get(TABLE, {"limit": 2, "state": "open"}).json()
        decide("Paris", "correct")
        following = client.get(TABLE, {"limit": 2, "state": "open", "cursor": page["next"]}).json()
        assert answers(following) == ["Pacific", "William S."]
        assert following["before"] == 1

    def test_an_answer_that_is_gone_is_no_place(self, client_of: Client, lead: User, study: Project) -> None:
        client = client_of(lead)
        page = client.get(TABLE, {"limit": 1}).json()
        Candidate.objects.filter(public_id=page["answers"][0]["id"]).update(public_id="another")
        assert client.get(TABLE, {"cursor": page["next"]}).status_code == 400

    def test_texts_are_looked_through_once(
        self, client_of: Client, lead: User, study: Project, django_assert_max_num_queries: Any
    ) -> None:
        client = client_of(lead)
        with django_assert_max_num_queries(60) as asked:
            client.get(TABLE, {"search": "pacific"})
        assert sum("pacific" in query["sql"] for query in asked.captured_queries) == 1

    @pytest.mark.parametrize(
        "query",
        [
            {},
            {"search": "p", "state": "disputed", "label": "correct", "flag": "list"},
            {
                "given_by": "alpha",
                "dataset": "nq",
                "tag": "seas",
                "said": "people~accepted",
                "sort": "-votes",
            },
            {"only_right": "alpha", "only_wrong": "beta", "min_words": 1, "sort": "-decided_at"},
        ],
    )
    def test_queries_are_as_many_however_many_answers(
        self,
        query: dict[str, str],
        client_of: Client,
        lead: User,
        study: Project,
        exact_match: JudgeRun,
        annotators: list[Membership],
    ) -> None:
        client = client_of(lead)

        def count() -> int:
            forget_everything()
            client.get(TABLE, query)
            forget_everything()
            with CaptureQueriesContext(connection) as asked:
                assert client.get(TABLE, query).status_code == 200
            return len(asked)

        few = count()
        for number in range(12):
            make_answers(project=study, question=f"q {number}", gold=["g"], texts=["p one", "p two"])
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        assert count() == few

    def test_the_order_of_the_study_is_that_of_questions_and_then_of_answers(
        self, client_of: Client, lead: User, study: Project
    ) -> None:
        for number in range(3):
            make_answers(
                project=study, question=f"q {number}", gold=["g"], texts=[f"{number} a", f"{number} b"]
            )
        Question.objects.filter(text="q 1").update(in_sample=False)
        Question.objects.filter(text="q 0").update(position=0)
        Question.objects.filter(text="largest ocean").update(in_sample=False)
        Candidate.objects.filter(text="2 a").update(position=7)
        rows = Candidate.objects.filter(project=study).order_by(
            "-question__in_sample", "question__position", "question_id", "position", "pk"
        )
        assert answers(client_of(lead).get(TABLE).json()) == [row.text for row in rows]

    def test_the_first_page_reads_neither_predictions_nor_texts_of_all(
        self, client_of: Client, lead: User, study: Project, exact_match: JudgeRun
    ) -> None:
        client = client_of(lead)
        forget_everything()
        with CaptureQueriesContext(connection) as asked:
            client.get(TABLE)
            client.get("/api/projects/small/answer-choices")
        whole = [query["sql"] for query in asked if " IN (" not in query["sql"]]
        assert len(asked) <= 62
        assert not [sql for sql in whole if "annotation_prediction" in sql]
        # Of all answers three numbers are read each, and nothing is joined or sorted but by the key.
        (of_answers,) = [sql for sql in whole if '"annotation_candidate"."position" AS' in sql]
        assert '"annotation_candidate"."text"' not in of_answers
        assert "JOIN" not in of_answers

    @pytest.mark.parametrize(
        "query",
        [
            {"dataset": "nq", "tag": "seas"},
            {"said": "people~accepted"},
            {"said": "{run}~rejected", "differing": "people~{run}"},
            {"sort": "-{run}"},
            {"given_by": "alpha"},
            {"only_right": "alpha", "only_wrong": "beta"},
        ],
    )
    def test_a_filter_reads_no_predictions_but_those_of_the_systems_it_names(
        self, query: dict[str, str], client_of: Client, lead: User, study: Project, exact_match: JudgeRun
    ) -> None:
        client = client_of(lead)
        forget_everything()
        with CaptureQueriesContext(connection) as asked:
            client.get(TABLE, {key: value.format(run=exact_match.public_id) for key, value in query.items()})
        whole = [
            sql for each in asked if "annotation_prediction" in (sql := each["sql"]) and " IN (" not in sql
        ]
        named = [value for value in query.values() if value in {"alpha", "beta"}]
        assert len(whole) == len(named)
        assert all(any(f"'{name}'" in sql for sql in whole) for name in named)

    def test_disagreement_neither_joins_answers_nor_sorts_votes(
        self, client_of: Client, lead: User, study: Project, annotators: list[Membership]
    ) -> None:
        client = client_of(lead)
        client.get(TABLE, {"state": "disagreement"})
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        with CaptureQueriesContext(connection) as asked:
            client.get(TABLE, {"state": "disagreement"})
        (of_votes,) = [each["sql"] for each in asked if '"annotation_judgment"."label" ELSE' in each["sql"]]
        assert "annotation_candidate" not in of_votes
        assert "ORDER BY" not in of_votes

    def test_a_page_that_follows_asks_for_little(
        self,
        client_of: Client,
        lead: User,
        study: Project,
        exact_match: JudgeRun,
        django_assert_max_num_queries: Any,
    ) -> None:
        client = client_of(lead)
        client.get(TABLE)
        with django_assert_max_num_queries(26):
            client.get(TABLE, {"sort": "-words"})


class TestWhoMayAsk:
    @pytest.fixture
    def adjudicator(self, project: Project) -> User:
        return make_member(project=project, role="adjudicator", username="decider").user

    @pytest.mark.parametrize("route", ["answers", "answer-choices"])
    def test_annotators_may_not_look(
        self, route: str, client_of: Client, project: Project, annotators: list[Membership]
    ) -> None:
        assert client_of(annotators[0].user).get(f"/api/projects/small/{route}").status_code == 403

    @pytest.mark.parametrize(
        "query",
        [
            {"judged_by": "R-1"},
            {"by": "rater", "part": "R-1"},
            {"state": "disagreement", "raters": "R-1~R-2"},
            {"differing": "people~rater:R-1"},
        ],
    )
    def test_adjudicators_do_not_choose_by_rater(
        self,
        query: dict[str, str],
        client_of: Client,
        study: Project,
        adjudicator: User,
        annotators: list[Membership],
    ) -> None:
        for number, rater in enumerate(annotators, start=1):
            Membership.objects.filter(pk=rater.pk).update(pseudonym=f"R-{number}")
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        reply = client_of(adjudicator).get(TABLE, query)
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "wrong_role")
        assert client_of(study.created_by).get(TABLE, query).status_code == 200

    @pytest.mark.parametrize(
        "query",
        [{"given_by": "alpha"}, {"only_right": "alpha", "only_wrong": "beta"}, {"sort": "-systems"}],
    )
    def test_systems_that_are_hidden_choose_and_order_nothing(
        self, query: dict[str, str], client_of: Client, study: Project, adjudicator: User
    ) -> None:
        client = client_of(adjudicator)
        assert client.get(TABLE, query).status_code == 403
        page = client.get(TABLE).json()
        assert {line["systems"] for line in page["answers"]} == {None}


class TestAnswerChoicesView:
    def test_offers_what_there_is(
        self,
        client_of: Client,
        lead: User,
        study: Project,
        exact_match: JudgeRun,
        annotators: list[Membership],
        decide: Decider,
    ) -> None:
        question = Question.objects.get(text="largest ocean")
        Question.objects.filter(pk=question.pk).update(dataset="nq", tags=["seas"])
        QuestionFlag.objects.create(question=question, rater=annotators[0], kind="list", flagged_at=now())
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        decide("Marlowe", "incorrect")
        assert client_of(lead).get("/api/projects/small/answer-choices").json() == {
            "systems": [{"id": "alpha", "name": "Alpha"}, {"id": "beta", "name": "Beta"}],
            "judges": [{"id": exact_match.public_id, "name": "Exact match"}],
            "datasets": ["nq"],
            "tags": ["seas"],
            "flags": ["list"],
            "sources": ["adjudicated"],
            "raters": [annotators[0].pseudonym],
        }

    def test_adjudicators_learn_of_no_rater_and_of_systems_where_they_see_them(
        self, client_of: Client, study: Project, annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        decider = make_member(project=study, role="adjudicator", username="decider").user
        body = client_of(decider).get("/api/projects/small/answer-choices").json()
        assert (body["raters"], body["systems"]) == (None, None)
