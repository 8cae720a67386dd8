"""What goes wrong between a program and a server, typed; the words are the server's."""

from collections.abc import Mapping
from typing import Any


class AssayError(Exception):
    """Anything that the client raises on purpose."""


class ConnectionLost(AssayError):
    """The server could not be reached, or the connection broke: a write may have been carried out or not."""


class NotAssay(AssayError):
    """What answered at the address is not Assay, or not this version's API."""


class WorkFailed(AssayError):
    """An import, a run or an export came to an end without doing what was asked."""


class TookTooLong(AssayError):
    """The work was not done in time; it goes on at the server."""


class Refused(AssayError):
    """The server refused a request: status of HTTP, stable `code`, its message, and details by field."""

    def __init__(self, *, status: int, code: str, message: str, details: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details = details

    def __str__(self) -> str:
        """Return the message, and what is wrong with each field."""
        fields = self.details.get("fields")
        if not isinstance(fields, Mapping):
            return self.message
        told = (
            f"{name}: {' '.join(map(str, said)) if isinstance(said, list) else said}"
            for name, said in fields.items()
        )
        return " ".join([self.message, *told])


class Invalid(Refused):
    """400: the request is not valid."""


class NotSignedIn(Refused):
    """401: the token is not valid, has expired, or was revoked."""


class Forbidden(Refused):
    """403: the role, or the token's scope or project, does not allow this."""


class NotFound(Refused):
    """404: there is no such thing, or you may not know of it."""


class Conflict(Refused):
    """409: the thing is not in a state that allows this."""


class ServerFailed(Refused):
    """500 and above: the server failed, its database does not respond, or its disk is full."""


BY_STATUS: dict[int, type[Refused]] = {
    400: Invalid,
    401: NotSignedIn,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
}
