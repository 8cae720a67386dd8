"""Make tables in a process of its own."""

from django.apps import apps
from django.conf import settings
from django.core.management import call_command


def make_tables() -> None:
    """Make the tables from the models, as a test has changed them before."""
    settings.MIGRATION_MODULES = {config.label: None for config in apps.get_app_configs()}
    call_command("migrate", run_syncdb=True, verbosity=0)
