"""Who may make projects, and what an address tells of other people's."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from annotation.accounts.models import User
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import invite
from tests.conftest import ClientOf
from tests.factories import make_member, make_project, make_user

pytestmark = pytest.mark.django_db
STUDY = {"name": "My study", "preset": "evouna"}


def create(user: User, **fields: str) -> Any:
    return ClientOf(user).post("/api/projects", {**STUDY, **fields}, format="json")


class TestWhereOthersReachIt:
    @pytest.fixture(autouse=True)
    def _granted_only(self, settings: Any) -> None:
        settings.ASSAY_PROJECT_CREATORS = "granted"

    def test_who_came_by_a_link_makes_no_project(self, project: Project, lead: User) -> None:
        token = invite(project=project, by=lead, role="lead").token
        form = {"username": "ann", "name": "Ann", "password": "a long enough one"}
        person = APIClient()
        assert person.post(f"/api/invitations/{token}/accept", form, format="json").status_code == 200
        reply = person.post("/api/projects", STUDY, format="json")
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "may_not_create_projects")
        copied = person.post(f"/api/projects/{project.slug}/copy", {"name": "Copy"}, format="json")
        assert copied.json()["error"]["code"] == "may_not_create_projects"
        assert person.get("/api/session").json()["user"]["may_create_projects"] is False
        assert Project.objects.count() == 1

    def test_the_operator_s_accounts_do(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", StringIO("a long enough one\n"))
        call_command("create_user", "lea", "--password-stdin", stdout=StringIO())
        lea = User.objects.get(username="lea")
        assert create(lea).status_code == 201

    def test_it_is_granted_and_taken_back_by_command(self, outsider: User) -> None:
        call_command("project_creator", "outsider", stdout=StringIO())
        assert create(outsider).status_code == 201
        call_command("project_creator", "outsider", "--revoke", stdout=StringIO())
        assert create(outsider, name="Another").status_code == 403
        with pytest.raises(CommandError, match="does not exist"):
            call_command("project_creator", "nobody")

    def test_nobody_grants_it_to_themselves(self, outsider: User) -> None:
        for field in ("creates_projects", "may_create_projects"):
            reply = ClientOf(outsider).patch("/api/account", {field: True}, format="json")
            assert (reply.status_code, [*reply.json()["error"]["details"]["fields"]]) == (400, [field])
        assert create(outsider).status_code == 403

    def test_the_operator_makes_one_for_anybody(self, outsider: User) -> None:
        options = ["--protocol", "evouna", "--lead", "outsider"]
        call_command("create_project", "theirs", *options, stdout=StringIO())
        assert Project.objects.get(slug="theirs").created_by == outsider


class TestOnThisMachine:
    def test_everybody_does(self, outsider: User) -> None:
        assert ClientOf(outsider).get("/api/session").json()["user"]["may_create_projects"] is True
        assert create(outsider).status_code == 201


class TestAddresses:
    def test_of_other_people_s_projects_are_not_said_to_be_taken(self, outsider: User) -> None:
        make_project(slug="my-study")
        for slug in ("", "my-study"):
            reply = create(outsider, slug=slug)
            assert reply.status_code == 201
            assert reply.json()["slug"].startswith("my-study-")

    def test_nor_where_a_project_is_copied(self, project: Project, lead: User) -> None:
        make_project(slug="secret")
        body = {"name": "Copy", "slug": "secret"}
        reply = ClientOf(lead).post(f"/api/projects/{project.slug}/copy", body, format="json")
        assert (reply.status_code, reply.json()["slug"][:7]) == (201, "secret-")

    def test_are_said_to_be_taken_to_who_takes_part(self, project: Project) -> None:
        member = make_member(project=project)
        reply = create(member.user, slug=project.slug)
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "slug_taken")
        Membership.objects.filter(pk=member.pk).update(state="left")
        assert create(member.user, slug=project.slug).status_code == 201

    def test_long_ones_stay_short_enough(self) -> None:
        make_project(slug="x" * 60)
        assert len(create(make_user(), slug="x" * 60).json()["slug"]) == 60
