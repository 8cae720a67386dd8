"""Agreement over HTTP."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.projects.models import Membership, Project
from tests.annotation.adjudication.factories import make_answers, vote

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
        assert (body["missing_votes"], body["items"], body["fleiss_kappa"]) == ("drop", 2, 1.0)
        assert body["interval"]["fleiss_kappa"] is None
        assert "two questions" in body["words"]["interval.fleiss_kappa"]

    def test_an_unknown_rule_is_refused(self, client_of: Client, lead: User, project: Project) -> None:
        reply = client_of(lead).get("/api/projects/small/agreement", {"missing_votes": "guess"})
        assert reply.status_code == 400

    @pytest.mark.parametrize(("who", "status"), [("annotator", 403), ("outsider", 404), ("adjudicator", 200)])
    def test_only_those_who_lead_or_decide_may_read_it(
        self,
        who: str,
        status: int,
        client_of: Client,
        outsider: User,
        project: Project,
        annotators: list[Membership],
        adjudicator: Membership,
    ) -> None:
        people = {"annotator": annotators[0].user, "outsider": outsider, "adjudicator": adjudicator.user}
        reply = client_of(people[who]).get("/api/projects/small/agreement")
        assert reply.status_code == status
