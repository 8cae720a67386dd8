"""Make a connection to a language model for a project."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from commands.arguments import find_project, read_usd, refusals
from judges.connections.models import Connection
from judges.connections.rules import apis, calls
from judges.connections.services.changes import create_connection
from judges.connections.services.client import try_connection

KEY_VARIABLE = "ASSAY_MODEL_KEY"


class Command(BaseCommand):
    """Make a connection; its key never stands among the arguments, which every process can read."""

    help = (
        "Create a connection to a language model, for judges that use one. Reads the key from standard "
        f"input with --key-stdin; otherwise, from the environment variable {KEY_VARIABLE}. Without "
        "either, the connection has no key. Exit codes: 0 done; 1 the connection cannot be created or, "
        "with --try, does not work; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("name", help="the connection’s name, to use with run_judge --connection")
        parser.add_argument("--project", required=True, metavar="SLUG", help="the project’s address (slug)")
        parser.add_argument("--api", choices=list(apis.APIS), default=apis.OPENAI, help="default: openai")
        parser.add_argument(
            "--url",
            help="such as https://api.openai.com/v1 (default: the provider’s own, where there is one)",
        )
        parser.add_argument(
            "--model", required=True, help="the provider’s name for the model, or a local model’s name"
        )
        parser.add_argument(
            "--endpoint", choices=Connection.Endpoint.values, default=Connection.Endpoint.CHAT.value
        )
        parser.add_argument("--key-stdin", action="store_true", help="read the key from standard input")
        parser.add_argument(
            "--input-price", default="0", metavar="USD", help="price per million input tokens"
        )
        parser.add_argument(
            "--output-price", default="0", metavar="USD", help="price per million output tokens"
        )
        parser.add_argument(
            "--cap", default=None, metavar="USD", help="maximum spending through this connection"
        )
        parser.add_argument(
            "--per-minute", type=int, default=None, metavar="N", help="maximum calls per minute"
        )
        parser.add_argument(
            "--parallel", type=int, default=4, metavar="N", help="maximum concurrent calls (default: 4)"
        )
        parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS", help="default: 60")
        parser.add_argument("--try", action="store_true", help="make one small call and print the result")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it, and try it if asked to."""
        project = find_project(options["project"])
        with refusals(of_usage=True):
            connection = create_connection(project=project, by=project.created_by, **_fields(options))
        self.stdout.write(f"Created the connection {connection.name} ({connection.public_id}).")
        if options["try"]:
            self._try(connection)

    def _try(self, connection: Connection) -> None:
        trial = try_connection(connection=connection)
        if not trial.works:
            raise CommandError(f"The connection does not work: {trial.error}", returncode=1)
        if trial.seconds is None:
            self.stdout.write(
                f"{trial.model} is offered on this server. A worker loads it when a run starts."
            )
        else:
            self.stdout.write(f"{trial.model} responded in {trial.seconds:.1f} s.")


def _fields(options: dict[str, Any]) -> dict[str, Any]:
    counts = {
        "per_minute": options["per_minute"],
        "parallel": options["parallel"],
        "timeout": options["timeout"],
    }
    for name, count in counts.items():
        if count is not None and count < 1:
            raise CommandError(f"--{name.replace('_', '-')} {count}: must be at least 1.", returncode=2)
    url = options["url"] or apis.APIS[options["api"]].base_url
    if not url and options["api"] != apis.LOCAL:
        raise CommandError("--url: required for an OpenAI-compatible API.", returncode=2)
    return {
        "name": options["name"],
        "api": options["api"],
        "base_url": url,
        "model": options["model"],
        "endpoint": options["endpoint"],
        "key": (sys.stdin.readline() if options["key_stdin"] else os.environ.get(KEY_VARIABLE, "")).strip(),
        "input_price": read_usd("--input-price", options["input_price"], calls.price_from_usd),
        "output_price": read_usd("--output-price", options["output_price"], calls.price_from_usd),
        "spend_cap": None
        if options["cap"] is None
        else read_usd("--cap", options["cap"], calls.pico_from_usd),
        "requests_per_minute": counts["per_minute"],
        "parallel_calls": counts["parallel"],
        "timeout_seconds": counts["timeout"],
    }
