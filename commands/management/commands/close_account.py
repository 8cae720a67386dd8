"""Close somebody's account at their wish: forget who they are, keep their votes."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.accounts.models import User
from annotation.accounts.services import anonymize_user
from commands.arguments import refusals


class Command(BaseCommand):
    """Close an account permanently."""

    help = (
        "Close an account permanently. This deletes its name, username, email address, and password, but "
        "keeps "
        "its votes under a pseudonym. Exit codes: 0 done; 1 the account cannot be closed; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("username", help="the username of the account to close")

    def handle(self, *args: Any, **options: Any) -> None:
        """Close the account."""
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"The account “{options['username']}” does not exist.", returncode=1)
        with refusals():
            anonymize_user(user=user)
        self.stdout.write("The account is closed.")
