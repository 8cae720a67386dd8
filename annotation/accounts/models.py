"""Accounts: the user table."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models

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
