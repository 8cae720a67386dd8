"""The wiring as a Django app: it connects the steps once all of them are loaded."""

import gc
from importlib import import_module

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate, pre_migrate


class WiringConfig(AppConfig):
    """Who listens to whom."""

    name = "config"

    def ready(self) -> None:
        """Register who listens; it imports services, which need the models."""
        import_module("config.steps.subscriptions")
        revisions = import_module("config.steps.revisions")
        # Django tells this of apps with tables: before those of the first change, after those of the last.
        pre_migrate.connect(revisions.stop_counting, sender=apps.get_app_config("annotation"))
        post_migrate.connect(revisions.count_changes, sender=apps.get_app_config("judges"))
        # What is there by now stays: only what comes later is looked at, in this process and its children.
        gc.freeze()
        gc.enable()
