"""Rater quality over HTTP."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.projects.models import Membership, Project
from tests.annotation.adjudication.factories import make_answers, vote

Client = Callable[[User], Any]


@pytest.fixture
def judged(project: Project, annotators: list[Membership]) -> list[Membership]:
    texts = [f"answer {number}" for number in range(10)]
    make_answers(project=project, question="q", gold=["a"], texts=texts)
    vote(rater=annotators[0], labels=dict.fromkeys(texts, "correct"))
    vote(rater=annotators[1], labels=dict.fromkeys(texts, "correct") | {"answer 3": "incorrect"})
    vote(rater=annotators[2], labels={"answer 3": "correct"})
    return annotators


class TestRatersView:
    def test_says_each_figure_with_its_bounds_or_why_there_is_none(
        self, client_of: Client, lead: User, judged: list[Membership]
    ) -> None:
        body = client_of(lead).get("/api/projects/small/raters").json()
        first, _, third = body["raters"]
        # All nine are of one question, and questions are what varies.
        assert first["without_own"]["words"] == "9 of 9. An interval needs at least two questions."
        assert first["without_own"]["tally"] == {"hits": 9, "total": 9}
        # A model's figure: no interval of it covers where some answers are hard for all.
        assert first["dawid_skene"]["value"] is not None
        assert (first["dawid_skene"]["low"], first["dawid_skene"]["high"]) == (None, None)
        assert (third["judged"], third["without_own"]["value"]) == (1, None)
        assert third["dawid_skene"]["words"].startswith("Fewer than eight answers")

    @pytest.mark.parametrize(("who", "status"), [("annotator", 403), ("outsider", 404), ("adjudicator", 403)])
    def test_leads_alone_may_read_it(
        self,
        who: str,
        status: int,
        client_of: Client,
        outsider: User,
        judged: list[Membership],
        adjudicator: Membership,
    ) -> None:
        people = {"annotator": judged[0].user, "outsider": outsider, "adjudicator": adjudicator.user}
        for address in ("raters", f"raters/{judged[0].public_id}"):
            assert client_of(people[who]).get(f"/api/projects/small/{address}").status_code == status


class TestRaterView:
    def test_names_the_answers_on_which_a_rater_differs(
        self, client_of: Client, lead: User, judged: list[Membership]
    ) -> None:
        body = client_of(lead).get(f"/api/projects/small/raters/{judged[1].public_id}").json()
        assert body["labels"] == ["correct", "incorrect"]
        assert body["confusion"] == [[9, 1], [0, 0]]
        assert body["difference_count"] == 1
        (difference,) = body["differences"]
        assert (difference["question"], difference["text"]) == ("q", "answer 3")
        assert (difference["label"], difference["without"]) == ("incorrect", "correct")

    def test_an_unknown_rater_is_not_found(self, client_of: Client, lead: User, project: Project) -> None:
        assert client_of(lead).get("/api/projects/small/raters/nobody").status_code == 404
