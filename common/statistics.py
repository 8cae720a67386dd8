"""What the database knows of how its tables have grown, which decides how it goes about queries."""

from time import monotonic

from django.db import connection

# As long as PostgreSQL waits before it tells what a session changed.
SECONDS_BETWEEN = 1.0
# A table is counted anew once so many rows, and this part of all, have changed: autovacuum's own measure.
LEAST_CHANGED = 500
CHANGED_SHARE = 0.1

_GROWN = """
    SELECT quote_ident(schemaname) || '.' || quote_ident(relname) FROM pg_stat_user_tables
    WHERE schemaname = current_schema() AND n_mod_since_analyze > %s + %s * n_live_tup ORDER BY relname
"""
_asked_at = -SECONDS_BETWEEN


def refresh_statistics() -> None:
    """Count the tables anew that have changed much, if it was not asked within the last second.

    To be called in no transaction, as often as one likes, by whatever writes thousands of rows. PostgreSQL
    takes a table that was just filled for an empty one, reads it from end to end for every row of another,
    and learns better only when autovacuum comes by, a minute later or never. SQLite goes by its indexes.
    """
    global _asked_at
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        return
    if monotonic() - _asked_at < SECONDS_BETWEEN:
        return
    _asked_at = monotonic()
    with connection.cursor() as cursor:
        cursor.execute(_GROWN, [LEAST_CHANGED, CHANGED_SHARE])
        grown = [name for (name,) in cursor.fetchall()]
        for name in grown:
            # Whoever else is at it does it as well.
            cursor.execute(f"ANALYZE (SKIP_LOCKED) {name}")
