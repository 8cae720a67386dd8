"""Make accounts and sign people in."""

from django.contrib.auth import authenticate, login
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from annotation.accounts.models import User
from common.errors import Forbidden, Invalid


class WrongCredentials(Forbidden):
    """User name and password do not belong together, or too many wrong tries were made."""

    code = "wrong_credentials"


class UnusableAccount(Invalid):
    """The chosen name or password cannot be used."""

    code = "unusable_account"


def sign_in(*, request: HttpRequest, username: str, password: str) -> User:
    """Sign in and return the user.

    Raises `WrongCredentials`; after ten wrong tries it is raised for a quarter of an hour, whatever
    the password (django-axes).
    """
    user = authenticate(request, username=username, password=password)
    if not isinstance(user, User):
        raise WrongCredentials("This user name and password do not belong together. Try again.")
    login(request, user)
    return user


def create_user(*, username: str, name: str, password: str) -> User:
    """Make an account; raises `UnusableAccount` naming the field that is wrong."""
    user = User(username=username, name=name)
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        raise UnusableAccount("Choose another user name.", details={"fields": error.message_dict}) from None
    try:
        validate_password(password, user=user)
    except ValidationError as error:
        raise UnusableAccount(
            "Choose another password.", details={"fields": {"password": error.messages}}
        ) from None
    user.set_password(password)
    return _save_new(user)


def create_imported_rater(*, name: str, username: str) -> User:
    """Return the account that stands for a rater known only from a file; nobody can sign in with it."""
    user = User(username=username, name=name, is_imported=True)
    user.set_unusable_password()
    return _save_new(user)


def _save_new(user: User) -> User:
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError:
        raise UnusableAccount(
            "This user name is taken. Choose another.",
            details={"fields": {"username": ["This user name is taken."]}},
        ) from None
    return user
