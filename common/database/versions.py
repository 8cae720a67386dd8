"""Whether the database has the tables of this version."""

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
