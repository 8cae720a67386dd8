"""Whether the database has the tables of this version, and a new SQLite file that has them."""

import os
import shutil
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader


def missing_migrations() -> list[str]:
    """Return the last migrations of each app that the database lacks, as `annotation.0047_api_tokens`.

    Reads all migrations from the disk, some 100 ms. Raises `DatabaseError` where the database is away.
    """
    loader = MigrationLoader(connection)
    return [
        f"{app}.{name}"
        for app, name in loader.graph.leaf_nodes()
        if (app, name) not in loader.applied_migrations
    ]


def begin_with_tables() -> None:
    """Where a wheel starts on nothing, copy the empty database that it brings; else do nothing.

    Making the same tables by some 60 migrations takes most of a first start. Whatever a wheel brings, the
    migrations are run after it: they see what is missing. Only for one process at a time.
    """
    place, shipped = Path(settings.DATABASES["default"]["NAME"]), Path(settings.BASE_DIR) / "tables.sqlite3"
    # The settings make an installation's own file, without a byte in it, before anybody asks for it.
    if not place.is_file() or place.stat().st_size or not shipped.is_file():
        return
    copy = place.with_name(f"{place.name}.new")
    copy.unlink(missing_ok=True)
    # Of this user alone, from its first byte, and there only when it is whole.
    with shipped.open("rb") as source, open(os.open(copy, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as target:
        shutil.copyfileobj(source, target)
    copy.replace(place)
