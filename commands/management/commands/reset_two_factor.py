"""Turn two-factor authentication off for somebody who lost the app and the recovery codes."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.accounts.services import reset_second_factor
from commands.arguments import find_person


class Command(BaseCommand):
    """Turn the second factor of an account off."""

    help = (
        "Turn off two-factor authentication for an account whose owner lost the authenticator app and the "
        "recovery codes. First make sure that the request comes from the owner, for example, in person "
        "or by calling a number that you know. All sessions of the account end; the password does not "
        "change. "
        "Exit codes: 0 done; 1 there is no such account, or two-factor authentication was already off; 2 "
        "usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("username", help="the username of the person who lost the app")

    def handle(self, *args: Any, **options: Any) -> None:
        """Turn it off."""
        user = find_person(options["username"])
        if not reset_second_factor(user=user):
            raise CommandError(f"Two-factor authentication for {user.username} was already off.")
        self.stdout.write(
            f"Two-factor authentication for {user.username} is off, and all sessions have ended."
        )
