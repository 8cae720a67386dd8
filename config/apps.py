"""The wiring as a Django app: it connects the steps once all of them are loaded."""

from importlib import import_module

from django.apps import AppConfig


class WiringConfig(AppConfig):
    """Who listens to whom."""

    name = "config"

    def ready(self) -> None:
        """Register who listens; it imports services, which need the models."""
        import_module("config.subscriptions")
