"""Views of the table of answers that are saved, opened, renamed and deleted."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError

from annotation.accounts.models import User
from annotation.projects.models import Membership, Project
from annotation.projects.services.protocols import set_protocol
from common.clock import now
from judges.answers.models import AnswerView
from judges.answers.rules import LONGEST_QUERY
from tests.factories import make_member

Client = Callable[[User], Any]
VIEWS = "/api/projects/small/answer-views"
QUERY = {"label": "correct", "columns": "votes~words", "sort": "-words"}


@pytest.fixture
def adjudicator(project: Project) -> User:
    return make_member(project=project, role="adjudicator", username="decider").user


def save(client: Any, name: str, query: dict[str, str] = QUERY) -> Any:
    return client.post(VIEWS, {"name": name, "query": query}, format="json")


class TestSavedViewsView:
    def test_a_view_is_kept_as_its_address_has_it(
        self, client_of: Client, lead: User, study: Project
    ) -> None:
        made = save(client_of(lead), " Long and correct ")
        assert made.status_code == 201
        (view,) = client_of(lead).get(VIEWS).json()
        assert view == made.json()
        assert (view["name"], view["query"], view["by"]) == ("Long and correct", QUERY, lead.name)
        assert view["may_change"] is True

    def test_views_come_by_name(self, client_of: Client, lead: User, study: Project) -> None:
        for name in ("b", "a", "c"):
            save(client_of(lead), name)
        assert [view["name"] for view in client_of(lead).get(VIEWS).json()] == ["a", "b", "c"]

    def test_a_name_is_there_once(self, client_of: Client, lead: User, study: Project) -> None:
        save(client_of(lead), "mine")
        reply = save(client_of(lead), "mine")
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "view_name_taken")
        assert list(reply.json()["error"]["details"]["fields"]) == ["name"]

    def test_the_database_keeps_a_name_once(self, lead: User, study: Project) -> None:
        row = {"project": study, "name": "mine", "query": {}, "created_by": lead, "created_at": now()}
        AnswerView.objects.create(**row)
        with pytest.raises(IntegrityError):
            AnswerView.objects.create(**row)

    def test_there_are_so_many_and_no_more(
        self, client_of: Client, lead: User, study: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("judges.answers.services.MOST_VIEWS", 2)
        replies = [save(client_of(lead), name) for name in ("a", "b", "c")]
        assert [reply.status_code for reply in replies] == [201, 201, 409]
        assert replies[-1].json()["error"]["code"] == "too_many_views"

    @pytest.mark.parametrize(
        ("query", "code"),
        [
            ({"colour": "red"}, "invalid_input"),
            ({"cursor": "abc"}, "invalid_input"),
            ({"state": "lost"}, "invalid_input"),
            ({"said": "people~maybe"}, "invalid_input"),
            ({"columns": "x" * (LONGEST_QUERY + 1)}, "view_too_long"),
        ],
    )
    def test_what_the_table_cannot_be_asked_is_refused(
        self, query: dict[str, str], code: str, client_of: Client, lead: User, study: Project
    ) -> None:
        reply = save(client_of(lead), "odd", query)
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, code)
        assert not AnswerView.objects.exists()

    def test_a_view_that_shows_everything_can_be_saved(
        self, client_of: Client, lead: User, study: Project
    ) -> None:
        assert save(client_of(lead), "all", {}).status_code == 201


class TestSavedViewView:
    @pytest.fixture
    def view(self, client_of: Client, lead: User, study: Project) -> str:
        return f"{VIEWS}/{save(client_of(lead), 'of the lead').json()['id']}"

    def test_it_is_renamed_and_keeps_what_it_shows(self, client_of: Client, lead: User, view: str) -> None:
        body = client_of(lead).patch(view, {"name": "renamed"}, format="json").json()
        assert (body["name"], body["query"]) == ("renamed", QUERY)

    def test_it_shows_something_else_under_its_name(self, client_of: Client, lead: User, view: str) -> None:
        body = client_of(lead).patch(view, {"query": {"tag": "seas"}}, format="json").json()
        assert (body["name"], body["query"]) == ("of the lead", {"tag": "seas"})

    def test_it_takes_no_name_that_is_taken(self, client_of: Client, lead: User, view: str) -> None:
        save(client_of(lead), "other")
        reply = client_of(lead).patch(view, {"name": "other"}, format="json")
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "view_name_taken")

    def test_it_is_deleted(self, client_of: Client, lead: User, view: str) -> None:
        assert client_of(lead).delete(view).status_code == 204
        assert client_of(lead).get(VIEWS).json() == []
        assert client_of(lead).delete(view).status_code == 404

    def test_one_that_is_not_there_is_not_found(self, client_of: Client, lead: User, study: Project) -> None:
        reply = client_of(lead).patch(f"{VIEWS}/nosuchview", {"name": "x"}, format="json")
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "view_not_found")


class TestWhoMay:
    def test_annotators_neither_see_nor_save_views(
        self, client_of: Client, study: Project, annotators: list[Membership]
    ) -> None:
        client = client_of(annotators[0].user)
        assert client.get(VIEWS).status_code == 403
        assert save(client, "mine").status_code == 403

    def test_adjudicators_change_their_own_views_alone(
        self, client_of: Client, lead: User, study: Project, adjudicator: User
    ) -> None:
        theirs = save(client_of(adjudicator), "theirs").json()
        of_lead = save(client_of(lead), "of the lead").json()
        client = client_of(adjudicator)
        assert [view["may_change"] for view in client.get(VIEWS).json()] == [False, True]
        assert client.patch(f"{VIEWS}/{theirs['id']}", {"name": "new"}, format="json").status_code == 200
        for reply in (
            client.patch(f"{VIEWS}/{of_lead['id']}", {"name": "new name"}, format="json"),
            client.delete(f"{VIEWS}/{of_lead['id']}"),
        ):
            assert (reply.status_code, reply.json()["error"]["code"]) == (403, "not_your_view")
        assert AnswerView.objects.get(public_id=of_lead["id"]).name == "of the lead"

    def test_leads_change_those_of_others(
        self, client_of: Client, lead: User, study: Project, adjudicator: User
    ) -> None:
        theirs = save(client_of(adjudicator), "theirs").json()
        assert client_of(lead).delete(f"{VIEWS}/{theirs['id']}").status_code == 204

    @pytest.mark.parametrize(
        "query",
        [
            {"given_by": "alpha"},
            {"only_right": "alpha", "only_wrong": "beta"},
            {"sort": "-systems"},
            {"judged_by": "R-1"},
            {"differing": "rater:R-1~rater:R-2"},
            {"raters": "R-1~R-2", "state": "disagreement"},
        ],
    )
    def test_whoever_may_not_choose_so_neither_saves_nor_sees_such_a_view(
        self, query: dict[str, str], client_of: Client, lead: User, study: Project, adjudicator: User
    ) -> None:
        save(client_of(lead), "plain")
        assert save(client_of(lead), "named", query).status_code == 201
        client = client_of(adjudicator)
        assert save(client, "mine", query).status_code == 403
        assert [view["name"] for view in client.get(VIEWS).json()] == ["plain"]

    def test_who_sees_systems_sees_views_by_system(
        self, client_of: Client, lead: User, study: Project, adjudicator: User
    ) -> None:
        save(client_of(lead), "by system", {"given_by": "alpha"})
        set_protocol(project=study, spec={**study.protocol.spec, "adjudication_unblinded": True})
        assert [view["name"] for view in client_of(adjudicator).get(VIEWS).json()] == ["by system"]

    def test_an_archived_project_keeps_its_views_as_they_are(
        self, client_of: Client, lead: User, study: Project
    ) -> None:
        made = save(client_of(lead), "mine").json()
        Project.objects.filter(pk=study.pk).update(state=Project.State.ARCHIVED)
        assert [view["name"] for view in client_of(lead).get(VIEWS).json()] == ["mine"]
        assert client_of(lead).delete(f"{VIEWS}/{made['id']}").status_code == 409
