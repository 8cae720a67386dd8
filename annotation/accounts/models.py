"""Accounts: the user table."""

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

    def __str__(self) -> str:
        return self.username
