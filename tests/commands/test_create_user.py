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

    def test_without_a_terminal_says_what_to_do(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def nobody_answers(*_: object) -> str:
            raise EOFError

        monkeypatch.setattr("getpass.getpass", nobody_answers)
        with pytest.raises(CommandError, match="--password-stdin") as refused:
            call_command("create_user", "lea")
        assert refused.value.returncode == 2
        assert not User.objects.exists()
