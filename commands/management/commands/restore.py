"""Make a project of a bundle, or a server of a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from commands.arguments import refusals, teller
from commands.backups.reading import is_of_a_server
from commands.backups.restoring import check_backup, restore_backup
from commands.management.commands.create_project import find_lead
from judges.bundles.services.restoring import LIMITS_OF_COMMAND, restore_bundle

OF_BUNDLES = ("slug", "lead", "connect_people")


class Command(BaseCommand):
    """Restore what `backup`, `bundle` or the Export page wrote."""

    help = (
        "Restore a whole server from a backup into an empty database, or one project from a bundle (with "
        "--slug), completely or not at all. Stop the server before you restore a backup. On SQLite, nobody "
        "else can save anything while a bundle is being restored. Exit codes: 0 done; 1 the file is damaged "
        "or comes from a newer version, the database is not empty, or the address is taken; 2 usage error."
    )
    # There may be no tables yet.
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("file", type=Path, metavar="FILE", help="a file from `backup` or `bundle`")
        parser.add_argument(
            "--check", action="store_true", help="backup: only read it and check it; write nothing"
        )
        parser.add_argument(
            "--slug", default="", metavar="NEW", help="bundle: the new project’s address (slug)"
        )
        parser.add_argument("--lead", default="", metavar="USERNAME", help="bundle: who leads the project")
        parser.add_argument(
            "--connect-people",
            action="store_true",
            help=(
                "bundle: connect people in it to this server’s accounts with the same usernames; "
                "without this option, nobody in the bundle can sign in"
            ),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore it and say what is there now."""
        try:
            with options["file"].open("rb") as file:
                self._restore(file, options)
        except OSError as error:
            raise CommandError(
                f"{error.filename or options['file']}: {error.strerror}.", returncode=1
            ) from None

    def _restore(self, file: IO[bytes], options: dict[str, Any]) -> None:
        given = [f"--{name.replace('_', '-')}" for name in OF_BUNDLES if options[name]]
        if is_of_a_server(file):
            if given:
                raise CommandError(
                    f"This is a backup of a whole server. To restore it, leave out {given[0]}.", returncode=2
                )
            self._restore_server(file, options)
        elif options["slug"] and not options["check"]:
            self._restore_project(file, options)
        elif given or options["check"]:
            raise CommandError(
                "This is not a backup of a whole server. To restore a bundle of one project, add --slug "
                "NEW and leave out --check.",
                returncode=2,
            )
        else:
            raise CommandError(
                "This is not a backup of a whole server, or it is damaged. To restore a bundle of one "
                "project, add --slug NEW.",
                returncode=2,
            )

    def _restore_project(self, file: IO[bytes], options: dict[str, Any]) -> None:
        with refusals():
            project = restore_bundle(
                file=file,
                by=find_lead(options["lead"]),
                slug=options["slug"],
                limits=LIMITS_OF_COMMAND,
                connects=options["connect_people"],
            )
        self.stdout.write(f"Restored the project {project.slug}.")

    def _restore_server(self, file: IO[bytes], options: dict[str, Any]) -> None:
        act = check_backup if options["check"] else restore_backup
        with refusals():
            found = act(file=file, tell=teller(self.stdout, options["verbosity"]))
        done = "The file is intact" if options["check"] else "Restored"
        self.stdout.write(
            f"{done}: {found.rows:,} rows and {found.files:,} stored files, backed up at "
            f"{found.manifest.made_at[:19]} UTC (Assay {found.manifest.assay})."
        )
        if not found.is_readable:
            self.stdout.write(WITHOUT_KEY)


WITHOUT_KEY = (
    "This server’s secret key differs from the one used when the backup was made. Connections’ keys, webhook "
    "secrets, and authenticator app keys cannot be used until you put the former key back: into secret-key "
    "in the data folder, or into SECRET_KEY or SECRET_KEY_FALLBACKS. If you no longer have it, enter the "
    "keys and set up webhooks and two-factor authentication again."
)
