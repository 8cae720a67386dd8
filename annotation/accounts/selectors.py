"""Read accounts."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.tokens import PasswordResetTokenGenerator, default_token_generator
from django.db.models import QuerySet
from django.utils.http import base36_to_int

from annotation.accounts.models import AccountEvent, Mailbox, User
from common.errors import NotFound


class PasswordLinkUnusable(NotFound):
    """The link was used, has expired or never was."""

    def __init__(self) -> None:
        super().__init__(
            "This link was already used or has expired. Request a new one on the sign-in page, or ask the "
            "person who gave it to you for a new one."
        )


# By email; one that an administrator made works for `PASSWORD_RESET_TIMEOUT`.
MAILED_LINK_LASTS = timedelta(hours=1)
MAILED = "mail."


class MailedLinks(PasswordResetTokenGenerator):
    """Tokens of links that are sent by email: for an hour, and only while the address is the person's."""

    key_salt = "annotation.accounts.selectors.MailedLinks"

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        address = Mailbox.objects.filter(user=user).values_list("address", flat=True).first()
        return f"{super()._make_hash_value(user, timestamp)}{address or ''}"

    def check_token(self, user: Any, token: str | None) -> bool:
        """Return whether a token is the person's and young enough."""
        if not token or not super().check_token(user, token):
            return False
        made_at = base36_to_int(token.partition("-")[0])
        age: int = self._num_seconds(self._now()) - made_at
        return age <= MAILED_LINK_LASTS.total_seconds()


mailed_links = MailedLinks()


def make_mailed_token(*, user: User) -> str:
    """Return the token of a link that sets a new password once, for sending by email.

    Nothing is stored: it holds a hash of the present password, address and last sign-in, so what changes one
    of them ends it.
    """
    return f"{user.public_id}.{MAILED}{mailed_links.make_token(user)}"


def is_mailed_token(token: str) -> bool:
    """Return whether a link's token was made for sending by email."""
    return token.partition(".")[2].startswith(MAILED)


def get_user_by_link(*, token: str) -> User:
    """Return whose password the link sets; raises `PasswordLinkUnusable`."""
    public_id, _, secret = token.partition(".")
    user = User.objects.filter(public_id=public_id, is_active=True, is_imported=False).first()
    tokens = mailed_links if is_mailed_token(token) else default_token_generator
    if user is None or not tokens.check_token(user, secret.removeprefix(MAILED)):
        raise PasswordLinkUnusable
    return user


def list_events(*, user: User) -> QuerySet[AccountEvent]:
    """Return what happened at a person's account, newest first."""
    return list_all_events().filter(user=user)


def list_all_events() -> QuerySet[AccountEvent]:
    """Return what happened at all accounts, newest first."""
    events = AccountEvent.objects.filter(user__isnull=False).select_related("user")
    return events.order_by("-at", "-pk")


def count_unknown_tries() -> int:
    """Return how often somebody tried to sign in by a username that nobody has."""
    return AccountEvent.objects.filter(user=None).count()
