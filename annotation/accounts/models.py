"""Accounts: the user table, and what lets programs in."""

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
        MANAGE = "manage", "Everything, including people, connections and deletion"

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
