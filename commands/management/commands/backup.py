"""Save a whole server to one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from commands.arguments import refusals, teller
from commands.backups.writing import write_backup


class Command(BaseCommand):
    """Back the server up, while people work."""

    help = (
        "Save every row of the database and all stored files to one file. The server can keep running. "
        "The command “restore” restores this backup, on SQLite or PostgreSQL, regardless of which was "
        "backed up. The backup does "
        "not contain sessions, counts of wrong passwords, or the secret key. The API keys in the backup are "
        "encrypted with the secret key. "
        "Exit codes: 0 done; 1 the database has no tables or the file cannot be written; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("file", type=Path, metavar="FILE", help="the file to write, such as assay.zip")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file, and say what is in it and what is not."""
        path = options["file"]
        try:
            with refusals():
                written = write_backup(path=path, tell=teller(self.stdout, options["verbosity"]))
        except OSError as error:
            raise CommandError(f"{error.filename or path}: {error.strerror}.", returncode=1) from None
        self.stdout.write(
            f"{path}: {written.rows:,} rows from {written.tables} tables and {written.files:,} stored files, "
            f"{written.bytes:,} bytes."
        )
        if written.missing:
            files_do = (
                "1 stored file is listed in the database but does"
                if written.missing == 1
                else f"{written.missing:,} stored files are listed in the database but do"
            )
            self.stdout.write(f"{files_do} not exist.")
        self.stdout.write(
            "The backup does not contain the secret key. Without that key, connections’ keys, webhook "
            "secrets, and authenticator app keys cannot be used after a restore. Keep a copy of the secret "
            "key in another place: "
            f"{place_of_secret_key()}."
        )


def place_of_secret_key() -> Path | str:
    """Return where the server's secret key is."""
    path = Path(settings.DATA_DIR) / "secret-key"
    own = path.is_file() and path.read_text(encoding="utf-8").strip() == settings.SECRET_KEY
    return path if own else "the setting SECRET_KEY"
