"""Look at every part of an installation, and say of each that it works, or what is wrong and what helps."""

import platform
import shutil
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import django
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.http.request import validate_host
from django.utils import timezone

from annotation.accounts.sso import discovery
from common.database.versions import missing_migrations
from common.identifiers import VERSION
from common.mailing.server import explain_mail_server, open_mail_server
from common.tasks import is_queue_there
from common.web.starting import (
    cannot_write,
    explain_database,
    installation_of,
    start_of_background,
    start_of_commands,
)
from judges.connections.models import Connection
from judges.connections.rules.local import LocalModel
from judges.connections.selectors import LocalModelUnusable, list_apis, local_models, require_local_files
from judges.registry import BROKEN_PACKAGES, JUDGES, is_available
from judges.runs.selectors.progress import Lack, background_lack

LEAST_FREE_BYTES = 1_000_000_000
# Leases and the sweeper's sign are compared across machines.
MOST_SECONDS_APART = 5


class Finding(NamedTuple):
    """What was seen of one part; with a cure, something is wrong."""

    seen: str
    cure: str = ""


def look_at_versions() -> Finding:
    """Name what runs."""
    return Finding(f"Assay {VERSION}, Python {platform.python_version()}, Django {django.get_version()}")


def look_at_database() -> Finding:
    """Connect, and compare the tables with this version's."""
    name = "PostgreSQL" if connection.vendor == "postgresql" else "SQLite"
    missing = missing_migrations()
    if missing:
        cure = f"Back up, then run: {start_of_commands()} migrate"
        return Finding(f"{name} is missing migrations: {', '.join(missing)}", cure)
    return Finding(f"{name} {'.'.join(str(part) for part in _database_version())}, tables up to date")


def _database_version() -> tuple[int, ...]:
    return tuple(connection.get_database_version())


def look_at_queue() -> Finding:
    """Connect to the queue."""
    if is_queue_there():
        return Finding("responds")
    return Finding("cannot be reached", f"Check REDIS_URL, or start everything: {start_of_background()}")


def look_at_worker() -> Finding:
    """Ask for a worker."""
    if background_lack() is Lack.WORKER:
        return Finding("does not respond", f"Start it: {start_of_background()}")
    return Finding("responds")


def look_at_sweeper() -> Finding:
    """Look at the sign that the sweeper's clock leaves through queue and worker."""
    lack = background_lack()
    if lack is Lack.NOTHING:
        return Finding("runs")
    if lack is Lack.WORKER:
        return Finding("unknown: no worker responds", "Start a worker first.")
    return Finding("has not run for 15 seconds", f"Start it: {start_of_background()}")


def look_at_clock() -> Finding:
    """Compare the time of this machine with the database's."""
    if connection.vendor != "postgresql":
        return Finding("the database is on this machine")
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        theirs: datetime = cursor.fetchone()[0]
    apart = abs((timezone.now() - theirs).total_seconds())
    if apart > MOST_SECONDS_APART:
        return Finding(
            f"differs from the database’s clock by {apart:.0f} seconds",
            "Synchronize the clocks of both machines (NTP).",
        )
    return Finding("agrees with the database’s clock")


def look_at_storage() -> Finding:
    """Write into the data folder, and ask how much room is left."""
    folder = Path(settings.DATA_DIR)
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"doctor")
    except OSError as error:
        return Finding("cannot be written to", cannot_write(folder, error))
    free = shutil.disk_usage(folder).free
    seen = f"{folder}, {free / 1e9:.1f} GB free"
    return Finding(seen, "Free up space on this disk." if free < LEAST_FREE_BYTES else "")


def look_at_models() -> Finding:
    """Name the judges whose libraries are not installed, and local models whose files are not there."""
    missing = [key for key, entry in JUDGES.items() if not is_available(entry)]
    seen = (
        f"not installed: {', '.join(missing)} ({installation_of('neural')})"
        if missing
        else "all judges installed"
    )
    absent = [f"{model.name} ({model.place})" for model in local_models().values() if not _is_there(model)]
    if not absent:
        return Finding(seen)
    return Finding(
        f"{seen}; local models without a readable folder of safetensors weights: {', '.join(absent)}",
        "Check these entries of ASSAY_LOCAL_MODELS and their folders.",
    )


def _is_there(model: LocalModel) -> bool:
    try:
        require_local_files(model)
    except LocalModelUnusable:
        return False
    return True


def look_at_apis() -> Finding:
    """Name the APIs whose libraries are not installed: wrong only where a connection uses one."""
    missing = [api for api in list_apis() if api.cure]
    if not missing:
        return Finding("libraries for all APIs installed")
    in_use = set(Connection.objects.filter(archived_at=None).values_list("api", flat=True).distinct())
    lacking = ", ".join(f"{api.name} ({api.cure})" for api in missing)
    cure = "; ".join(api.cure for api in missing if api.key in in_use)
    return Finding(f"not installed: {lacking}", f"Connections use it. Install it: {cure}" if cure else "")


def look_at_packages() -> Finding:
    """Name the judges that other packages declare, and those that are none."""
    if not BROKEN_PACKAGES:
        theirs = [f"{entry.key} ({entry.package})" for entry in JUDGES.values() if entry.package]
        return Finding(f"judges from other packages: {', '.join(theirs) or 'none'}")
    told = "; ".join(f"{each.entry_point} from {each.package}: {each.reason}" for each in BROKEN_PACKAGES)
    return Finding(f"broken judges from other packages: {told}", "Repair or uninstall these packages.")


def look_at_mail() -> Finding:
    """Connect to the mail server and sign in there, and see that links lead here."""
    if not settings.ASSAY_SENDS_MAIL:
        return Finding("off: ASSAY_MAIL_URL is not set")
    seen = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        with open_mail_server():
            pass
    except OSError as error:
        return Finding(f"{seen}: {explain_mail_server(error)}", "Check ASSAY_MAIL_URL and the mail server.")
    host = urlsplit(settings.ASSAY_PUBLIC_URL).hostname or ""
    if not validate_host(f"[{host}]" if ":" in host else host, settings.ALLOWED_HOSTS):
        cure = f"Add {host} to ALLOWED_HOSTS: ASSAY_PUBLIC_URL names it, and links in email begin with it."
        return Finding(f"{seen} responds", cure)
    return Finding(f"{seen} responds")


def look_at_single_sign_on() -> Finding:
    """Ask the sign-in provider for its addresses and keys, where one is set up."""
    provider = settings.ASSAY_SSO
    if provider is None:
        return Finding("not set up")
    try:
        discovery.read_metadata(provider=provider)
        keys = discovery.read_keys(provider=provider)
    except discovery.ProviderFailed as failure:
        cure = f"Check ASSAY_SSO_ISSUER and the network: open {provider.discovery_url} from this machine."
        return Finding(f"{provider.name}: {failure}", cure)
    if not keys:
        return Finding(f"{provider.name} publishes no keys", "Ask the people who run the provider.")
    return Finding(f"{provider.name} responds")


PARTS: dict[str, Callable[[], Finding]] = {
    "versions": look_at_versions,
    "storage": look_at_storage,
    "models": look_at_models,
    "apis": look_at_apis,
    "packages": look_at_packages,
    "sign-on": look_at_single_sign_on,
    "database": look_at_database,
    "clock": look_at_clock,
    "queue": look_at_queue,
    "worker": look_at_worker,
    "sweeper": look_at_sweeper,
    "mail": look_at_mail,
}


class Command(BaseCommand):
    """Print a line for each part."""

    help = (
        "Check every part of this installation: versions, storage, models, APIs, packages, single sign-on, "
        "database, clock, queue, worker, sweeper, and mail. Exit codes: 0 everything works; 1 something "
        "does not; 2 usage error."
    )
    # What it would complain of is what is looked at.
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Look at all parts, also after one that fails."""
        wrong = [name for name, look in PARTS.items() if not self._report(name, _seen(look))]
        if wrong:
            raise CommandError(f"not working: {', '.join(wrong)}", returncode=1)

    def _report(self, name: str, finding: Finding) -> bool:
        self.stdout.write(f"{'ERROR' if finding.cure else 'ok':5}  {name:8}  {finding.seen}")
        if finding.cure:
            self.stdout.write(f"{'':17}{finding.cure}")
        return not finding.cure


def _seen(look: Callable[[], Finding]) -> Finding:
    try:
        return look()
    except DatabaseError as error:
        place = f"The database {settings.DATABASES['default']['NAME']}"
        cure = explain_database(error, place=place) or "Look for the cause in the database’s log."
        return Finding("unknown: the database cannot be used", cure)
