"""Projects over HTTP."""

import pytest
from rest_framework.test import APIClient

from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from annotation.projects.services import members
from tests.annotation.adjudication.factories import make_answers
from tests.annotation.assignments.factories import make_question
from tests.conftest import ClientOf
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


class TestProjects:
    def test_a_lead_makes_a_project_from_a_preset(self, lead: User) -> None:
        reply = ClientOf(lead).post("/api/projects", {"name": "My study", "preset": "evouna"}, format="json")
        assert reply.status_code == 201
        assert reply.json()["slug"] == "my-study"

    @pytest.mark.parametrize(("given", "kept"), [({}, "third_rater"), ({"tie_break": "lead"}, "lead")])
    def test_the_lead_may_decide_where_people_disagree(
        self, lead: User, given: dict[str, str], kept: str
    ) -> None:
        body = {"name": "Two colleagues", "preset": "openqa-eval", **given}
        assert ClientOf(lead).post("/api/projects", body, format="json").status_code == 201
        protocol = Project.objects.get(name="Two colleagues").protocol
        assert protocol is not None
        assert protocol.rules.tie_break == kept

    def test_the_list_says_how_far_each_project_is(self, project: Project, lead: User) -> None:
        (listed,) = ClientOf(lead).get("/api/projects").json()
        assert listed["slug"] == project.slug
        assert (listed["question_count"], listed["answer_count"], listed["decided_count"]) == (0, 0, 0)
        assert listed["left_questions"] is None

    def test_annotators_are_told_what_is_left_for_them_and_nothing_of_how_far_it_is(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (listed,) = ClientOf(annotators[0].user).get("/api/projects").json()
        assert (listed["left_questions"], listed["answer_count"], listed["decided_count"]) == (1, None, None)

    def test_adjudicators_are_told_how_many_answers_wait_for_them(
        self, project: Project, lead: User, adjudicator: Membership, annotators: list[Membership]
    ) -> None:
        (waiting, _) = make_answers(project=project, question="who", texts=["a", "b"])
        Candidate.objects.filter(pk=waiting.pk).update(state=Candidate.State.DISPUTED)
        (listed,) = ClientOf(adjudicator.user).get("/api/projects").json()
        assert listed["waiting_decisions"] == 1
        for other in (lead, annotators[0].user):
            (listed,) = ClientOf(other).get("/api/projects").json()
            assert listed["waiting_decisions"] is None

    def test_strangers_get_not_found_in_the_one_error_shape(self, project: Project, outsider: User) -> None:
        reply = ClientOf(outsider).get(f"/api/projects/{project.slug}")
        assert reply.status_code == 404
        assert reply.json()["error"]["code"] == "project_not_found"

    def test_annotators_read_the_guidelines_as_safe_html(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        project.protocol.spec["guidelines"] = "# Judge\n<script>alert(1)</script> [x](javascript:alert(1))"
        project.protocol.save()
        html = ClientOf(annotators[0].user).get(f"/api/projects/{project.slug}").json()["guidelines_html"]
        assert "<h2>Judge</h2>" in html
        assert "<script" not in html
        assert 'href="javascript' not in html

    def test_annotators_do_not_see_the_protocol_of_leads(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        reply = ClientOf(annotators[0].user).get(f"/api/projects/{project.slug}/protocol")
        assert reply.status_code == 403

    def test_annotators_do_not_rename_projects(self, project: Project, annotators: list[Membership]) -> None:
        client = ClientOf(annotators[0].user)
        assert (
            client.patch(f"/api/projects/{project.slug}", {"name": "Mine"}, format="json").status_code == 403
        )

    def test_a_paused_adjudicator_reads_and_does_not_write(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        member = annotators[0]
        Membership.objects.filter(pk=member.pk).update(role="adjudicator", state="paused")
        client = ClientOf(member.user)
        assert client.get(f"/api/projects/{project.slug}/queue").status_code == 200
        reply = client.post(f"/api/projects/{project.slug}/answers/zzz/decision", {}, format="json")
        assert reply.json()["error"]["code"] == "member_paused"

    def test_an_address_that_does_not_exist_answers_in_the_one_error_shape(self, client: APIClient) -> None:
        reply = client.get("/api/nowhere")
        assert reply.status_code == 404
        assert reply.json()["error"]["code"] == "no_such_address"


class TestRenamingAnInvitation:
    def test_gives_it_the_name_without_spaces_around_it(self, project: Project, lead: User) -> None:
        address = f"/api/projects/{project.slug}/invitations"
        made = ClientOf(lead).post(address, {"role": "annotator", "label": "Link 1"}, format="json").json()
        one = f"{address}/{made['public_id']}"
        reply = ClientOf(lead).patch(one, {"label": " Ada "}, format="json")
        assert reply.json() == {**made, "label": "Ada", "url_path": None}
        assert [each["label"] for each in ClientOf(lead).get(address).json()] == ["Ada"]

    @pytest.mark.parametrize(
        "body", [{}, {"label": " "}, {"label": "x" * 151}, {"label": "A", "role": "lead"}]
    )
    def test_takes_a_name_and_nothing_else(self, project: Project, lead: User, body: dict[str, str]) -> None:
        made = members.invite(project=project, by=lead, role="annotator", label="Link 1").invitation
        address = f"/api/projects/{project.slug}/invitations/{made.public_id}"
        assert ClientOf(lead).patch(address, body, format="json").status_code == 400
        made.refresh_from_db()
        assert (made.label, made.role) == ("Link 1", "annotator")

    def test_says_why_one_that_has_ended_cannot_be(self, project: Project, lead: User) -> None:
        made = members.invite(project=project, by=lead, role="annotator").invitation
        members.revoke_invitation(project=project, public_id=made.public_id)
        address = f"/api/projects/{project.slug}/invitations/{made.public_id}"
        reply = ClientOf(lead).patch(address, {"label": "Ada"}, format="json")
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "invitation_ended")


class TestJoining:
    def test_a_person_joins_by_link_and_is_signed_in(self, project: Project, lead: User) -> None:
        made = ClientOf(lead).post(
            f"/api/projects/{project.slug}/invitations", {"role": "annotator"}, format="json"
        )
        token = made.json()["url_path"].removeprefix("/join/")
        person = APIClient()
        form = {"username": "ann", "name": "Ann", "password": "a long enough one"}
        reply = person.post(f"/api/invitations/{token}/accept", form, format="json")
        assert reply.json() == {"project_slug": project.slug, "role": "annotator"}
        assert person.get("/api/session").json()["user"]["username"] == "ann"

    def test_joining_needs_the_csrf_token(self, project: Project, lead: User) -> None:
        token = members.invite(project=project, by=lead, role="annotator").token
        browser = APIClient(enforce_csrf_checks=True)
        reply = browser.post(f"/api/invitations/{token}/accept", {"username": "ann"}, format="json")
        assert reply.json()["error"]["code"] == "csrf_failed"

    def test_a_weak_password_is_explained(self, project: Project, lead: User) -> None:
        made = ClientOf(lead).post(
            f"/api/projects/{project.slug}/invitations", {"role": "annotator"}, format="json"
        )
        token = made.json()["url_path"].removeprefix("/join/")
        reply = APIClient().post(
            f"/api/invitations/{token}/accept", {"username": "ann", "password": "short"}, format="json"
        )
        assert reply.status_code == 400
        assert "password" in reply.json()["error"]["details"]["fields"]


class TestSession:
    def test_signing_in_and_out(self, lead: User) -> None:
        browser = APIClient()
        reply = browser.post("/api/session", {"username": "lead", "password": PASSWORD}, format="json")
        assert reply.json()["user"]["username"] == "lead"
        assert browser.delete("/api/session").json()["user"] is None

    def test_wrong_passwords_get_words(self, lead: User) -> None:
        reply = APIClient().post("/api/session", {"username": "lead", "password": "guess"}, format="json")
        assert reply.status_code == 403
        assert reply.json()["error"]["code"] == "wrong_credentials"

    def test_signing_in_needs_the_csrf_token(self, lead: User) -> None:
        browser = APIClient(enforce_csrf_checks=True)
        form = {"username": "lead", "password": PASSWORD}
        reply = browser.post("/api/session", form, format="json")
        assert reply.status_code == 403
        assert reply.json()["error"]["code"] == "csrf_failed"
        token = browser.get("/api/session").json()["csrf_token"]
        assert browser.post("/api/session", form, format="json", HTTP_X_CSRFTOKEN=token).status_code == 200

    def test_writing_needs_the_csrf_token(self, lead: User) -> None:
        browser = APIClient(enforce_csrf_checks=True)
        browser.force_login(lead, backend="django.contrib.auth.backends.ModelBackend")
        reply = browser.post("/api/projects", {"name": "x", "preset": "evouna"}, format="json")
        assert reply.status_code == 403
