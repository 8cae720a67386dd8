"""Start everything an installation needs: database tables, queue, worker and web server."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from annotation.accounts.models import User
from commands import processes
from commands.management.commands.serve_web import web_of_settings
from common.database.versions import begin_with_tables
from common.web.starting import CannotStart, start_of_commands


class Command(BaseCommand):
    """Start everything with one command."""

    help = (
        "Prepare the database, then run the web server, the background worker, and, unless REDIS_URL is "
        "set, a queue. Ctrl-C stops them. Exit codes: 0 stopped; 1 cannot start; 2 usage error."
    )

    started_with = "make run"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument(
            "--host",
            default=os.environ.get("HOST", "127.0.0.1"),
            help="the host to listen on (default: HOST, or 127.0.0.1)",
        )
        parser.add_argument(
            "--port",
            type=int,
            default=os.environ.get("PORT", "8000"),
            help="the port to listen on (default: PORT, or 8000)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Start, watch, stop."""
        host, port = options["host"], options["port"]
        with (
            processes.lock_folder(settings.DATA_DIR),
            processes.hold_port(host=host, port=port),
            processes.Supervisor(
                environment=self._environment(), folder=working_folder(), tell=self._tell
            ) as supervisor,
        ):
            begin_with_tables()
            call_command("migrate", verbosity=0, interactive=False)
            if not os.environ.get("REDIS_URL"):
                path = Path(urlsplit(settings.REDIS_URL).path)
                supervisor.start(processes.redis_service(socket_path=path, folder=settings.DATA_DIR))
            self.prepare_content()
            supervisor.start(processes.worker_service())
            supervisor.start(processes.clock_service(folder=settings.DATA_DIR))
            supervisor.start(web_of_settings(host=host, port=port))
            if supervisor.wait_for_port(host=host, port=port):
                self._announce(host=host, port=port)
            supervisor.watch()
        self._tell("Stopped. Your data is saved. To start again, run the same command.")

    def _environment(self) -> dict[str, str]:
        # The processes may start in another folder than this one.
        own = {"ASSAY_DATA": str(settings.DATA_DIR)} if settings.IS_WHEEL else {}
        return {"ASSAY_STARTED_WITH": self.started_with, **os.environ, **own}

    def prepare_content(self) -> None:
        """Bring in what should be there before anybody looks; here nothing."""

    def notes(self) -> list[str]:
        """Return the lines to print below the address."""
        if User.objects.filter(is_imported=False).exists():
            return []
        command = f"{start_of_commands()} create_user you" if settings.IS_WHEEL else "make user NAME=you"
        return [f"There are no accounts yet. Create the first one in another window: {command}"]

    def _announce(self, *, host: str, port: int) -> None:
        shown = "localhost" if host in {"127.0.0.1", "0.0.0.0"} else host  # noqa: S104 (compared, not bound)
        self._tell(
            "\n".join(["", f"Assay is at http://{shown}:{port}", *self.notes(), "Press Ctrl-C to stop."])
        )

    def _tell(self, message: str) -> None:
        self.stdout.write(message)
        self.stdout.flush()


def working_folder() -> Path | None:
    """Return the folder that the processes of a wheel start in; None: the one that they are started from.

    Celery and Granian look for modules in their folder first, and ours have names that a user's folder may
    have, too (docs/decisions/0051).
    """
    if not settings.IS_WHEEL:
        return None
    database = settings.DATABASES["default"]
    if "sqlite" in database["ENGINE"] and not Path(database["NAME"]).is_absolute():
        raise CannotStart(
            "DATABASE_URL: enter the absolute path of the file, such as sqlite:////srv/assay.sqlite3."
        )
    return Path(settings.CODE_DIR)
