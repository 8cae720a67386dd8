"""What an API token may do."""

import re
from typing import NamedTuple

# Each scope allows what those before it allow.
SCOPES = ("read", "run", "write", "manage")
TOKEN = re.compile(r"assay_([a-z0-9]{14})_([0-9a-f]{48})")


class PresentedToken(NamedTuple):
    """The two parts of an API token: one that finds it, and one that nobody but its holder knows."""

    public_id: str
    secret: str

    @property
    def text(self) -> str:
        """The token as programs send it."""
        return f"assay_{self.public_id}_{self.secret}"


def parse_token(text: str) -> PresentedToken | None:
    """Return the parts of an API token, or None where the text is none."""
    found = TOKEN.fullmatch(text)
    return PresentedToken(*found.groups()) if found else None


def is_allowed(*, scope: str, needed: str) -> bool:
    """Return whether a token of one scope may do what needs another."""
    return SCOPES.index(scope) >= SCOPES.index(needed)


def why_refused(
    *,
    scope: str,
    project: str | None,
    needed: str | None,
    named: str | None,
    serves_project_tokens: bool,
) -> str | None:
    """Say why a token does not allow a request; None where it does.

    scope: the token's. project: the short name of the only one that it is for, None for all. needed: the
    scope that the request needs; None where no token is let in. named: the project that the address names, if
    any. serves_project_tokens: whether a token for one project is enough.
    """
    if needed is None:
        return "API tokens do not work here. Sign in instead."
    if not is_allowed(scope=scope, needed=needed):
        return (
            f"This API token has the scope “{scope},” but this request needs the scope “{needed}” or "
            "a wider one."
        )
    if project is None:
        return None
    if named not in {None, project}:
        return "This API token is for another project."
    if not serves_project_tokens:
        return "This API token is for one project only. This request needs a token for all projects."
    return None
