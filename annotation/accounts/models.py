"""Accounts: the user table, and what lets programs in."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models, transaction

from annotation.accounts.events import PasswordChanged
from annotation.accounts.rules import SCOPES
from common.events import publish
from common.identifiers import new_public_id


class User(AbstractUser):
    """A person who can sign in, or a rater known only from an imported file (`is_imported`).

    Without a `language` the pages speak the browser's.
    """

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=150)
    is_imported = models.BooleanField(default=False)
    language = models.CharField(max_length=10, blank=True, default="")
    # Granted by the operator; whoever came by an invitation has it not.
    creates_projects = models.BooleanField(default=False)
    # How often all sessions were ended while the password stayed.
    session_endings = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the account; publishes `PasswordChanged` for a new password, whoever set it.

        A hash that Django renews when somebody signs in is no new password.
        """
        # As Django tells them apart; it forgets while it saves.
        has_new_password = vars(self).get("_password") is not None and not self._state.adding
        if not has_new_password:
            super().save(*args, **kwargs)
            return
        with transaction.atomic():
            super().save(*args, **kwargs)
            publish(PasswordChanged(user=self))

    def get_session_auth_hash(self) -> str:
        """Return what a session must hold to stand: of the password, and of how often sessions were ended."""
        return self._since_endings(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Yield what it may hold instead: the same by earlier secret keys."""
        yield from map(self._since_endings, super().get_session_auth_fallback_hash())

    def _since_endings(self, password_hash: str) -> str:
        return f"{password_hash}.{self.session_endings}" if self.session_endings else password_hash

    @property
    def may_create_projects(self) -> bool:
        """Whether this person may make projects on this installation."""
        return settings.ASSAY_PROJECT_CREATORS == "everyone" or self.creates_projects


class WrongTries(models.Model):
    """How many wrong tries were made since a moment: at one account, by one client, or by one at the other.

    Both are keyed hashes; an empty one stands for all.
    """

    account = models.CharField(max_length=64, blank=True)
    client = models.CharField(max_length=64, blank=True)
    number = models.PositiveIntegerField(default=0)
    since = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "client"], name="wrong_tries_counted_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number} since {self.since}"


class SecondFactor(models.Model):
    """The authenticator app of a person, asked for at sign-in once it is confirmed.

    The secret is encrypted for this server and person. No code counts twice, nor one before the last
    (`last_step`, in 30 s since 1970). wrong_count: of the app's codes, since the last right one.
    """

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="second_factor")
    sealed_secret = models.CharField(max_length=300)
    created_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    last_step = models.BigIntegerField(default=0)
    wrong_count = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.user_id} since {self.confirmed_at}"


class RecoveryCode(models.Model):
    """What lets a person in once without the app; only a hash is stored."""

    # The constraint's index begins with it.
    factor = models.ForeignKey(
        SecondFactor, on_delete=models.CASCADE, related_name="recovery_codes", db_index=False
    )
    code_hash = models.CharField(max_length=64)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["factor", "code_hash"], name="recovery_code_kept_once"),
        ]

    def __str__(self) -> str:
        return f"{self.code_hash[:8]} used {self.used_at}"


class ProviderIdentity(models.Model):
    """Who a person is for a sign-in provider: its own name for them (`subject`), never an email address.

    One that has ended opens nothing, and is kept: who comes by it is no newcomer (decision 0064).
    """

    # The index begins with it.
    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="provider_identities", db_index=False
    )
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    connected_at = models.DateTimeField()
    # Whether the account was made for it, so that no password let anybody connect it.
    is_origin = models.BooleanField(default=False)
    # By a new password, or by the person where it `was_disconnected`.
    ended_at = models.DateTimeField(null=True)
    was_disconnected = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="identity_is_of_one_account"),
            models.UniqueConstraint(
                fields=["user", "issuer"],
                condition=models.Q(ended_at=None),
                name="one_open_identity_of_an_issuer",
            ),
            models.CheckConstraint(
                condition=models.Q(is_origin=False) | models.Q(ended_at=None),
                name="identity_of_origin_never_ends",
            ),
            models.CheckConstraint(
                condition=models.Q(was_disconnected=False) | models.Q(ended_at__isnull=False),
                name="disconnected_identity_has_ended",
            ),
        ]
        # Accounts are looked up by it when they change or go.
        indexes = [models.Index(fields=["user", "issuer"], name="identity_of_a_user")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.issuer}"


class SpentSignIn(models.Model):
    """A sign-in by a provider that was finished: nobody finishes it again. Kept while that matters."""

    state_hash = models.CharField(max_length=64, unique=True)
    spent_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.state_hash[:8]} {self.spent_at}"


class AccountEvent(models.Model):
    """What happened at the door of an account, kept for `ASSAY_SIGN_IN_DAYS`.

    Without a `user` somebody tried a username that nobody has: that it was tried is all that is kept of it.
    `client` is the address that wrong tries are counted by; it and `user_agent` are empty where a command did
    it, and once the account is closed.
    """

    class Kind(models.TextChoices):
        """What happened, in the words of `manage.py sign_ins`."""

        SIGNED_IN = "signed_in", "signed in"
        SIGN_IN_FAILED = "sign_in_failed", "sign-in failed"
        SIGNED_OUT = "signed_out", "signed out"
        WRONG_PASSWORD = "wrong_password", "current password entered incorrectly"
        WRONG_CODE = "wrong_code", "password correct, two-factor code incorrect"
        PASSWORD_CHANGED = "password_changed", "password changed"
        PASSWORD_RESET = "password_reset", "password set by link"
        TOKEN_CREATED = "token_created", "API token created"
        TOKEN_REVOKED = "token_revoked", "API token revoked"
        TWO_FACTOR_ON = "two_factor_on", "two-factor authentication turned on"
        TWO_FACTOR_OFF = "two_factor_off", "two-factor authentication turned off"
        CODES_RENEWED = "codes_renewed", "recovery codes replaced"
        SSO_SIGNED_IN = "sso_signed_in", "signed in with single sign-on"
        SSO_FAILED = "sso_failed", "single sign-on refused: the account is inactive"
        SSO_WRONG_CODE = "sso_wrong_code", "single sign-on succeeded, two-factor code incorrect"
        SSO_CONNECTED = "sso_connected", "single sign-on connected"
        SSO_DISCONNECTED = "sso_disconnected", "single sign-on disconnected"
        SSO_ENDED = "sso_ended", "single sign-on disconnected by a new password"
        SSO_REFUSED = "sso_refused", "single sign-on refused: disconnected"
        RESET_REQUESTED = "reset_requested", "password link requested by email"
        EMAIL_CONFIRMED = "email_confirmed", "email address confirmed"
        EMAIL_REMOVED = "email_removed", "email address removed"
        ACCOUNT_CLOSED = "account_closed", "account closed"

    # The index begins with it.
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+", db_index=False)
    kind = models.CharField(max_length=20, choices=Kind)
    at = models.DateTimeField(db_index=True)
    client = models.CharField(max_length=45, blank=True)
    user_agent = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [models.Index(fields=["user", "at"], name="account_event_by_user")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(user__isnull=False)
                | models.Q(kind="sign_in_failed", client="", user_agent=""),
                name="event_of_nobody_is_a_count",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"


class ApiToken(models.Model):
    """What lets a program in as `user`, within a scope, until it expires or is revoked.

    Without a `project` it reaches all projects of the person. Only a hash of the secret is stored. A row is
    kept after its end: it says who could do what, and when it was used last. A closed account's have no name.
    """

    class Scope(models.TextChoices):
        """What a token may do, each with all that those before it may do; in the words of the page."""

        READ = "read", "Read"
        RUN = "run", "Read data, and start judges and exports"
        WRITE = "write", "Read and write"
        MANAGE = "manage", "Everything, including people, connections, and deletion"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=100)
    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, null=True, related_name="+")
    scope = models.CharField(max_length=20, choices=Scope)
    secret_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    # To within `issuing.USE_NOTED_EVERY`.
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(expires_at__gt=models.F("created_at")), name="token_expires_after_creation"
            ),
            models.CheckConstraint(condition=models.Q(scope__in=list(SCOPES)), name="token_scope_is_known"),
        ]

    def __str__(self) -> str:
        return self.name


class IdempotencyKey(models.Model):
    """A request that its sender may send again: claimed by `owner`, and what was replied once it is finished.

    Neither the key nor what was sent can be read here: `name` is a hash of address and key, `fingerprint` a
    keyed hash of the content, and the reply is encrypted by the key and the server's secret. A reply that was
    too large to keep is empty. `is_whole`: work and reply are one transaction.
    """

    # The constraint's index begins with it.
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    is_whole = models.BooleanField()
    owner = models.CharField(max_length=20)
    lease_ends_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    sealed_reply = models.TextField(blank=True)
    reply_bytes = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "name"], name="idempotency_key_claimed_once"),
            models.CheckConstraint(
                condition=models.Q(finished_at=None, status=None)
                | models.Q(finished_at__isnull=False, status__isnull=False),
                name="idempotency_key_is_finished_with_a_status",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name[:8]} {self.status or 'open'}"


LONGEST_ADDRESS = 254


class Mailbox(models.Model):
    """Where a person gets email: the confirmed address, one that waits to be confirmed, and the digest.

    To a waiting one goes nothing but the link that confirms it, of which only a hash is stored.
    """

    class Digest(models.TextChoices):
        """How often a message says what waits for the person; in the words of the page."""

        OFF = "off", "Never"
        DAILY = "daily", "Daily"
        WEEKLY = "weekly", "Weekly"

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="mailbox")
    address = models.CharField(max_length=LONGEST_ADDRESS, blank=True, db_index=True)
    confirmed_at = models.DateTimeField(null=True)
    pending = models.CharField(max_length=LONGEST_ADDRESS, blank=True)
    pending_hash = models.CharField(max_length=64, blank=True, db_index=True)
    pending_until = models.DateTimeField(null=True)
    # Of the page on which the person saw to it last, for those whose account names none.
    language = models.CharField(max_length=10)
    digest = models.CharField(max_length=10, choices=Digest, default=Digest.OFF)
    # When the next one is due.
    digest_at = models.DateTimeField(null=True, db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(address="", confirmed_at=None)
                | ~models.Q(address="") & models.Q(confirmed_at__isnull=False),
                name="mailbox_is_confirmed_with_a_time",
            ),
            models.CheckConstraint(
                condition=models.Q(pending="", pending_hash="", pending_until=None)
                | ~models.Q(pending="") & ~models.Q(pending_hash="") & models.Q(pending_until__isnull=False),
                name="mailbox_waits_for_a_link",
            ),
            models.CheckConstraint(
                condition=models.Q(digest="off", digest_at=None)
                | ~models.Q(digest="off") & ~models.Q(address="") & models.Q(digest_at__isnull=False),
                name="mailbox_has_a_digest_with_an_address",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.digest}"


class PasswordRequest(models.Model):
    """Somebody asked for a password link; whose it is, is looked up after the reply, which so tells nothing.

    sealed: what was typed, and from where; readable for this server only, and gone once it is answered.
    """

    sealed = models.TextField()
    created_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.created_at}"


class OutgoingMail(models.Model):
    """One message: written with what it is about, worded and sent afterwards, tried again for hours.

    user: whose account it is about, or who had it sent. facts: what its words need; never a secret. sealed:
    the path of its link, readable for this server only; empty as soon as the message is over.
    """

    class Kind(models.TextChoices):
        """What a message is about."""

        CONFIRM = "confirm", "confirm an email address"
        ADDRESS_CHANGED = "address_changed", "email address changed or removed"
        PASSWORD_LINK = "password_link", "link to set a new password"
        PASSWORD_CHANGED = "password_changed", "password changed"
        INVITATION = "invitation", "invitation to a project"
        DIGEST = "digest", "digest of waiting work"

    class State(models.TextChoices):
        """Where a message stands; dropped: it had nothing to say any more."""

        WAITING = "waiting"
        SENT = "sent"
        GIVEN_UP = "given_up"
        DROPPED = "dropped"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    kind = models.CharField(max_length=20, choices=Kind)
    # The index begins with it.
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, null=True, related_name="+")
    # The public id of the invitation that it brings.
    about = models.CharField(max_length=20, blank=True, db_index=True)
    recipient = models.CharField(max_length=LONGEST_ADDRESS)
    language = models.CharField(max_length=10)
    facts = models.JSONField(default=dict)
    sealed = models.TextField(blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.WAITING)
    # The version of the row while it waits: whoever tries raises it first.
    tries = models.PositiveSmallIntegerField(default=0)
    # While somebody tries, when they are taken for dead.
    next_try_at = models.DateTimeField()
    # From then on it is of no use to anybody.
    worth_until = models.DateTimeField()
    error = models.CharField(max_length=250, blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state="waiting", finished_at=None)
                | ~models.Q(state="waiting") & models.Q(finished_at__isnull=False, sealed=""),
                name="mail_waits_or_is_over",
            ),
        ]
        indexes = [
            models.Index(fields=["user", "kind", "created_at"], name="mail_of_a_person"),
            models.Index(fields=["next_try_at"], condition=models.Q(state="waiting"), name="mail_due"),
            models.Index(fields=["finished_at"], name="mail_over"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"
