"""The activity log: what leads and adjudicators do is noted, and only leads read it."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError
from rest_framework.test import APIClient

from annotation.accounts.models import User
from annotation.accounts.services import anonymize_user
from annotation.accounts.tokens.issuing import create_token
from annotation.items.models.imports import DataImport
from annotation.projects.api import access
from annotation.projects.api.access import ADJUDICATOR, LEAD, ProjectView
from annotation.projects.models import Activity, Membership, Project
from annotation.projects.services import members
from annotation.projects.services.activity import CHANGES_NOTHING, begin_activity
from annotation.projects.services.making import set_state
from annotation.release.services import delete_project
from common.requests.naming import HEADER
from common.web.replies import OPERATION, WRITING
from tests.annotation.assignments.factories import make_import, make_question
from tests.conftest import ClientOf
from tests.routes import api_routes

pytestmark = pytest.mark.django_db
WORDS = Path(__file__).parents[3] / "frontend/src/features/settings/activity-words.ts"


def invite(by: User, project: Project, **options: str) -> str:
    """Create an invitation as a lead does; return the request's id."""
    body = {"role": "annotator"}
    reply = ClientOf(by).post(f"/api/projects/{project.slug}/invitations", body, format="json", **options)
    assert reply.status_code == 201
    return reply.headers[HEADER]


class TestNoting:
    def test_a_change_is_listed_with_who_asked_for_what_and_when(self, project: Project, lead: User) -> None:
        request_id = invite(lead, project)
        (entry,) = ClientOf(lead).get(f"/api/projects/{project.slug}/activity").json()["entries"]
        assert (entry["person"], entry["operation"]) == (lead.name, "create_invitation")
        assert (entry["token"], entry["request_id"]) == ("", request_id)
        assert entry["begun_at"] <= entry["finished_at"]

    def test_what_the_address_names_is_kept_and_no_word_of_the_body(
        self, project: Project, lead: User, adjudicator: Membership
    ) -> None:
        address = f"/api/projects/{project.slug}/members/{adjudicator.public_id}"
        ClientOf(lead).patch(address, {"state": "paused"}, format="json")
        noted = Activity.objects.values().get()
        assert noted["place"] == f"member_id={adjudicator.public_id}"
        assert "paused" not in str(noted)

    def test_a_refused_request_leaves_nothing(self, project: Project, lead: User) -> None:
        reply = ClientOf(lead).post(
            f"/api/projects/{project.slug}/invitations", {"role": "king"}, format="json"
        )
        assert reply.status_code == 400
        assert not Activity.objects.exists()

    def test_a_request_whose_server_died_stays_without_an_end(
        self, project: Project, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def die(**_: object) -> None:
            raise SystemExit

        monkeypatch.setattr(members, "invite", die)
        with pytest.raises(SystemExit):
            invite(lead, project)
        (entry,) = ClientOf(lead).get(f"/api/projects/{project.slug}/activity").json()["entries"]
        assert entry["finished_at"] is None

    def test_a_request_that_failed_stays_without_an_end(
        self, project: Project, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(**_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(members, "invite", fail)
        reply = ClientOf(lead).post(
            f"/api/projects/{project.slug}/invitations", {"role": "annotator"}, format="json"
        )
        assert reply.status_code == 500
        assert Activity.objects.get().finished_at is None

    @pytest.mark.parametrize("options", [{}, {"HTTP_IDEMPOTENCY_KEY": "one"}])
    def test_what_is_done_is_replied_though_its_end_cannot_be_noted(
        self, project: Project, lead: User, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def lock(*_: object, **__: object) -> None:
            raise OperationalError("database is locked")

        monkeypatch.setattr(access, "end_activity", lock)
        invite(lead, project, **options)
        assert Activity.objects.get().finished_at is None

    def test_a_refusal_is_replied_though_it_cannot_be_taken_out(
        self, project: Project, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def lock(*_: object, **__: object) -> None:
            raise OperationalError("database is locked")

        monkeypatch.setattr(access, "end_activity", lock)
        address = f"/api/projects/{project.slug}/invitations"
        assert ClientOf(lead).post(address, {"role": "king"}, format="json").status_code == 400

    def test_a_repeated_request_is_listed_once(self, project: Project, lead: User) -> None:
        first = invite(lead, project, HTTP_IDEMPOTENCY_KEY="the same")
        assert invite(lead, project, HTTP_IDEMPOTENCY_KEY="the same") != first
        assert Activity.objects.get().request_id == first

    def test_a_token_is_named(self, project: Project, lead: User) -> None:
        text = create_token(user=lead, name="Nightly sync", scope="manage", days=1).text
        invite(lead, project)
        program = APIClient(enforce_csrf_checks=True, HTTP_AUTHORIZATION=f"Bearer {text}")
        address = f"/api/projects/{project.slug}/invitations"
        assert program.post(address, {"role": "annotator"}, format="json").status_code == 201
        assert list(Activity.objects.order_by("pk").values_list("token_name", flat=True)) == [
            "",
            "Nightly sync",
        ]

    def test_nothing_that_annotators_do_is_noted(
        self, project: Project, annotators: list[Membership], lead: User
    ) -> None:
        make_question(project=project)
        reply = ClientOf(annotators[0].user).post(f"/api/projects/{project.slug}/sheets/next")
        assert reply.status_code < 400
        assert ClientOf(annotators[0].user).post(f"/api/projects/{project.slug}/leave").status_code < 400
        assert not Activity.objects.exists()

    def test_what_changes_nothing_is_not_noted(self, project: Project, lead: User) -> None:
        address = f"/api/projects/{project.slug}/protocol/guidelines-preview"
        assert ClientOf(lead).post(address, {"text": "# Read"}, format="json").status_code == 200
        assert not Activity.objects.exists()

    def test_canceling_the_check_of_an_import_is_noted(self, project: Project, lead: User) -> None:
        data_import = make_import(project=project)
        DataImport.objects.filter(pk=data_import.pk).update(state=DataImport.State.CHECKING)
        address = f"/api/projects/{project.slug}/imports/{data_import.public_id}/cancel"
        assert ClientOf(lead).post(address).status_code == 200
        assert Activity.objects.get().operation == "cancel_import_check"

    def test_closing_an_account_takes_the_name_out(
        self, project: Project, lead: User, adjudicator: Membership
    ) -> None:
        begin_activity(project=project, user=adjudicator.user, operation="decide_answer", place={})
        name = adjudicator.user.name
        anonymize_user(user=adjudicator.user)
        (entry,) = ClientOf(lead).get(f"/api/projects/{project.slug}/activity").json()["entries"]
        assert name not in entry["person"]
        assert entry["person"] == "Closed account"

    def test_closing_an_account_takes_out_what_its_tokens_were_called(
        self, project: Project, adjudicator: Membership, lead: User
    ) -> None:
        for user in (adjudicator.user, lead):
            begin_activity(
                project=project, user=user, operation="decide_answer", place={}, token_name="Ada’s laptop"
            )
        begin_activity(project=project, user=adjudicator.user, operation="decide_answer", place={})
        anonymize_user(user=adjudicator.user)
        noted = Activity.objects.filter(user=adjudicator.user).order_by("pk")
        assert list(noted.values_list("token_name", flat=True)) == ["unnamed", ""]
        assert Activity.objects.get(user=lead).token_name == "Ada’s laptop"


@pytest.mark.django_db(transaction=True)
class TestDeletedMeanwhile:
    """With real transactions: the database refuses rows of a project that is gone when they are committed."""

    ADDRESS = "/api/projects/small/invitations"

    def test_before_it_is_noted(self, project: Project, lead: User, monkeypatch: pytest.MonkeyPatch) -> None:
        def delete_first(**given: Any) -> Activity:
            delete(project)
            return begin_activity(**given)

        monkeypatch.setattr(access, "begin_activity", delete_first)
        self.require_not_found(lead)

    @pytest.mark.parametrize("key", [None, "a key"])
    def test_before_its_work_is_done(
        self, project: Project, lead: User, monkeypatch: pytest.MonkeyPatch, key: str | None
    ) -> None:
        def delete_then(**given: Any) -> Activity:
            noted = begin_activity(**given)
            delete(project)
            return noted

        monkeypatch.setattr(access, "begin_activity", delete_then)
        self.require_not_found(lead, **({} if key is None else {"HTTP_IDEMPOTENCY_KEY": key}))

    def test_a_bug_of_ours_stays_one(
        self, project: Project, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(**_: object) -> None:
            raise IntegrityError

        monkeypatch.setattr(members, "invite", fail)
        client = ClientOf(lead)
        client.raise_request_exception = False
        assert client.post(self.ADDRESS, {"role": "annotator"}, format="json").status_code == 500

    def require_not_found(self, by: User, **headers: str) -> None:
        reply = ClientOf(by).post(self.ADDRESS, {"role": "annotator"}, format="json", **headers)
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "project_not_found")
        assert not Activity.objects.exists()


def delete(project: Project) -> None:
    set_state(project=project, state=Project.State.ARCHIVED)
    project.refresh_from_db()
    delete_project(project=project, name=project.name)


class TestReading:
    def test_the_newest_comes_first_page_by_page(self, project: Project, lead: User) -> None:
        ids = [invite(lead, project) for _ in range(3)]
        address = f"/api/projects/{project.slug}/activity"
        page = ClientOf(lead).get(address, {"limit": 2}).json()
        assert [each["request_id"] for each in page["entries"]] == ids[:0:-1]
        assert (page["count"], page["before"]) == (3, 0)
        rest = ClientOf(lead).get(address, {"limit": 2, "cursor": page["next"]}).json()
        assert [each["request_id"] for each in rest["entries"]] == ids[:1]

    def test_only_leads_read_it(
        self, project: Project, adjudicator: Membership, annotators: list[Membership]
    ) -> None:
        for member in (adjudicator, annotators[0]):
            assert ClientOf(member.user).get(f"/api/projects/{project.slug}/activity").status_code == 403


class TestWords:
    def test_the_page_has_words_for_all_operations_that_are_noted(self) -> None:
        noted = {
            vars(method)[OPERATION]
            for route in api_routes()
            if issubclass(view := route.view, ProjectView)
            for name in WRITING
            if (method := getattr(view, name, None)) is not None
            and (view.write_roles or view.allowed_roles) & {LEAD, ADJUDICATOR}
        }
        assert noted > CHANGES_NOTHING
        worded = set(re.findall(r"^  (\w+): ", WORDS.read_text(encoding="utf-8"), flags=re.MULTILINE))
        assert worded == noted - CHANGES_NOTHING
