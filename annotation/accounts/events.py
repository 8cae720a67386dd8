"""What later steps hear of accounts."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotation.accounts.models import User


@dataclass(frozen=True, kw_only=True)
class AccountClosing:
    """A person leaves. Whoever cannot do without them may refuse."""

    user: "User"


@dataclass(frozen=True, kw_only=True)
class PasswordChanged:
    """A person has a new password; told in the transaction that saves it."""

    user: "User"
