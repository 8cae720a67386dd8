"""Password links, two-factor authentication and closing accounts from the command line."""

import io

import pytest
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from annotation.accounts.models import User
from annotation.projects.models import Project
from tests.annotation.accounts.test_second_factor import turn_on
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


class TestPasswordLink:
    def test_prints_the_path_of_a_link_that_works(self, outsider: User) -> None:
        said = io.StringIO()
        call_command("password_link", "outsider", stdout=said)
        token = said.getvalue().strip().removeprefix("/password/")
        assert APIClient().get(f"/api/password-links/{token}").json() == {"username": "outsider"}

    def test_says_that_nobody_is_called_so(self) -> None:
        with pytest.raises(CommandError, match="There is no account"):
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
        assert said.getvalue() == "Two-factor authentication for outsider is off.\n"
        body = {"username": "outsider", "password": PASSWORD}
        assert APIClient().post("/api/session", body, format="json").status_code == 200

    def test_says_that_there_is_none(self, outsider: User) -> None:
        with pytest.raises(CommandError, match="was already off"):
            call_command("reset_two_factor", "outsider")
