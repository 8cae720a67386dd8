"""Change an organization’s limits, name or owners."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.projects.services.organizations import change_organization, make_owner
from commands.arguments import add_limits, find_organization, find_person, read_limits, refusals


class Command(BaseCommand):
    """Change an organization."""

    help = (
        "Change an organization. A limit below current use removes nothing; it only prevents additions. "
        "Exit codes: 0 done; 1 there is no such organization or account; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("slug", help="its short name")
        parser.add_argument("--name", default="", help="its new name in the web interface")
        parser.add_argument("--owner", default="", metavar="USERNAME", help="who becomes an additional owner")
        add_limits(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Change the organization."""
        organization = find_organization(options["slug"])
        limits = read_limits(options)
        owner = find_person(options["owner"]) if options["owner"] else None
        with refusals(of_usage=True):
            change_organization(organization=organization, name=options["name"], limits=limits)
        if owner is not None:
            make_owner(organization=organization, user=owner)
        self.stdout.write(f"Changed the organization {organization.slug}.")
