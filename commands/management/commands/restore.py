"""Make a project of a bundle."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from commands.arguments import refusals
from commands.management.commands.create_project import find_lead
from judges.bundles.services.restoring import LIMITS_OF_COMMAND, restore_bundle


class Command(BaseCommand):
    """Restore a project from a file that `bundle` or the Export page wrote."""

    help = (
        "Create a project from a bundle, completely or not at all. On SQLite, nobody else can "
        "save anything until it is done. Exit codes: 0 done, 1 the bundle is damaged or comes from "
        "a newer version, or the address is taken."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--slug", required=True, metavar="NEW", help="the new project's address (slug)")
        parser.add_argument("--lead", default="", metavar="USERNAME", help="who leads the project")
        parser.add_argument(
            "--connect-people",
            action="store_true",
            help=(
                "connect people in the bundle to this server's accounts with the same usernames; "
                "without this option, nobody in the bundle can sign in"
            ),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore it and say where it is."""
        try:
            with options["file"].open("rb") as file, refusals():
                project = restore_bundle(
                    file=file,
                    by=find_lead(options["lead"]),
                    slug=options["slug"],
                    limits=LIMITS_OF_COMMAND,
                    connects=options["connect_people"],
                )
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}.", returncode=1) from None
        self.stdout.write(f"Restored the project {project.slug}.")
