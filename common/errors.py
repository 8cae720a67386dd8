"""Errors a user can act on; `common.web.http` maps their kinds to statuses."""

from typing import Any, ClassVar


class DomainError(Exception):
    """Something the user asked for cannot be done, and the message says why and what to do.

    `code` is stable and meant for programs, `message` for people; `details` is JSON-ready.
    """

    kind: ClassVar[str]
    code: ClassVar[str] = ""

    def __init__(self, message: str, *, code: str = "", details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.error_code = code or self.code or self.kind
        self.details = details or {}


class NotFound(DomainError):
    """There is no such thing, or the user may not know of it."""

    kind = "not_found"


class Forbidden(DomainError):
    """The user may see the thing but not do this to it."""

    kind = "forbidden"


class Conflict(DomainError):
    """The thing is not in a state that allows this, often because somebody else was faster."""

    kind = "conflict"


class TooMany(DomainError):
    """There were too many of these in a short time, or too many are waiting."""

    kind = "too_many"


class TooLarge(DomainError):
    """There is no room for so much."""

    kind = "too_large"


class Invalid(DomainError):
    """The input is wrong; details name the place."""

    kind = "invalid"
