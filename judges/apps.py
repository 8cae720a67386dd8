"""The judges context as a Django app."""

from django.apps import AppConfig


class JudgesConfig(AppConfig):
    """Programs judge."""

    name = "judges"
