"""Make accounts and sign people in."""

from django.conf import settings
from django.contrib.auth import (
    BACKEND_SESSION_KEY,
    HASH_SESSION_KEY,
    SESSION_KEY,
    authenticate,
    login,
    update_session_auth_hash,
)
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext

from annotation.accounts.events import AccountClosing
from annotation.accounts.guessing import counted_try, forget_tries
from annotation.accounts.models import User
from annotation.accounts.selectors import PasswordLinkUnusable, get_user_by_link
from annotation.accounts.tokens.issuing import CreatedToken, create_token, revoke_tokens
from common.errors import Forbidden, Invalid
from common.events import publish
from common.identifiers import new_public_id


class WrongCredentials(Forbidden):
    """User name and password do not belong together."""


class UnusableAccount(Invalid):
    """The chosen name or password cannot be used."""


class NameTaken(UnusableAccount):
    """Somebody else has this user name."""

    code = UnusableAccount.code


def claimed_account(*, request: HttpRequest) -> int | None:
    """Return the key of the account that a request's session names, or None; nothing is checked yet."""
    key = request.session.get(SESSION_KEY)
    return int(key) if key is not None else None


def recognize(*, request: HttpRequest, user: User) -> None:
    """Spare a request the reading of an account that was read together with something else.

    Only where it is active and the session that names it stands, as Django checks it; everything else is left
    to Django, which then reads the account itself.
    """
    session = request.session
    stands = (
        session.get(SESSION_KEY) == str(user.pk)
        and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
        and constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())
    )
    if stands and user.is_active:
        # Where Django's middleware keeps it, and looks first.
        vars(request)["_cached_user"] = user


def sign_in(*, request: HttpRequest, username: str, password: str) -> User:
    """Sign in and return the user.

    Raises `WrongCredentials` and `TooManyTries`, alike whether there is such an account or not.
    """
    with counted_try(request=request, account=username, wrong=(WrongCredentials,)):
        user = authenticate(request, username=username, password=password)
        if not isinstance(user, User):
            raise WrongCredentials("The username or password is incorrect. Try again.")
    login(request, user)
    return user


def create_user(*, username: str, name: str, password: str, creates_projects: bool = False) -> User:
    """Make an account; raises `UnusableAccount` naming the field that is wrong."""
    user = prepare_user(username=username, name=name, password=password)
    user.creates_projects = creates_projects
    return save_new_user(user)


def prepare_user(*, username: str, name: str, password: str) -> User:
    """Return an account that is not stored yet; raises `UnusableAccount` naming the field that is wrong."""
    user = User(username=username, name=name)
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        raise UnusableAccount("Choose another username.", details={"fields": error.message_dict}) from None
    _set_password(user, password)
    return user


def create_imported_rater(*, name: str, username: str) -> User:
    """Return the account that stands for a rater known only from a file; nobody can sign in with it."""
    user = User(username=username, name=name, is_imported=True)
    user.set_unusable_password()
    # Nobody chose a name that could be taken, or a password that others should hear of.
    User.objects.bulk_create([user])
    return user


def save_new_user(user: User) -> User:
    """Store an account; raises `NameTaken`."""
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError:
        raise NameTaken(
            "This username is taken. Choose another.",
            # In Django's own words, which it has in every language.
            details={"fields": {"username": [gettext("A user with that username already exists.")]}},
        ) from None
    return user


def _set_password(user: User, password: str) -> None:
    try:
        validate_password(password, user=user)
    except ValidationError as error:
        raise UnusableAccount(
            "Choose another password.", details={"fields": {"password": error.messages}}
        ) from None
    user.set_password(password)


def change_account(*, user: User, name: str | None = None, language: str | None = None) -> None:
    """Change the name that leads and colleagues see, or the language of the pages; None leaves each."""
    changes = {"name": name, "language": language}
    given = {field: value for field, value in changes.items() if value is not None}
    for field, value in given.items():
        setattr(user, field, value)
    user.save(update_fields=list(given))


def change_password(*, request: HttpRequest, user: User, old: str, new: str) -> None:
    """Give the account another password; this session stays, all others and all API tokens end.

    Raises `WrongCredentials`, `TooManyTries` and `UnusableAccount`.
    """
    _require_password(request=request, user=user, password=old)
    _set_password(user, new)
    user.save(update_fields=["password"])
    update_session_auth_hash(request, user)


def create_own_token(
    *, request: HttpRequest, user: User, password: str, name: str, scope: str, days: int, project: str
) -> CreatedToken:
    """Create an API token for whoever knows the password: a session left open is not enough.

    Raises `WrongCredentials`, `TooManyTries`, and what `create_token` raises.
    """
    _require_password(request=request, user=user, password=password)
    return create_token(user=user, name=name, scope=scope, days=days, project=project)


def _require_password(*, request: HttpRequest, user: User, password: str) -> None:
    with counted_try(request=request, account=user.username, wrong=(WrongCredentials,)):
        if not user.check_password(password):
            raise WrongCredentials("This is not your current password. Try again.")


def make_password_token(*, user: User) -> str:
    """Return the token of a link that sets a new password once, within `PASSWORD_RESET_TIMEOUT`.

    Nothing is stored: the token holds a hash of the present password, so using it ends it.
    """
    return f"{user.public_id}.{default_token_generator.make_token(user)}"


def set_password_by_link(*, token: str, password: str) -> User:
    """Set the password of whoever was given the link, and let them in again after wrong tries.

    API tokens end: somebody else may have created them.

    Raises `PasswordLinkUnusable` and `UnusableAccount`.
    """
    user = get_user_by_link(token=token)
    former = user.password
    _set_password(user, password)
    with transaction.atomic():
        # Conditional, so that of two who use the link at once one is too late.
        if not User.objects.filter(pk=user.pk, password=former).update(password=user.password):
            raise PasswordLinkUnusable
        revoke_tokens(user=user)
    forget_tries(username=user.username)
    return user


def close_account(*, request: HttpRequest, user: User, password: str) -> None:
    """Take the person out of the account for good; votes stay, under the rater's pseudonym.

    Raises `WrongCredentials`, and what a later step raises that cannot do without the person.
    """
    _require_password(request=request, user=user, password=password)
    anonymize_user(user=user)


@transaction.atomic
def anonymize_user(*, user: User) -> None:
    """Forget who somebody is: names, address and password go, those of tokens too; row and work stay.

    Raises what a later step raises that cannot do without the person.
    """
    publish(AccountClosing(user=user))
    forget_tries(username=user.username)
    revoke_tokens(user=user)
    # A name is free text, and may be the person's.
    user.api_tokens.update(name="")
    user.username = f"closed-{new_public_id()}"
    user.name = "Closed account"
    user.email = user.language = ""
    user.is_active = False
    user.set_unusable_password()
    user.save(update_fields=["username", "name", "email", "language", "is_active", "password"])
