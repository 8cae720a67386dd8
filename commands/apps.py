"""The command line as a Django app, so that Django finds its commands."""

from django.apps import AppConfig


class CommandsConfig(AppConfig):
    """What is asked for from a terminal."""

    name = "commands"
