"""Start everything an installation needs: database tables, queue, worker and web server."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from annotation.accounts.models import User
from judges.management import processes


class Command(BaseCommand):
    """Start everything with one command."""

    help = (
        "Prepare the database, then run the web server, the background worker and, unless REDIS_URL is "
        "given, a queue of our own, until Ctrl-C. Exit codes: 0 stopped, 1 cannot start, 2 usage."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--host", default=os.environ.get("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT", "8000")))
        parser.add_argument("--note", action="append", default=[], help="a line to print once it is up")

    def handle(self, *args: Any, **options: Any) -> None:
        """Start, watch, stop."""
        host, port = options["host"], options["port"]
        lock = self._prepare(host=host, port=port)
        supervisor = processes.Supervisor(environment=os.environ, tell=self.stderr.write)
        for service in self._services(host=host, port=port):
            supervisor.start(service)
        self._announce(host=host, port=port, notes=options["note"])
        supervisor.watch()
        lock.close()
        self.stdout.write("Stopped. Everything is kept; the same command goes on from here.")

    def _prepare(self, *, host: str, port: int) -> Any:
        try:
            processes.require_free_port(host=host, port=port)
            lock = processes.lock_folder(settings.DATA_DIR)
        except processes.PortBusyError:
            raise CommandError(
                f"Port {port} is busy. Stop what uses it, or choose another: PORT={port + 1}"
            ) from None
        except processes.AlreadyRunningError:
            raise CommandError("Assay is already running from this data folder. Stop it first.") from None
        call_command("migrate", verbosity=0, interactive=False)
        return lock

    def _services(self, *, host: str, port: int) -> list[processes.Service]:
        services = [
            processes.worker_service(folder=settings.DATA_DIR),
            processes.web_service(host=host, port=port),
        ]
        if "REDIS_URL" not in os.environ:
            socket_path = Path(urlsplit(settings.REDIS_URL).path)
            services.insert(0, processes.redis_service(socket_path=socket_path, folder=settings.DATA_DIR))
        return services

    def _announce(self, *, host: str, port: int, notes: list[str]) -> None:
        shown = "localhost" if host in {"127.0.0.1", "0.0.0.0"} else host  # noqa: S104 (compared, not bound)
        self.stdout.write(f"\nAssay is at http://{shown}:{port}")
        for note in notes:
            self.stdout.write(note)
        if not User.objects.filter(is_imported=False).exists():
            self.stdout.write(
                "There are no accounts yet. Make the first one in another window: make user NAME=you"
            )
        self.stdout.write("Ctrl-C stops everything.\n")
        self.stdout.flush()
