"""Delete an organization that no project is in."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.projects.services.organizations import delete_organization
from commands.arguments import find_organization, refusals


class Command(BaseCommand):
    """Delete an organization."""

    help = (
        "Delete an organization that has no projects. Its members’ accounts are kept, but the organization’s "
        "spending record is deleted. "
        "Exit codes: 0 done; 1 there is no such organization or it has projects; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("slug", help="its short name")

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete the organization."""
        organization = find_organization(options["slug"])
        with refusals():
            delete_organization(organization=organization)
        self.stdout.write(f"Deleted the organization {organization.slug}.")
