"""Make an organization with its first owner and its limits."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.projects.services.organizations import create_organization
from commands.arguments import add_limits, find_person, read_limits, refusals


class Command(BaseCommand):
    """Make an organization."""

    help = (
        "Create an organization, which owns projects and has limits. "
        "If you leave out a limit, there is none. "
        "Exit codes: 0 done; 1 the organization cannot be created; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("slug", help="its short name, which identifies it in other commands and the API")
        parser.add_argument("--owner", required=True, metavar="USERNAME", help="who becomes its first owner")
        parser.add_argument(
            "--name", default="", help="its name in the web interface (default: the short name)"
        )
        add_limits(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the organization."""
        with refusals(of_usage=True):
            made = create_organization(
                slug=options["slug"],
                owner=find_person(options["owner"]),
                name=options["name"],
                limits=read_limits(options),
            )
        self.stdout.write(f"Created the organization {made.slug}.")
