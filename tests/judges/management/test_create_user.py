"""Making the first account from the command line."""

import io

import pytest
from django.core.management import CommandError, call_command

from annotation.accounts.models import User


@pytest.mark.django_db
class TestCreateUser:
    def test_makes_an_account_that_can_sign_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO("a long enough one\n"))
        call_command("create_user", "lea", "--name", "Lea", "--password-stdin", stdout=io.StringIO())
        assert User.objects.get(username="lea").check_password("a long enough one")

    def test_says_why_a_password_will_not_do(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO("12345\n"))
        with pytest.raises(CommandError, match="too short"):
            call_command("create_user", "lea", "--password-stdin")
        assert not User.objects.exists()
