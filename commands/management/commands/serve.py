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


class Command(BaseCommand):
    """Start everything with one command."""

    help = (
        "Prepare the database, then run the web server, the background worker and, unless REDIS_URL is "
        "set, a queue, until Ctrl-C. Exit codes: 0 stopped, 1 cannot start, 2 usage."
    )

    started_with = "make run"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--host", default=os.environ.get("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=os.environ.get("PORT", "8000"))

    def handle(self, *args: Any, **options: Any) -> None:
        """Start, watch, stop."""
        host, port = options["host"], options["port"]
        environment = {**os.environ, "ASSAY_STARTED_WITH": self.started_with}
        with (
            processes.lock_folder(settings.DATA_DIR),
            processes.hold_port(host=host, port=port),
            processes.Supervisor(environment=environment, tell=self._tell) as supervisor,
        ):
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
        self._tell("Stopped. Everything is kept; run the same command to continue.")

    def prepare_content(self) -> None:
        """Bring in what should be there before anybody looks; here nothing."""

    def notes(self) -> list[str]:
        """Return the lines to print below the address."""
        if User.objects.filter(is_imported=False).exists():
            return []
        return ["There are no accounts yet. Create the first one in another window: make user NAME=you"]

    def _announce(self, *, host: str, port: int) -> None:
        shown = "localhost" if host in {"127.0.0.1", "0.0.0.0"} else host  # noqa: S104 (compared, not bound)
        self._tell(
            "\n".join(["", f"Assay is at http://{shown}:{port}", *self.notes(), "Ctrl-C stops everything."])
        )

    def _tell(self, message: str) -> None:
        self.stdout.write(message)
        self.stdout.flush()
