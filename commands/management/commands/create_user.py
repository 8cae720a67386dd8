"""Make an account: on an empty installation the first lead, who then invites everybody else."""

import getpass
import sys
import warnings
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.accounts.services import UnusableAccount, create_user


class Command(BaseCommand):
    """Make an account that can sign in."""

    help = (
        "Create an account. Asks for the password, or reads it from standard input with "
        "--password-stdin. Exit codes: 0 done; 1 the account cannot be created; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("username", help="the name to sign in with")
        parser.add_argument("--name", default="", help="the name that others see (default: the username)")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the password from standard input"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the account."""
        password = sys.stdin.readline().rstrip("\n") if options["password_stdin"] else _asked()
        username = options["username"]
        try:
            create_user(
                username=username,
                name=options["name"] or username,
                password=password,
                creates_projects=True,
            )
        except UnusableAccount as error:
            reasons = "; ".join(reason for field in error.details["fields"].values() for reason in field)
            raise CommandError(f"{error.message} {reasons}", returncode=1) from None
        self.stdout.write(f"{username} can sign in now.")


def _asked() -> str:
    """Ask for the password; nobody is there to answer in a script, a container or CI."""
    try:
        with warnings.catch_warnings():
            # Without a terminal it reads standard input, where there is no echo to turn off.
            warnings.simplefilter("ignore", getpass.GetPassWarning)
            return getpass.getpass()
    except EOFError:
        raise CommandError(
            "There is no terminal in which to ask for the password. Pass it on standard input: "
            "echo PASSWORD | manage.py create_user NAME --password-stdin",
            returncode=2,
        ) from None
