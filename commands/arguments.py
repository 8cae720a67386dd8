"""Arguments of commands: the project, person, file or amount that each names, and refusals as exit codes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path

from django.core.management.base import CommandError

from annotation.accounts.models import User
from annotation.projects.models import Project
from annotation.release.services import WrittenFile, write_file
from common.errors import DomainError
from judges.connections.rules.calls import UnusableAmount


def find_project(slug: str) -> Project:
    """Return the project; ends the command with 1 where there is none."""
    project = Project.objects.select_related("protocol", "created_by").filter(slug=slug).first()
    if project is None:
        raise CommandError(f"There is no project “{slug}”.", returncode=1)
    return project


def find_person(username: str) -> User:
    """Return somebody who can sign in; ends the command with 1 where there is nobody."""
    user = User.objects.filter(username=username, is_active=True, is_imported=False).first()
    if user is None:
        raise CommandError(f"There is no account “{username}”.", returncode=1)
    return user


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


def read_usd(option: str, text: str, read: Callable[[Decimal], int]) -> int:
    """Return an amount of money; ends the command with 2 where it is none."""
    try:
        return read(Decimal(text))
    except (InvalidOperation, UnusableAmount):
        raise CommandError(f"{option} {text}: enter an amount in USD, such as 2.50.", returncode=2) from None
