"""Read accounts."""

from django.contrib.auth.tokens import default_token_generator

from annotation.accounts.models import User
from common.errors import NotFound


class PasswordLinkUnusable(NotFound):
    """The link was used, has expired or never was."""

    def __init__(self) -> None:
        super().__init__(
            "This link was already used or has expired. Ask the person who gave it to you for a new one."
        )


def get_user_by_link(*, token: str) -> User:
    """Return whose password the link sets; raises `PasswordLinkUnusable`."""
    public_id, _, secret = token.partition(".")
    user = User.objects.filter(public_id=public_id, is_active=True, is_imported=False).first()
    if user is None or not default_token_generator.check_token(user, secret):
        raise PasswordLinkUnusable
    return user
