"""Become the web server alone, where something else starts and watches the other processes."""

import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from commands import processes


class Command(BaseCommand):
    """Become the web server."""

    help = (
        "Run only the web server, for containers and service managers that start the worker and the "
        "scheduler separately. Exit codes: those of the server; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument(
            "--host", default="127.0.0.1", help="the host to listen on (default: %(default)s)"
        )
        parser.add_argument(
            "--port", type=int, default=8000, help="the port to listen on (default: %(default)s)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Let the server take this process's place, so that signals reach it."""
        command = web_of_settings(host=options["host"], port=options["port"]).command
        os.execv(command[0], command)  # noqa: S606 (our own command)


def web_of_settings(*, host: str, port: int) -> processes.Service:
    """Return the web server as the settings want it."""
    return processes.web_service(
        host=host,
        port=port,
        patience_seconds=settings.ASSAY_CLIENT_PATIENCE_SECONDS,
        workers=settings.ASSAY_WEB_PROCESSES,
    )
