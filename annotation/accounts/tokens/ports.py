"""What only later steps know about accounts."""

from collections.abc import Callable
from typing import NamedTuple

from annotation.accounts.models import User
from common.events import Port


@Port
def find_own_project(*, user: User, slug: str, scope: str) -> int:
    """Return the key of a project in which the person is.

    Raises that there is no such project, or that the person's role there allows no token of this scope.
    """
    raise NotImplementedError


class Joined(NamedTuple):
    """A new account, and the short name of the project that it is in."""

    user: User
    slug: str


@Port
def join_by_invitation(*, token: str, make_account: Callable[[], User]) -> Joined | None:
    """Take a new account into the project of an invitation, both or neither; None if the link is of no use.

    make_account: is called in the transaction, while others who would join wait. Raises what it raises, and
    that the project takes nobody more.
    """
    raise NotImplementedError
