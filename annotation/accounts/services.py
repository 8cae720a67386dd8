"""Make accounts and sign people in."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.contrib.auth import (
    BACKEND_SESSION_KEY,
    HASH_SESSION_KEY,
    SESSION_KEY,
    authenticate,
    login,
    logout,
    update_session_auth_hash,
)
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext

from annotation.accounts.events import AccountClosing
from annotation.accounts.guessing import counted_try, forget_tries
from annotation.accounts.mailboxes import confirming
from annotation.accounts.models import User
from annotation.accounts.second_factor import setting_up
from annotation.accounts.second_factor.checking import WRONG_CODES, require_code
from annotation.accounts.second_factor.setting_up import AppSecret, RecoveryCodes, SecondFactorOff
from annotation.accounts.selectors import PasswordLinkUnusable, get_user_by_link, is_mailed_token
from annotation.accounts.sign_ins.noting import Kind, forget_places, note, note_failure
from annotation.accounts.sso.identities import end_connections, forget_identities
from annotation.accounts.tokens.issuing import CreatedToken, create_token, revoke_token, revoke_tokens
from common.errors import Conflict, Forbidden, Invalid
from common.events import publish
from common.identifiers import new_public_id


class WrongCredentials(Forbidden):
    """User name and password do not belong together."""


class NoPassword(Conflict):
    """The account has none that could be asked for: its owner came by single sign-on."""

    def __init__(self) -> None:
        super().__init__(
            "Your account has no password. Ask the administrator of this server for a link to set one."
        )


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


def sign_in(*, request: HttpRequest, username: str, password: str, code: str = "") -> User:
    """Sign in and return the user.

    Raises `WrongCredentials` and `TooManyTries`, alike whether there is such an account or not; to whoever
    knows the password also as `require_code` does.
    """
    with counted_try(request=request, account=username, wrong=(WrongCredentials, *WRONG_CODES)):
        user = authenticate(request, username=username, password=password)
        if not isinstance(user, User):
            note_failure(request=request, username=username)
            raise WrongCredentials("The username or password is incorrect. Try again.")
        _require_code(request=request, user=user, code=code)
    begin_session(request=request, user=user)
    return user


def begin_session(*, request: HttpRequest, user: User, how: Kind = Kind.SIGNED_IN) -> None:
    """Let somebody in from now on who has shown who they are."""
    login(request, user)
    note(user=user, kind=how, request=request)


def sign_out(*, request: HttpRequest) -> None:
    """End the session, if there is one."""
    user = request.user
    logout(request)
    if isinstance(user, User):
        note(user=user, kind=Kind.SIGNED_OUT, request=request)


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
            details={"fields": {"username": [gettext("This username is taken. Choose another.")]}},
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


def change_password(
    *, request: HttpRequest, user: User, old: str, new: str, remove_email: bool = False
) -> None:
    """Give the account another password; this session stays, all others, all API tokens and connections end.

    remove_email: whether the address goes, too, to which links to a new password are sent.

    Raises `WrongCredentials`, `TooManyTries` and `UnusableAccount`.
    """
    require_password(request=request, user=user, password=old)
    former = user.password
    _set_password(user, new)
    with transaction.atomic():
        # As by a link: who asked is known here, and is not to whoever hears of a new password. Conditional,
        # so that nobody who knows the former one gets past another that was set meanwhile.
        if not User.objects.filter(pk=user.pk, password=former).update(password=user.password):
            raise WrongCredentials("This is not your current password. Try again.")
        revoke_tokens(user=user)
        end_connections(user=user, request=request)
        if remove_email:
            _remove_address(user, request=request)
        else:
            confirming.keep_address(user=user)
        note(user=user, kind=Kind.PASSWORD_CHANGED, request=request)
    update_session_auth_hash(request, user)


def create_own_token(
    *, request: HttpRequest, user: User, password: str, name: str, scope: str, days: int, project: str
) -> CreatedToken:
    """Create an API token for whoever knows the password: a session left open is not enough.

    Raises `WrongCredentials`, `TooManyTries`, and what `create_token` raises.
    """
    require_password(request=request, user=user, password=password)
    with transaction.atomic():
        created = create_token(user=user, name=name, scope=scope, days=days, project=project)
        note(user=user, kind=Kind.TOKEN_CREATED, request=request)
    return created


def revoke_own_token(*, request: HttpRequest, user: User, public_id: str) -> None:
    """End one of the person's tokens at once; raises `TokenNotFound`."""
    with transaction.atomic():
        if revoke_token(user=user, public_id=public_id):
            note(user=user, kind=Kind.TOKEN_REVOKED, request=request)


def require_password(*, request: HttpRequest, user: User, password: str) -> None:
    """Go on for whoever knows the password. Raises `WrongCredentials`, `TooManyTries` and `NoPassword`."""
    with counted_try(request=request, account=user.username, wrong=(WrongCredentials,)):
        _check_password(request=request, user=user, password=password)


def _check_password(*, request: HttpRequest, user: User, password: str) -> None:
    if not user.has_usable_password():
        raise NoPassword
    if not user.check_password(password):
        note(user=user, kind=Kind.WRONG_PASSWORD, request=request)
        raise WrongCredentials("This is not your current password. Try again.")


def change_email(*, request: HttpRequest, user: User, password: str, address: str) -> None:
    """Send a link that confirms an email address; an empty one removes what there is.

    Raises `WrongCredentials`, `TooManyTries`, and as `confirming.enter_address` does.
    """
    require_password(request=request, user=user, password=password)
    if address:
        confirming.enter_address(user=user, address=address)
        return
    with transaction.atomic():
        _remove_address(user, request=request)


def confirm_email(*, request: HttpRequest, token: str) -> None:
    """Let email go to the address that the link came to; raises `EmailLinkUnusable`."""
    with transaction.atomic():
        user = confirming.confirm_address(token=token)
        note(user=user, kind=Kind.EMAIL_CONFIRMED, request=request)


def begin_second_factor(*, request: HttpRequest, user: User, password: str) -> AppSecret:
    """Draw the secret for an authenticator app.

    Raises `WrongCredentials`, `TooManyTries` and `SecondFactorOn`.
    """
    require_password(request=request, user=user, password=password)
    return setting_up.begin(user=user)


def confirm_second_factor(*, request: HttpRequest, user: User, code: str) -> RecoveryCodes:
    """Turn the second factor on. Raises `TooManyTries`, and as `setting_up.confirm` does."""
    with counted_try(request=request, account=user.username, wrong=WRONG_CODES):
        codes = setting_up.confirm(user=user, code=code)
    note(user=user, kind=Kind.TWO_FACTOR_ON, request=request)
    return codes


def renew_recovery_codes(*, request: HttpRequest, user: User, password: str, code: str) -> RecoveryCodes:
    """Replace the recovery codes; all other sessions end. Raises as `turn_second_factor_off` does."""
    _require_both(request=request, user=user, password=password, code=code)
    with _ending_other_sessions(request=request, user=user, password=password):
        codes = setting_up.renew_recovery_codes(user=user)
        note(user=user, kind=Kind.CODES_RENEWED, request=request)
    return codes


def turn_second_factor_off(*, request: HttpRequest, user: User, password: str, code: str) -> None:
    """Ask for no code any more; all other sessions end.

    Raises `WrongCredentials`, `TooManyTries`, `SecondFactorOff`, `WrongCode`.
    """
    _require_both(request=request, user=user, password=password, code=code)
    with _ending_other_sessions(request=request, user=user, password=password):
        # Of two at once the second finds nothing.
        if not setting_up.turn_off(user=user):
            raise SecondFactorOff
        note(user=user, kind=Kind.TWO_FACTOR_OFF, request=request)


@transaction.atomic
def reset_second_factor(*, user: User) -> bool:
    """Turn it off for somebody who can show neither code nor session; return whether it was on.

    All sessions end, also those of a sign-in that is under way.
    """
    if not setting_up.turn_off(user=user):
        return False
    User.objects.filter(pk=user.pk).update(session_endings=F("session_endings") + 1)
    note(user=user, kind=Kind.TWO_FACTOR_OFF)
    return True


@contextmanager
def _ending_other_sessions(*, request: HttpRequest, user: User, password: str) -> Iterator[None]:
    """Do in one transaction what ends all sessions but this one, and links to a new password.

    They hold a hash of the password's hash, which is made anew of the same password; it was checked before.
    Raises `WrongCredentials` where another was set meanwhile.
    """
    former = user.password
    renewed = make_password(password)
    with transaction.atomic():
        if not User.objects.filter(pk=user.pk, password=former).update(password=renewed):
            raise WrongCredentials("This is not your current password. Try again.")
        yield
    user.password = renewed
    update_session_auth_hash(request, user)


def _require_code(*, request: HttpRequest, user: User, code: str) -> None:
    """Pass on whoever has the second factor, and note who knows the password and has not."""
    try:
        require_code(user=user, code=code)
    except WRONG_CODES:
        note(user=user, kind=Kind.WRONG_CODE, request=request)
        raise


def _require_both(*, request: HttpRequest, user: User, password: str, code: str) -> None:
    if not setting_up.describe(user=user).is_on:
        raise SecondFactorOff
    with counted_try(request=request, account=user.username, wrong=(WrongCredentials, *WRONG_CODES)):
        _check_password(request=request, user=user, password=password)
        _require_code(request=request, user=user, code=code)


def make_password_token(*, user: User) -> str:
    """Return the token of a link that sets a new password once, within `PASSWORD_RESET_TIMEOUT`.

    Nothing is stored: the token holds a hash of the present password, so using it ends it.
    """
    return f"{user.public_id}.{default_token_generator.make_token(user)}"


def set_password_by_link(*, token: str, password: str, request: HttpRequest | None = None) -> User:
    """Set the password of whoever was given the link, and let them in again after wrong tries.

    API tokens and connections to a provider end: somebody else may have made them.

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
        end_connections(user=user, request=request)
        _take_mail_back(user, by_mail=is_mailed_token(token), request=request)
        note(user=user, kind=Kind.PASSWORD_RESET, request=request)
    forget_tries(username=user.username)
    return user


def _take_mail_back(user: User, *, by_mail: bool, request: HttpRequest | None) -> None:
    """End ways back by email that somebody may have made who knew the former password.

    The address stays where the link came to it; one that an administrator made takes the address away.
    """
    if by_mail:
        confirming.keep_address(user=user)
    else:
        _remove_address(user, request=request)


def _remove_address(user: User, *, request: HttpRequest | None) -> None:
    if confirming.remove_address(user=user):
        note(user=user, kind=Kind.EMAIL_REMOVED, request=request)


def close_account(*, request: HttpRequest, user: User, password: str) -> None:
    """Take the person out of the account for good; votes stay, under the rater's pseudonym.

    Raises `WrongCredentials`, and what a later step raises that cannot do without the person.
    """
    require_password(request=request, user=user, password=password)
    anonymize_user(user=user)


@transaction.atomic
def anonymize_user(*, user: User) -> None:
    """Forget who somebody is: names, addresses and password go, those of tokens too; row and work stay.

    Raises what a later step raises that cannot do without the person.
    """
    publish(AccountClosing(user=user))
    # After projects. Whoever connects the account or confirms an address takes turns with it.
    User.objects.select_for_update().get(pk=user.pk)
    forget_tries(username=user.username)
    revoke_tokens(user=user)
    setting_up.turn_off(user=user)
    forget_identities(user=user)
    confirming.forget_mail(user=user)
    note(user=user, kind=Kind.ACCOUNT_CLOSED)
    forget_places(user=user)
    # A name is free text, and may be the person's.
    user.api_tokens.update(name="")
    user.username = f"closed-{new_public_id()}"
    user.name = "Closed account"
    user.email = user.language = ""
    user.is_active = False
    user.set_unusable_password()
    user.save(update_fields=["username", "name", "email", "language", "is_active", "password"])
