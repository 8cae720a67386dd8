"""Organizations over HTTP: what owners see, and that this opens no project."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation.accounts.models import User
from annotation.accounts.tokens.issuing import create_token
from annotation.items.models import DataImport
from annotation.projects.models import Membership, Organization, Project
from annotation.projects.services import organizations
from tests.annotation.items.conftest import import_into, outputs
from tests.conftest import ClientOf
from tests.factories import make_member, make_project, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab(lead: User) -> Organization:
    return organizations.create_organization(
        slug="lab", name="The lab", owner=lead, limits={"most_projects": 2}
    )


@pytest.fixture
def theirs(lab: Organization) -> Project:
    """A project of the organization that its owner is not in."""
    member = make_user(username="ann")
    organizations.add_organization_member(organization=lab, username="ann", role="member")
    return make_project(lead=member, name="Theirs", slug="theirs", preset="evouna", organization=lab)


def send(user: User, method: str, address: str, body: Any = None) -> tuple[int, Any]:
    reply = getattr(ClientOf(user), method)(f"/api/{address}", body, format="json")
    return reply.status_code, reply.json() if reply.content else None


def code_of(sent: tuple[int, Any]) -> tuple[int, str]:
    return sent[0], sent[1]["error"]["code"]


class TestOwners:
    def test_see_what_is_used_and_nothing_of_what_is_in_projects(
        self, lab: Organization, theirs: Project, lead: User
    ) -> None:
        import_into(theirs, files={"A.jsonl": outputs(q1="Paris", q2="Rome")})
        make_member(project=theirs)
        _, found = send(lead, "get", "organizations/lab")
        assert found["uses"] == [
            {"resource": "projects", "used": 1, "limit": 2},
            {"resource": "answers", "used": 2, "limit": None},
            {"resource": "people", "used": 3, "limit": None},
        ]
        assert found["spending"]["used_usd"] == "0"
        assert found["spending"]["limit_usd"] is None
        assert found["projects"] == [
            {"slug": "theirs", "name": "Theirs", "state": "open", "answer_count": 2, "people_count": 2}
        ]
        assert [(each["username"], each["role"]) for each in found["people"]] == [
            ("lead", "owner"),
            ("ann", "member"),
        ]
        assert code_of(send(lead, "get", "projects/theirs")) == (404, "project_not_found")
        assert code_of(send(lead, "get", "projects/theirs/answers")) == (404, "project_not_found")

    def test_add_change_and_remove_people(self, lab: Organization, lead: User, outsider: User) -> None:
        status, added = send(
            lead, "post", "organizations/lab/people", {"username": "outsider", "role": "member"}
        )
        assert (status, added["role"]) == (201, "member")
        one = f"organizations/lab/people/{added['member_id']}"
        assert send(lead, "patch", one, {"role": "owner"})[1]["role"] == "owner"
        assert send(outsider, "get", "organizations/lab")[0] == 200
        assert send(lead, "delete", one)[0] == 204
        assert code_of(send(outsider, "get", "organizations/lab")) == (404, "organization_not_found")

    def test_are_told_which_field_is_wrong_and_guess_few_usernames(
        self, lab: Organization, lead: User
    ) -> None:
        nobody = {"username": "nobody", "role": "member"}
        refused = send(lead, "post", "organizations/lab/people", nobody)
        assert code_of(refused) == (400, "unknown_username")
        assert [*refused[1]["error"]["details"]["fields"]] == ["username"]
        told = {code_of(send(lead, "post", "organizations/lab/people", nobody))[1] for _ in range(12)}
        assert told == {"unknown_username", "too_many_tries"}


class TestMembers:
    def test_read_no_report_and_leave(self, lab: Organization, theirs: Project) -> None:
        ann = theirs.created_by
        (place,) = send(ann, "get", "organizations")[1]
        assert (place["slug"], place["name"], place["role"]) == ("lab", "The lab", "member")
        assert code_of(send(ann, "get", "organizations/lab")) == (403, "not_owner")
        owner = lab.members.get(role="owner")
        assert code_of(send(ann, "delete", f"organizations/lab/people/{owner.public_id}"))[0] == 403
        assert send(ann, "delete", f"organizations/lab/people/{place['member_id']}")[0] == 204
        assert send(ann, "get", "organizations")[1] == []
        assert theirs.members.get().state == Membership.State.ACTIVE

    def test_of_none_have_an_empty_list(self, lab: Organization, outsider: User) -> None:
        assert send(outsider, "get", "organizations") == (200, [])
        assert code_of(send(outsider, "get", "organizations/lab")) == (404, "organization_not_found")


class TestTokens:
    def test_that_only_write_change_nobody_s_place(self, lab: Organization, lead: User) -> None:
        for scope, status in (("read", 403), ("write", 403), ("manage", 201)):
            make_user(username=f"for-{scope}")
            token = create_token(user=lead, name="t", scope=scope, days=1, project="").text
            reply = APIClient().post(
                "/api/organizations/lab/people",
                {"username": f"for-{scope}", "role": "member"},
                format="json",
                headers={"authorization": f"Bearer {token}"},
            )
            assert reply.status_code == status


class TestProjects:
    def test_are_created_in_an_organization_that_one_is_in(
        self, lab: Organization, lead: User, outsider: User
    ) -> None:
        body = {"name": "New one", "preset": "evouna", "organization": "lab"}
        assert send(lead, "post", "projects", body)[0] == 201
        assert Project.objects.get(name="New one").organization == lab
        assert code_of(send(outsider, "post", "projects", body)) == (404, "organization_not_found")
        organizations.change_organization(organization=lab, limits={"most_projects": 1})
        another = {**body, "name": "Another"}
        assert code_of(send(lead, "post", "projects", another)) == (409, "project_limit_reached")

    def test_move_in_within_the_limits_and_out(self, lab: Organization, project: Project, lead: User) -> None:
        address = f"projects/{project.slug}/organization"
        before = send(lead, "get", address)[1]
        assert (before["slug"], before["may_move"]) == ("", True)
        assert [each["slug"] for each in before["choices"]] == ["lab"]
        organizations.change_organization(organization=lab, limits={"most_projects": 0})
        refused = send(lead, "put", address, {"organization": "lab"})
        assert code_of(refused) == (409, "project_limit_reached")
        organizations.change_organization(organization=lab, limits={"most_projects": 1})
        assert send(lead, "put", address, {"organization": "lab"})[1]["name"] == "The lab"
        assert send(lead, "put", address, {"organization": ""})[1]["slug"] == ""

    @pytest.mark.parametrize(("field", "code"), [("most_people", "people"), ("most_answers", "answer")])
    def test_bring_their_people_and_answers(
        self, lab: Organization, theirs: Project, lead: User, field: str, code: str
    ) -> None:
        moving = make_project(lead=lead, preset="evouna")
        make_member(project=moving)
        import_into(moving, files={"A.jsonl": outputs(q1="Paris", q2="Rome")})
        organizations.change_organization(
            organization=lab, limits={field: 2 if field == "most_people" else 1}
        )
        refused = send(lead, "put", f"projects/{moving.slug}/organization", {"organization": "lab"})
        assert code_of(refused) == (409, f"{code}_limit_reached")

    def test_stay_where_their_lead_is_not(self, lab: Organization, theirs: Project, lead: User) -> None:
        other = make_member(project=theirs, role="lead").user
        address = "projects/theirs/organization"
        assert send(other, "get", address)[1] == {
            "slug": "lab",
            "name": "The lab",
            "may_move": False,
            "choices": [],
        }
        assert code_of(send(other, "put", address, {"organization": ""})) == (403, "not_in_organization")

    def test_stay_while_an_import_comes_in(self, lab: Organization, lead: User) -> None:
        moving = make_project(lead=lead, preset="evouna")
        import_into(moving, files={"A.jsonl": outputs(q1="Paris")})
        DataImport.objects.update(state=DataImport.State.APPLYING)
        refused = send(lead, "put", f"projects/{moving.slug}/organization", {"organization": "lab"})
        assert code_of(refused) == (409, "project_imports")
