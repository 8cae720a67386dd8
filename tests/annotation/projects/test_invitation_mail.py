"""An invitation by email: the link arrives, says no more than it must, and comes in bounded numbers."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.core import mail as outbox
from rest_framework.test import APIClient

from annotation.accounts.models import OutgoingMail, User
from annotation.accounts.outbox import letters
from annotation.accounts.outbox.ports import Share
from annotation.accounts.outbox.sending import send_due
from annotation.projects.models import Invitation, Project
from annotation.projects.services import members
from annotation.projects.services.making import set_state
from annotation.release.services import delete_project
from common.clock import now
from tests.annotation.accounts.mail.conftest import link_in
from tests.conftest import ClientOf
from tests.factories import make_project
from tests.smtp import turn_mail_on

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _mail_is_on(settings: LazySettings, tmp_path: Any) -> None:
    turn_mail_on(settings)
    settings.DATA_DIR = tmp_path


def invite(lead: User, project: Project, email: str = "new@example.org", **more: Any) -> Any:
    body = {"role": "annotator", "email": email, **more}
    return ClientOf(lead).post(f"/api/projects/{project.slug}/invitations", body, format="json")


def deliver() -> list[Any]:
    before = len(outbox.outbox)
    send_due()
    return outbox.outbox[before:]


def states(lead: User, project: Project) -> list[str | None]:
    found = ClientOf(lead).get(f"/api/projects/{project.slug}/invitations").json()
    return [each["email_state"] for each in found]


class TestInviting:
    def test_sends_the_link_and_shows_it(self, lead: User, project: Project) -> None:
        reply = invite(lead, project)
        assert (reply.status_code, states(lead, project)) == (201, ["waiting"])
        (message,) = deliver()
        assert message.to == ["new@example.org"]
        assert link_in(message) == reply.json()["url_path"]
        assert states(lead, project) == ["sent"]
        token = link_in(message).rpartition("/")[2]
        account = {"username": "new", "name": "New", "password": "correct horse battery"}
        assert APIClient().post(f"/api/invitations/{token}/accept", account, format="json").status_code == 200

    @pytest.mark.parametrize(
        ("role", "said"),
        [
            ("annotator", "judge answers"),
            ("adjudicator", "decide"),
            ("lead", "run the"),
            ("viewer", "cannot change"),
        ],
    )
    def test_names_the_project_and_the_role_and_nothing_else(
        self, role: str, said: str, lead: User, project: Project
    ) -> None:
        Project.objects.filter(pk=project.pk).update(description="secret description")
        invite(lead, project, role=role, label="secret label", group="secret group")
        (message,) = deliver()
        text = f"{message.subject}\n{message.body}"
        assert project.name in message.subject
        assert said in text
        for secret in ("secret", lead.name):
            assert secret not in text.replace(link_in(message), "")

    @pytest.mark.parametrize(
        ("language", "share", "said"),
        [
            ("en", Share(1300, 39_000.0), "Your share: about 1,300 answers, about 11 hours in all."),
            ("en", Share(1, 20.0), "Your share: about 1 answer, about 1 minute in all."),
            ("de", Share(1300, 5_399.0), "Ihr Anteil: etwa 1.300 Antworten, insgesamt etwa 90 Minuten."),
        ],
    )
    def test_says_how_much_work_awaits_an_annotator(
        self,
        language: str,
        share: Share,
        said: str,
        lead: User,
        project: Project,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(letters, "share_of", lambda *, project_id: share)
        User.objects.filter(pk=lead.pk).update(language=language)
        lead.refresh_from_db()
        invite(lead, project)
        invite(lead, project, role="adjudicator")
        for_annotator, for_adjudicator = deliver()
        assert f"\n\n{said}\n\n" in for_annotator.body
        assert said not in for_adjudicator.body

    def test_without_an_address_nothing_is_sent(self, lead: User, project: Project) -> None:
        assert invite(lead, project, "").status_code == 201
        assert (deliver(), states(lead, project)) == ([], [None])

    def test_is_in_the_language_of_the_lead_s_page(self, lead: User, project: Project) -> None:
        User.objects.filter(pk=lead.pk).update(language="de")
        lead.refresh_from_db()
        invite(lead, project)
        (message,) = deliver()
        assert message.subject == f"Einladung zum Projekt „{project.name}“"

    @pytest.mark.parametrize(
        "email", ["new", "a@example.org, b@example.org", "a@example.org\nBcc: b@example.org"]
    )
    def test_refuses_what_is_no_address_and_makes_no_link(
        self, email: str, lead: User, project: Project
    ) -> None:
        reply = invite(lead, project, email)
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "address_unusable")
        assert not Invitation.objects.exists()

    def test_refuses_where_mail_is_off(self, lead: User, project: Project, settings: LazySettings) -> None:
        settings.ASSAY_SENDS_MAIL = False
        assert invite(lead, project).status_code == 409
        assert not Invitation.objects.exists()

    def test_a_link_that_was_revoked_meanwhile_is_not_sent(self, lead: User, project: Project) -> None:
        made = invite(lead, project).json()
        members.revoke_invitation(project=project, public_id=made["public_id"])
        assert (deliver(), states(lead, project)) == ([], ["dropped"])

    def test_a_name_cannot_add_headers(self, lead: User, project: Project) -> None:
        Project.objects.filter(pk=project.pk).update(name="Win\r\nBcc: eve@example.org\r\n\r\n{link}")
        invite(lead, project)
        (message,) = deliver()
        assert message.message()["Bcc"] is None
        assert message.recipients() == ["new@example.org"]
        assert "\n" not in message.subject

    def test_the_token_is_sealed_while_it_waits_and_gone_afterwards(
        self, lead: User, project: Project
    ) -> None:
        token = invite(lead, project).json()["url_path"].rpartition("/")[2]
        assert token not in str(OutgoingMail.objects.values().get())
        deliver()
        assert OutgoingMail.objects.get().sealed == ""


class TestLimits:
    def test_of_a_project(self, lead: User, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(members, "MAILS_OF_PROJECT", 2)
        statuses = [invite(lead, project, f"new{number}@example.org").status_code for number in range(3)]
        assert statuses == [201, 201, 429]
        assert Invitation.objects.count() == 2
        assert invite(lead, project, "").status_code == 201
        OutgoingMail.objects.update(created_at=now() - timedelta(days=1))
        assert invite(lead, project).status_code == 201

    def test_of_a_lead(self, lead: User, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(members, "MAILS_OF_LEAD", 1)
        assert [invite(lead, project, f"{each}@example.org").status_code for each in "ab"] == [201, 429]

    def test_to_one_address(self, lead: User, project: Project) -> None:
        spelled = ("new@example.org", "NEW@example.org", "new@EXAMPLE.org", "new@example.org")
        assert [invite(lead, project, each).status_code for each in spelled] == [201, 201, 201, 429]

    def test_to_one_address_from_all_projects_of_a_lead(self, lead: User, project: Project) -> None:
        projects = [project, *(make_project(lead=lead) for _ in range(3))]
        assert [invite(lead, each).status_code for each in projects] == [201, 201, 201, 429]

    def test_what_deleted_projects_sent_counts_for_their_lead(
        self, lead: User, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(members, "MAILS_OF_LEAD", 1)
        assert invite(lead, project, "a@example.org").status_code == 201
        set_state(project=project, state=Project.State.ARCHIVED)
        delete_project(project=project, name=project.name)
        assert not Project.objects.filter(pk=project.pk).exists()
        assert invite(lead, make_project(lead=lead), "b@example.org").status_code == 429
        assert deliver() == []
