"""Errors a user can act on; `common.web.http` maps their kinds to statuses."""

import re
from typing import Any, ClassVar


class DomainError(Exception):
    """Something the user asked for cannot be done, and the message says why and what to do.

    `code` is stable and meant for programs, `message` for people; `details` is JSON-ready. The code is the
    class's name, `RunNotFound` as `run_not_found`, unless the class says another: whoever renames an error
    keeps the code, since programs and translations go by it.
    """

    kind: ClassVar[str]
    code: ClassVar[str]

    def __init_subclass__(cls) -> None:
        """Take the code from the name, where none is said."""
        super().__init_subclass__()
        if "code" not in vars(cls):
            cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self, message: str, *, code: str = "", details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.error_code = code or self.code
        self.details = details or {}


class NotFound(DomainError):
    """There is no such thing, or the user may not know of it."""

    kind = "not_found"


class Unauthenticated(DomainError):
    """Nobody is let in with what was sent to say who asks."""

    kind = "unauthenticated"


class Forbidden(DomainError):
    """The user may see the thing but not do this to it."""

    kind = "forbidden"


class Conflict(DomainError):
    """The thing is not in a state that allows this, often because somebody else was faster."""

    kind = "conflict"


class Unprocessable(DomainError):
    """The input can be read, and contradicts what was said before."""

    kind = "unprocessable"


class TooMany(DomainError):
    """There were too many of these in a short time, or too many are waiting."""

    kind = "too_many"


class TooLarge(DomainError):
    """There is no room for so much."""

    kind = "too_large"


class Invalid(DomainError):
    """The input is wrong; details name the place."""

    kind = "invalid"
