"""Say who may make projects where not everybody may."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.accounts.models import User
from commands.arguments import find_person


class Command(BaseCommand):
    """Let somebody make projects, or no longer."""

    help = (
        "Allow an account to create projects on an installation with ASSAY_PROJECT_CREATORS=granted. With "
        "--revoke, remove this permission; the account keeps its projects. Exit codes: 0 done; 1 there is "
        "no such account; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("username", help="the username of the person who may create projects")
        parser.add_argument("--revoke", action="store_true", help="remove the permission")

    def handle(self, *args: Any, **options: Any) -> None:
        """Grant it or take it back."""
        user, grants = find_person(options["username"]), not options["revoke"]
        User.objects.filter(pk=user.pk).update(creates_projects=grants)
        self.stdout.write(f"{user.username} can {'' if grants else 'no longer '}create projects.")
