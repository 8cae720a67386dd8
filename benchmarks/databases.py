"""Databases that a benchmark makes and drops."""

from collections.abc import Iterator
from contextlib import closing, contextmanager


@contextmanager
def scratch_database(server: str, name: str) -> Iterator[str]:
    """Make an empty database of this name on the server, and drop it in the end."""
    import psycopg2

    with closing(psycopg2.connect(server)) as connection:
        connection.autocommit = True
        connection.cursor().execute(f"DROP DATABASE IF EXISTS {name}")
        connection.cursor().execute(f"CREATE DATABASE {name}")
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            connection.cursor().execute(f"DROP DATABASE {name} WITH (FORCE)")
