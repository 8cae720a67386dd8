"""Arguments of commands: the project, person, file or amount that each names, and refusals as exit codes."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, OutputWrapper

from annotation.accounts.models import User
from annotation.projects.models import Organization, Project
from annotation.release.services import WrittenFile, write_file
from common.errors import DomainError
from judges.connections.rules import calls
from judges.connections.rules.calls import UnusableAmount


def find_project(slug: str) -> Project:
    """Return the project; ends the command with 1 where there is none."""
    project = Project.objects.select_related("protocol", "created_by").filter(slug=slug).first()
    if project is None:
        raise CommandError(f"The project “{slug}” does not exist.", returncode=1)
    return project


def find_person(username: str) -> User:
    """Return somebody who can sign in; ends the command with 1 where there is nobody."""
    user = User.objects.filter(username=username, is_active=True, is_imported=False).first()
    if user is None:
        raise CommandError(f"The account “{username}” does not exist.", returncode=1)
    return user


def find_organization(slug: str) -> Organization:
    """Return the organization; ends the command with 1 where there is none."""
    found = Organization.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(f"The organization “{slug}” does not exist.", returncode=1)
    return found


NO_LIMIT = "none"
LARGEST_LIMIT = 2_147_483_647
LIMITS = {
    "projects": ("most_projects", "open projects"),
    "answers": ("most_answers", "answers across all of its projects"),
    "people": ("most_people", "accounts that are in it or take part in its open projects"),
}


def add_limits(parser: ArgumentParser) -> None:
    """Declare a limit of an organization for each of `LIMITS`, and that of what it spends."""
    parser.add_argument(
        "--monthly-usd",
        metavar="USD",
        help=f"maximum spending on language models per calendar month (UTC); “{NO_LIMIT}” for no limit",
    )
    for option, (_, words) in LIMITS.items():
        parser.add_argument(
            f"--{option}", metavar="N", help=f"maximum number of {words}; “{NO_LIMIT}” for no limit"
        )


def read_limits(options: Mapping[str, Any]) -> dict[str, int | None]:
    """Return the limits that were given, by their fields; ends the command with 2 for what is no number."""
    limits = {
        field: _read_limit(option, options[option])
        for option, (field, _) in LIMITS.items()
        if options[option] is not None
    }
    if (usd := options["monthly_usd"]) is not None:
        limits["monthly_spend_cap"] = (
            None if usd == NO_LIMIT else read_usd("--monthly-usd", usd, calls.pico_from_usd)
        )
    return limits


def _read_limit(option: str, text: str) -> int | None:
    if text == NO_LIMIT:
        return None
    if not (text.isdecimal() and text.isascii() and int(text[:20]) <= LARGEST_LIMIT):
        raise CommandError(
            f"--{option} {text}: enter “{NO_LIMIT}” or a whole number up to {LARGEST_LIMIT:,}.", returncode=2
        )
    return int(text)


@contextmanager
def refusals(*, of_usage: bool = False) -> Iterator[None]:
    """End the command with what was refused, and 1; of_usage: with 2 where what was given is invalid."""
    try:
        yield
    except DomainError as error:
        code = 2 if of_usage and error.kind == "invalid" else 1
        raise CommandError(error.message, returncode=code) from None


def write_release(project: Project, *, format_key: str, path: Path) -> WrittenFile:
    """Write a file of a project; ends the command with 1 where it cannot be written."""
    try:
        return write_file(project=project, format_key=format_key, path=path)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}.", returncode=1) from None


def teller(out: OutputWrapper, verbosity: int) -> Callable[[str], None]:
    """Return what prints how far a long command is, at once; nothing with --verbosity 0."""

    def tell(line: str) -> None:
        if verbosity:
            out.write(line)
            out.flush()

    return tell


def read_usd(option: str, text: str, read: Callable[[Decimal], int]) -> int:
    """Return an amount of money; ends the command with 2 where it is none."""
    try:
        return read(Decimal(text))
    except (InvalidOperation, UnusableAmount):
        raise CommandError(f"{option} {text}: enter an amount in USD, such as 2.50.", returncode=2) from None
