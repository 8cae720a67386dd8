"""Make a link with which somebody who forgot the password sets a new one."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.accounts.services import make_password_token
from commands.arguments import find_person


class Command(BaseCommand):
    """Print a password link."""

    help = (
        "Print the path of a link to set a new password. The link works once and expires after a day. Put "
        "your server’s address in front of the path, and send the link only to the owner of the account. "
        "Exit codes: 0 done; 1 there is no such account; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("username", help="the username of the person who needs a new password")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the link."""
        self.stdout.write(f"/password/{make_password_token(user=find_person(options['username']))}")
