"""Say who may make projects where not everybody may."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.accounts.models import User


class Command(BaseCommand):
    """Let somebody make projects, or no longer."""

    help = (
        "Let somebody make projects on an installation with ASSAY_PROJECT_CREATORS=granted, or no longer. "
        "Projects they have stay theirs. Exit codes: 0 done, 1 there is no such account, 2 usage."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("username")
        parser.add_argument("--revoke", action="store_true", help="take it back")

    def handle(self, *args: Any, **options: Any) -> None:
        """Grant it or take it back."""
        username, grants = options["username"], not options["revoke"]
        people = User.objects.filter(username=username, is_active=True, is_imported=False)
        if not people.update(creates_projects=grants):
            raise CommandError(f"Nobody signs in as “{username}”.", returncode=1)
        self.stdout.write(f"{username} may {'' if grants else 'no longer '}make projects.")
