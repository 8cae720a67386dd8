"""Readers for everything the environment may say."""

import hashlib
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

import environ

from judges.connections.rules.addresses import parse_policy

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()


def data_folder() -> Path:
    """Return the folder that holds the embedded database, uploads and exports, made if absent."""
    # Absolute, since the queue's address is made from it.
    folder = Path(env.str("ASSAY_DATA", default=str(BASE_DIR / "data" / "run"))).resolve()
    # Password hashes, uploads and votes are nobody else's on this machine.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def secret_key(*, folder: Path) -> str:
    """Return `SECRET_KEY`, else the embedded mode's own key file, made on first use with mode 0600."""
    given = env.str("SECRET_KEY", default="")
    return given or _own_secret_key(folder / "secret-key")


def _own_secret_key(path: Path) -> str:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(secrets.token_urlsafe(50))
    return path.read_text(encoding="utf-8")


def database(*, folder: Path) -> dict[str, Any]:
    """Return Django's settings for `DATABASE_URL`, else for an embedded SQLite file.

    SQLite gets WAL, IMMEDIATE transactions and a 20 s busy timeout: with them 12 writers met no
    "database is locked", with Django's defaults 4,446 (docs/decisions/0002).
    """
    settings: dict[str, Any] = env.db_url("DATABASE_URL", default=f"sqlite:///{folder / 'assay.sqlite3'}")
    if settings["ENGINE"].endswith("sqlite3"):
        settings["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        }
    return settings


def embedded_redis_url(*, folder: Path) -> str:
    """Return the address of the embedded queue: a Unix socket in the data folder.

    The system allows about 100 characters for a socket's path, so a longer one moves to the
    system's own folder for temporary files, under a name made from the data folder's.
    """
    path = folder / "redis.sock"
    if len(str(path)) > 100:
        name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
        path = Path(tempfile.gettempdir()) / f"assay-{name}.sock"
    return f"redis+socket://{path}"


def llm_allowed_hosts() -> list[str]:
    """Return where language models may be called; raises ValueError at the start for what is no such list."""
    entries: list[str] = env.list("ASSAY_LLM_ALLOWED_HOSTS", default=["public"])
    parse_policy(entries)
    return entries
