"""Databases that a benchmark makes and drops, and studies in them."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg2
from django.core.management import call_command

from annotation.accounts.models import User
from annotation.projects.models import Project
from annotation.projects.services.making import create_project
from common import tasks
from tools.with_services import running_postgres


@contextmanager
def scratch_database(server: str, name: str, *, template: str = "template1") -> Iterator[str]:
    """Make a database of this name on the server, empty or as the template is, and drop it in the end."""
    with closing(psycopg2.connect(server)) as connection:
        connection.autocommit = True
        connection.cursor().execute(f"DROP DATABASE IF EXISTS {name}")
        connection.cursor().execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            connection.cursor().execute(f"DROP DATABASE {name} WITH (FORCE)")


def postgres_only(name: str) -> Iterator[dict[str, str]]:
    """Yield what a process is given to work on PostgreSQL; nothing, saying so, where none runs here."""
    server = running_postgres()
    if server is None:
        print("PostgreSQL skipped: none runs on this machine")
        return
    with scratch_database(server, name) as url:
        yield {**os.environ, "DATABASE_URL": url}


def both_databases(folder: Path, *, name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield what a process is given to work on SQLite, then on PostgreSQL where one runs on this machine."""
    url = f"sqlite:///{folder}/{name}.sqlite3"
    yield "SQLite", {**os.environ, "ASSAY_DATA": str(folder), "DATABASE_URL": url}
    for environment in postgres_only(name):
        yield "PostgreSQL", {**environment, "ASSAY_DATA": str(folder)}


def start_study(name: str, *, slug: str = "") -> Project:
    """Make the tables and an empty study, of which nobody hears rings: what starts by itself waits."""
    call_command("migrate", verbosity=0)
    tasks._ring = lambda *_args, **_options: None
    lead, _ = User.objects.get_or_create(username="lead")
    return create_project(lead=lead, name=name, preset="openqa-eval", slug=slug)
