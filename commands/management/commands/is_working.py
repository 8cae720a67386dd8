"""Say whether the worker or the clock works, for whoever watches their containers."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from judges.runs.selectors.progress import Lack, background_lack

WRONG = {
    Lack.WORKER: "no worker responds",
    Lack.CLOCK: "the scheduler has not run for 15 seconds",
}


class Command(BaseCommand):
    """Exit with 1 where the process does not do its work."""

    help = (
        "Check whether background work is running, as the Docker Compose health checks do. Exit "
        "codes: 0 running; 1 not running or unknown; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("process", choices=[str(lack) for lack in WRONG])

    def handle(self, *args: Any, **options: Any) -> None:
        """Look at the row that the sweeper renews; where that is late, ask."""
        try:
            lack = background_lack()
        except DatabaseError:
            raise CommandError("the database cannot be reached", returncode=1) from None
        # Without a worker nobody can say whether the clock rings.
        if lack is not Lack.NOTHING and lack in {Lack(options["process"]), Lack.WORKER}:
            raise CommandError(WRONG[lack], returncode=1)
        self.stdout.write(f"the {options['process']} is running")
