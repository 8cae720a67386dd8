"""Databases that a benchmark makes and drops."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tools.with_services import running_postgres


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


def both_databases(folder: Path, *, name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield what a process is given to work on SQLite, then on PostgreSQL where one runs on this machine."""
    own = {**os.environ, "ASSAY_DATA": str(folder)}
    yield "SQLite", {**own, "DATABASE_URL": f"sqlite:///{folder}/{name}.sqlite3"}
    server = running_postgres()
    if server is None:
        print("PostgreSQL skipped: none runs on this machine")
        return
    with scratch_database(server, name) as url:
        yield "PostgreSQL", {**own, "DATABASE_URL": url}
