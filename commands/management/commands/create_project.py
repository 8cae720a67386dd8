"""Make a project under a ready-made protocol."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.accounts.models import User
from annotation.projects.models import Project
from annotation.projects.presets import all_presets
from annotation.projects.services.making import create_project
from commands.arguments import find_organization, refusals


class Command(BaseCommand):
    """Make a project."""

    help = (
        "Create a project from a preset, led by --lead (default: the first account). Exit "
        "codes: 0 done; 1 the project cannot be created; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument(
            "slug", help="the project’s address (slug), which other commands take as --project"
        )
        parser.add_argument(
            "--protocol",
            required=True,
            choices=[preset.key for preset in all_presets()],
            help="how people judge; can be changed later on the Protocol page",
        )
        parser.add_argument(
            "--name", default="", help="the project’s name in the web interface (default: the slug)"
        )
        parser.add_argument(
            "--pooling",
            default=Project.Pooling.NORMALIZED.value,
            choices=Project.Pooling.values,
            help="which answers to one question count as the same answer (default: %(default)s)",
        )
        parser.add_argument(
            "--cleaning",
            default=Project.Cleaning.NONE.value,
            choices=Project.Cleaning.values,
            help="what to remove from answers before they are judged; “chat” removes bold marks, citation "
            "numbers, greetings, offers of help, and the list of sources (default: %(default)s)",
        )
        parser.add_argument("--lead", default="", metavar="USERNAME", help="who leads the project")
        parser.add_argument(
            "--organization",
            default="",
            metavar="SLUG",
            help="the organization whose limits apply to the project (default: none)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the project."""
        with refusals():
            project = create_project(
                lead=find_lead(options["lead"]),
                name=options["name"] or options["slug"],
                slug=options["slug"],
                preset=options["protocol"],
                pooling=options["pooling"],
                cleaning=options["cleaning"],
                organization=find_organization(options["organization"]) if options["organization"] else None,
            )
        self.stdout.write(f"Created the project {project.slug}.")


def find_lead(username: str) -> User:
    """Return the named account, else the first one a person made; raises `CommandError`."""
    people = User.objects.filter(is_imported=False).order_by("pk")
    found = people.filter(username=username).first() if username else people.first()
    if found is None:
        what = f"The account “{username}” does not exist." if username else "There are no accounts yet."
        raise CommandError(f"{what} Create one first: manage.py create_user NAME", returncode=1)
    return found
