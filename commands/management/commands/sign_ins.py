"""Who signed in, from where, and what else changed who can, as far back as the log goes."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from annotation.accounts.models import AccountEvent
from annotation.accounts.selectors import count_unknown_tries, list_all_events, list_events
from annotation.release.rules import csv_lines
from commands.arguments import find_person

COLUMNS = ("at", "username", "kind", "client", "user_agent")
SHOWN = 50


class Command(BaseCommand):
    """List sign-ins."""

    help = (
        "List sign-ins, failed sign-ins, sign-outs, and changes to passwords and API tokens, newest first. "
        "Usernames that do not exist are only counted. Exit codes: 0 done; 1 there is no such account; 2 "
        "usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("username", nargs="?", help="only this account")
        parser.add_argument(
            "--csv", action="store_true", help=f"all of them as CSV; otherwise the latest {SHOWN}, as text"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """List them."""
        username = options["username"]
        events = list_events(user=find_person(username)) if username else list_all_events()
        if options["csv"]:
            rows = _rows(events.iterator(chunk_size=1_000))
            self.stdout.writelines(csv_lines(chain([COLUMNS], rows)))
            return
        for at, *words in _rows(iter(events[:SHOWN])):
            self.stdout.write("  ".join([at[:19].replace("T", " "), *filter(None, words)]))
        if not username:
            self.stdout.write(
                f"Failed sign-ins with usernames that do not exist, "
                f"in the last {settings.ASSAY_SIGN_IN_DAYS} days: {count_unknown_tries():,}"
            )


def _rows(events: Iterable[AccountEvent]) -> Iterator[list[str]]:
    for each in events:
        # Nobody's are counted, and not listed.
        username = each.user.username if each.user else ""
        kind = AccountEvent.Kind(each.kind)
        yield [each.at.isoformat(), username, str(kind.label), each.client, each.user_agent]
