"""Password links, two-factor authentication and closing accounts from the command line."""

import io
from typing import cast

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from rest_framework.test import APIClient

from annotation.accounts.models import User
from annotation.projects.models import Project
from tests.annotation.accounts.test_second_factor import turn_on
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


def sign_in(browser: APIClient) -> HttpResponse:
    body = {"username": "outsider", "password": PASSWORD}
    return cast(HttpResponse, browser.post("/api/session", body, format="json"))


class TestPasswordLink:
    def test_prints_the_path_of_a_link_that_works(self, outsider: User) -> None:
        said = io.StringIO()
        call_command("password_link", "outsider", stdout=said)
        token = said.getvalue().strip().removeprefix("/password/")
        assert APIClient().get(f"/api/password-links/{token}").json() == {"username": "outsider"}

    def test_says_that_nobody_is_called_so(self) -> None:
        with pytest.raises(CommandError, match="does not exist"):
            call_command("password_link", "nobody")


class TestCloseAccount:
    def test_closes_it(self, outsider: User) -> None:
        call_command("close_account", "outsider", stdout=io.StringIO())
        assert not User.objects.filter(username="outsider").exists()

    def test_says_whose_lead_would_be_missing(self, project: Project, lead: User) -> None:
        with pytest.raises(CommandError, match="Small study"):
            call_command("close_account", "lead")
        assert User.objects.filter(username="lead", is_active=True).exists()


class TestResetTwoFactor:
    def test_lets_in_with_the_password_alone(self, outsider: User) -> None:
        turn_on(outsider)
        said = io.StringIO()
        call_command("reset_two_factor", "outsider", stdout=said)
        assert (
            said.getvalue() == "Two-factor authentication for outsider is off, and all sessions have ended.\n"
        )
        assert sign_in(APIClient()).status_code == 200

    def test_ends_all_sessions(self, outsider: User) -> None:
        open_session = APIClient()
        assert sign_in(open_session).status_code == 200
        turn_on(outsider)
        assert open_session.get("/api/session").json()["user"] is not None
        call_command("reset_two_factor", "outsider", stdout=io.StringIO())
        assert open_session.get("/api/session").json()["user"] is None
        # A new one stands, and the next reset ends that one, too.
        assert sign_in(open_session).status_code == 200
        assert open_session.get("/api/session").json()["user"] is not None
        turn_on(outsider)
        call_command("reset_two_factor", "outsider", stdout=io.StringIO())
        assert open_session.get("/api/session").json()["user"] is None

    def test_ends_a_session_that_began_while_it_was_turned_off(
        self, outsider: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        turn_on(outsider)
        arriving = APIClient()

        def let_in_late(**asked: User | str) -> None:
            call_command("reset_two_factor", "outsider", stdout=io.StringIO())

        # Whoever has shown password and code when the reset comes.
        monkeypatch.setattr("annotation.accounts.services.require_code", let_in_late)
        assert sign_in(arriving).status_code == 200
        assert arriving.get("/api/session").json()["user"] is None

    def test_leaves_sessions_to_earlier_secret_keys(self, outsider: User, settings: LazySettings) -> None:
        turn_on(outsider)
        call_command("reset_two_factor", "outsider", stdout=io.StringIO())
        browser = APIClient()
        assert sign_in(browser).status_code == 200
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
        settings.SECRET_KEY = "another secret key, of as many letters as one needs"
        assert browser.get("/api/session").json()["user"] is not None

    def test_says_that_there_is_none(self, outsider: User) -> None:
        with pytest.raises(CommandError, match="was already off"):
            call_command("reset_two_factor", "outsider")
