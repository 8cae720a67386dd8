"""Make a connection to a language model for a project."""

import os
import sys
from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.projects.models import Project
from common.errors import DomainError
from judges.connections import rules
from judges.connections.models import Connection
from judges.connections.services.changes import create_connection
from judges.connections.services.client import try_connection

KEY_VARIABLE = "ASSAY_MODEL_KEY"


class Command(BaseCommand):
    """Make a connection; its key never stands among the arguments, which every process can read."""

    help = (
        "Make a connection to a language model, for judges that ask one. The key is read from standard input "
        f"with --key-stdin, else from the environment variable {KEY_VARIABLE}; without either there is none. "
        "Exit codes: 0 done, 1 it cannot be made or, with --try, does not work, 2 usage."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("name", help="what run_judge --connection calls it")
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--url", required=True, help="such as https://api.openai.com/v1")
        parser.add_argument("--model", required=True)
        parser.add_argument(
            "--endpoint", choices=Connection.Endpoint.values, default=Connection.Endpoint.CHAT.value
        )
        parser.add_argument("--key-stdin", action="store_true", help="read the key from standard input")
        parser.add_argument(
            "--input-price", default="0", metavar="USD", help="for a million tokens of a prompt"
        )
        parser.add_argument(
            "--output-price", default="0", metavar="USD", help="for a million tokens of a reply"
        )
        parser.add_argument("--cap", default=None, metavar="USD", help="never spend more than this over it")
        parser.add_argument("--per-minute", type=int, default=None, metavar="N", help="calls, at most")
        parser.add_argument("--parallel", type=int, default=4, metavar="N", help="calls at once (default: 4)")
        parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS", help="default: 60")
        parser.add_argument("--try", action="store_true", help="make one tiny call, and say how it went")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it, and try it if asked to."""
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(f"There is no project “{options['project']}”.", returncode=1)
        try:
            connection = create_connection(project=project, by=project.created_by, **_fields(options))
        except DomainError as error:
            raise CommandError(error.message, returncode=2 if error.kind == "invalid" else 1) from None
        self.stdout.write(f"Made the connection {connection.name} ({connection.public_id}).")
        if options["try"]:
            self._try(connection)

    def _try(self, connection: Connection) -> None:
        trial = try_connection(connection=connection)
        if not trial.works:
            raise CommandError(f"It does not work: {trial.error}", returncode=1)
        self.stdout.write(f"{trial.model} answered in {trial.seconds or 0:.1f} s.")


def _fields(options: dict[str, Any]) -> dict[str, Any]:
    counts = {
        "per_minute": options["per_minute"],
        "parallel": options["parallel"],
        "timeout": options["timeout"],
    }
    for name, count in counts.items():
        if count is not None and count < 1:
            raise CommandError(f"--{name.replace('_', '-')} {count}: at least 1.", returncode=2)
    return {
        "name": options["name"],
        "base_url": options["url"],
        "model": options["model"],
        "endpoint": options["endpoint"],
        "key": _key(from_input=options["key_stdin"]),
        "input_price": _amount(options["input_price"], is_price=True),
        "output_price": _amount(options["output_price"], is_price=True),
        "spend_cap": None if options["cap"] is None else _amount(options["cap"], is_price=False),
        "requests_per_minute": counts["per_minute"],
        "parallel_calls": counts["parallel"],
        "timeout_seconds": counts["timeout"],
    }


def _key(*, from_input: bool) -> str:
    return (sys.stdin.readline() if from_input else os.environ.get(KEY_VARIABLE, "")).strip()


def _amount(text: str, *, is_price: bool) -> int:
    read = rules.price_from_usd if is_price else rules.pico_from_usd
    try:
        return read(Decimal(text))
    except (InvalidOperation, rules.UnusableAmount):
        raise CommandError(f"{text}: give it in USD, such as 2.50.", returncode=2) from None
