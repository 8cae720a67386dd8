"""Readers for everything the environment may say; what makes no sense ends the start with one sentence."""

import hashlib
import math
import os
import secrets
import sys
import tempfile
from email.utils import parseaddr
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import environ
import platformdirs
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from annotation.accounts.sso.provider import Provider, read_issuer
from common.outgoing.addresses import parse_policy
from common.requests.peers import Network, parse_networks
from common.web.starting import CannotStart, cannot_write
from judges.connections.rules.local import parse_models

CODE_DIR = Path(__file__).resolve().parent.parent
# In a wheel the built pages and the documentation lie inside `assay`: docs/decisions/0051.
_SHIPPED = CODE_DIR / "assay" / "files"
BASE_DIR = _SHIPPED if _SHIPPED.is_dir() else CODE_DIR
TRUTHS = dict.fromkeys(("true", "1", "yes", "on"), True) | dict.fromkeys(("false", "0", "no", "off"), False)
PACKAGES = ("analysis", "annotation", "common", "judges")
QUEUES = {"redis", "rediss", "redis+socket", "sentinel", "amqp", "amqps", "memory"}
# Django asks for as many; one of ours is longer, so that a shorter one was not written whole.
SHORTEST_SECRET = 50


def read_text(name: str, *, default: str) -> str:
    """Return a text."""
    return os.environ.get(name) or default


def read_bool(name: str, *, default: bool) -> bool:
    """Return true or false."""
    text = os.environ.get(name) or str(default)
    if text.strip().lower() not in TRUTHS:
        raise CannotStart(f"{name}={text} is not valid. Use true or false, or leave it out.")
    return TRUTHS[text.strip().lower()]


def read_int(name: str, *, default: int, low: int = 0) -> int:
    """Return a whole number of at least `low`."""
    text = os.environ.get(name) or str(default)
    try:
        number = int(text)
    except ValueError:
        number = low - 1
    if number < low:
        raise CannotStart(f"{name}={text} is not a whole number of at least {low}. Use digits only.")
    return number


def read_float(name: str, *, default: float, low: float = 0.1) -> float:
    """Return a number of at least `low`."""
    text = os.environ.get(name) or str(default)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not low <= number < math.inf:
        raise CannotStart(f"{name}={text} is not a number of at least {low}. Use a number such as 30 or 0.5.")
    return number


def read_list(name: str, *, default: list[str], may_be_empty: bool = False) -> list[str]:
    """Return what stands between commas."""
    parts = [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]
    return parts if parts or (may_be_empty and name in os.environ) else default


# By type and range; an empty variable is an absent one, since compose passes all of them on.
env = SimpleNamespace(str=read_text, bool=read_bool, int=read_int, float=read_float, list=read_list)


def data_folder() -> Path:
    """Return the folder that holds the embedded database, uploads and exports, made if absent.

    What it holds of ours is nobody else's on this machine: password hashes, uploads and votes.
    """
    # Absolute, since the queue's address is made from it.
    folder = Path(env.str("ASSAY_DATA", default=str(own_folder("run")))).resolve()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _require_writable(folder)
        for name in ("uploads", "exports", "queue"):
            (folder / name).mkdir(mode=0o700, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise CannotStart(
            f"{folder} is a file, or part of its path is a file. ASSAY_DATA must name a folder."
        ) from None
    except OSError as error:
        raise CannotStart(cannot_write(folder, error)) from None
    _make_private(folder)
    return folder


def own_folder(name: str) -> Path:
    """Return the data folder that is used by default: in a checkout its own, else this user's.

    What a wheel installed is replaced by the next version, so nothing is kept there.
    """
    is_checkout = BASE_DIR == CODE_DIR
    return CODE_DIR / "data" / name if is_checkout else platformdirs.user_data_path("assay") / name


def _require_writable(folder: Path) -> None:
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(0, "this user cannot write to it")


def _make_private(folder: Path) -> None:
    own = [
        *(folder / name for name in ("uploads", "exports", "queue", "secret-key")),
        *folder.glob("assay.sqlite3*"),
    ]
    open_to_others = [path for path in own if path.exists() and path.stat().st_mode & 0o077]
    if not open_to_others:
        return
    names = ", ".join(sorted(path.name for path in open_to_others))
    try:
        for path in open_to_others:
            path.chmod(0o700 if path.is_dir() else 0o600)
    except OSError:
        print(
            f"Other users of this machine can read {names} in {folder}. Remove their access.",
            file=sys.stderr,
        )
    else:
        print(
            f"Other users of this machine could read {names} in {folder}; now they cannot.", file=sys.stderr
        )


def secret_key(*, folder: Path) -> str:
    """Return `SECRET_KEY`, else the embedded mode's own key file, made on first use with mode 0600."""
    given = env.str("SECRET_KEY", default="")
    return given or _own_secret_key(folder / "secret-key")


def _own_secret_key(path: Path) -> str:
    try:
        if not path.exists():
            _write_secret_key(path)
        key = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise CannotStart(cannot_write(path, error)) from None
    except UnicodeDecodeError:
        # Bytes that are no text, as a crash may leave them.
        key = ""
    if len(key) < SHORTEST_SECRET:
        raise CannotStart(
            f"{path} is incomplete. Restore it from a backup. If you have no backup, delete the file. "
            "Then everybody must sign in again, and API keys must be entered again."
        )
    return key


def _write_secret_key(path: Path) -> None:
    # Of several processes at a first start the first one's link counts, and nobody sees half a key.
    descriptor, whole = tempfile.mkstemp(dir=path.parent, prefix=".secret-key-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(50))
            file.flush()
            os.fsync(file.fileno())
        os.link(whole, path)
    except FileExistsError:
        return
    finally:
        os.unlink(whole)


# In messages, how an address spells what would end its password.
ESCAPED = "with @, /, and # in the password written as %40, %2F, and %23"
# Long enough that raters who think meet an open one, short enough that quiet threads give theirs back.
CONNECTION_SECONDS = 600


def database(*, folder: Path) -> dict[str, Any]:
    """Return Django's settings for `DATABASE_URL`, else for an embedded SQLite file.

    SQLite gets WAL, IMMEDIATE transactions and a 20 s busy timeout: with them 12 writers met no
    "database is locked", with Django's defaults 4,446 (docs/decisions/0002); and a queue for its one
    write lock, without which a writer among others may not get it in 20 s (docs/decisions/0029).
    """
    url = env.str("DATABASE_URL", default="")
    settings = _parse_database(url) if url else _own_database(folder / "assay.sqlite3")
    if settings["ENGINE"].endswith("sqlite3"):
        settings["ENGINE"] = "common.database.sqlite3"
        settings["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        }
        settings = {"CONN_MAX_AGE": CONNECTION_SECONDS} | settings
    else:
        # A process of PostgreSQL each request took a fifth of a hand-in (docs/decisions/0043, 0045).
        settings = {"CONN_MAX_AGE": CONNECTION_SECONDS, "CONN_HEALTH_CHECKS": True} | settings
    return settings


def web_processes(database: dict[str, Any]) -> int:
    """Return how many processes serve requests: SQLite one, PostgreSQL one a processor unless told otherwise.

    By default at most eight: each has connections for its eight threads, and PostgreSQL allows 100. A
    container's share of processors is not seen.
    """
    processors = min(os.cpu_count() or 1, 8)
    wanted: int = env.int("ASSAY_WEB_PROCESSES", default=processors, low=1)
    return 1 if "sqlite" in database["ENGINE"] else wanted


def _own_database(path: Path) -> dict[str, Any]:
    try:
        # SQLite would let everybody read the file; its own files beside it get the same mode.
        path.touch(mode=0o600, exist_ok=True)
    except OSError as error:
        raise CannotStart(cannot_write(path, error)) from None
    return dict(environ.Env.db_url_config(f"sqlite:///{path}"))


def _parse_database(url: str) -> dict[str, Any]:
    form = f"postgres://user:password@host:port/name, {ESCAPED}"
    try:
        is_known = url.partition("://")[0] in environ.Env.DB_SCHEMES
        settings: dict[str, Any] = dict(environ.Env.db_url_config(url)) if is_known else {}
    except (KeyError, ValueError, environ.ImproperlyConfigured):
        settings = {}
    is_ours = settings.get("ENGINE", "").endswith(("sqlite3", "postgresql")) and settings.get("NAME")
    # A mark of a password that was not written as %40 would make another address of it.
    if not is_ours or "#" in url or url.count("@") > 1:
        # Not the address itself: it may hold a password.
        raise CannotStart(f"DATABASE_URL is not the address of a database. Write it as {form}.")
    return settings


def redis_url(*, folder: Path) -> str:
    """Return `REDIS_URL`, else the address of the embedded queue."""
    url = env.str("REDIS_URL", default="")
    if url and not _is_queue(url):
        raise CannotStart(
            "REDIS_URL is not the address of a queue. Write it as redis://:password@host:port/number."
        )
    return url or embedded_redis_url(folder=folder)


def _is_queue(url: str) -> bool:
    try:
        parts = urlsplit(url)
        # Reading it raises where it is no number.
        has_place = bool(parts.port or parts.hostname or parts.path or parts.scheme == "memory")
    except ValueError:
        return False
    return parts.scheme in QUEUES and has_place


def shared_memory(url: str) -> dict[str, Any]:
    """Return where web processes keep what they make for each other: beside the queue, if that is Redis."""
    address = url.replace("redis+socket://", "unix://")
    if not address.startswith(("redis://", "rediss://", "unix://")):
        return {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    return {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": address,
        # Other code may make other replies.
        "KEY_PREFIX": f"assay-{code()}",
        "OPTIONS": {"serializer": "common.memory.Plain", "socket_connect_timeout": 1, "socket_timeout": 2},
    }


@cache
def code() -> str:
    """Return what names the files that make replies: their sizes, and when they were written."""
    files = sorted(file for package in PACKAGES for file in (CODE_DIR / package).rglob("*.py"))
    facts = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


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
    """Return where language models may be called; an empty list, unlike other settings, is one."""
    entries: list[str] = env.list("ASSAY_LLM_ALLOWED_HOSTS", default=["public"], may_be_empty=True)
    try:
        parse_policy(entries)
    except ValueError as error:
        raise CannotStart(f"ASSAY_LLM_ALLOWED_HOSTS={','.join(entries)} cannot be read: {error}.") from None
    return entries


def local_models() -> list[str]:
    """Return the models that judges may run in workers themselves, as NAME=FOLDER or NAME=HUB_ID@COMMIT."""
    entries: list[str] = env.list("ASSAY_LOCAL_MODELS", default=[])
    try:
        parse_models(entries)
    except ValueError as error:
        raise CannotStart(f"ASSAY_LOCAL_MODELS={','.join(entries)} cannot be read: {error}.") from None
    return entries


def single_sign_on() -> Provider | None:
    """Return the provider by which people may sign in; None unless `ASSAY_SSO_ISSUER` is set."""
    said = {
        "ASSAY_SSO_ISSUER": env.str("ASSAY_SSO_ISSUER", default=""),
        "ASSAY_SSO_CLIENT_ID": env.str("ASSAY_SSO_CLIENT_ID", default=""),
        "ASSAY_SSO_CLIENT_SECRET": env.str("ASSAY_SSO_CLIENT_SECRET", default=""),
    }
    name = env.str("ASSAY_SSO_NAME", default="").strip()
    creates_accounts = env.bool("ASSAY_SSO_CREATE_ACCOUNTS", default=False)
    missing = [variable for variable, value in said.items() if not value]
    if len(missing) == len(said):
        return None
    if missing:
        raise CannotStart(
            f"Single sign-on also needs {' and '.join(missing)}. Set all of {', '.join(said)}, or none."
        )
    issuer, client_id, client_secret = said.values()
    try:
        home = read_issuer(issuer)
    except ValueError as error:
        raise CannotStart(f"ASSAY_SSO_ISSUER={issuer} cannot be used. {error}") from None
    return Provider(issuer, client_id, client_secret, name or home.host, creates_accounts)


def trusted_proxies() -> tuple[Network, ...]:
    """Return whose X-Forwarded-For is believed: by default that of a proxy on this machine."""
    try:
        return parse_networks(
            env.list("ASSAY_TRUSTED_PROXIES", default=["127.0.0.1", "::1"], may_be_empty=True)
        )
    except ValueError as error:
        raise CannotStart(f"ASSAY_TRUSTED_PROXIES: {error}.") from None


def project_creators(*, hosts: list[str]) -> str:
    """Return who may make projects: "everyone", by default on this machine only, or "granted"."""
    default = "everyone" if all(_is_local(host) for host in hosts) else "granted"
    return _one_of("ASSAY_PROJECT_CREATORS", "everyone", "granted", default=default)


def log_format() -> str:
    """Return how lines of the log are written: as "text" or "json"."""
    return _one_of("ASSAY_LOG_FORMAT", "text", "json", default="text")


def _one_of(name: str, first: str, second: str, *, default: str) -> str:
    said: str = env.str(name, default=default)
    if said not in {first, second}:
        raise CannotStart(f"{name}: “{said}” is not valid. Use “{first}” or “{second}” instead.")
    return said


def _is_local(host: str) -> bool:
    return host in {"localhost", "127.0.0.1", "[::1]"} or host.endswith(".localhost")


def public_url() -> str:
    """Return the address by which people reach the server, without a slash at its end, or nothing."""
    said: str = env.str("ASSAY_PUBLIC_URL", default="").strip().rstrip("/")
    try:
        parts = urlsplit(said)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
        # Reading the port raises where it is no number.
        is_whole = said.isprintable() and " " not in said and said == f"{parts.scheme}://{parts.netloc}"
        is_usable = is_address and is_whole and (parts.port is None or parts.port > 0)
    except ValueError:
        is_usable = False
    if said and not is_usable:
        raise CannotStart(
            f"ASSAY_PUBLIC_URL={said} is not the address of a server. Write it as https://assay.example.org, "
            "without a path."
        )
    return said


class MailServer(NamedTuple):
    """The server that takes mail for delivery, and whom it is from; no host: no mail is sent.

    uses_starttls, uses_tls: encrypted once connected, or from the start.
    """

    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    uses_starttls: bool = False
    uses_tls: bool = False
    sender: str = ""


# The ways to a mail server, by the spelling of django-environ, with their usual ports.
MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}


def mail_server(*, public_url: str) -> MailServer:
    """Return the mail server of `ASSAY_MAIL_URL`; without that variable no mail is sent."""
    url: str = env.str("ASSAY_MAIL_URL", default="")
    sender: str = env.str("ASSAY_MAIL_FROM", default="").strip()
    if not url and not sender:
        return MailServer()
    if not url:
        raise CannotStart(
            "ASSAY_MAIL_FROM is set, but ASSAY_MAIL_URL is not. To send email, set both; otherwise, set "
            "neither."
        )
    found = _parse_mail_server(url)
    if not _is_sender(sender):
        raise CannotStart(
            f"ASSAY_MAIL_FROM={sender} is not an email address. If ASSAY_MAIL_URL is set, ASSAY_MAIL_FROM "
            "must be the address "
            "that email comes from, such as assay@example.org."
        )
    if not public_url:
        raise CannotStart(
            "ASSAY_PUBLIC_URL is missing. If ASSAY_MAIL_URL is set, ASSAY_PUBLIC_URL must be the address of "
            "this server, such as "
            "https://assay.example.org: links in email begin with it."
        )
    return found._replace(sender=sender)


def _parse_mail_server(url: str) -> MailServer:
    form = f"smtp+tls://user:password@mail.example.org:587, {ESCAPED}"
    try:
        parts = urlsplit(url)
        is_usable = (
            parts.scheme in MAIL_PORTS
            and bool(parts.hostname)
            and not (parts.path.strip("/") or parts.query or parts.fragment)
            and url.count("@") <= 1
            # Reading it raises where it is no number.
            and parts.port != 0
        )
    except ValueError:
        is_usable = False
    if not is_usable:
        # Not the address itself: it may hold a password.
        raise CannotStart(f"ASSAY_MAIL_URL is not the address of a mail server. Write it as {form}.")
    host, user = parts.hostname or "", unquote(parts.username or "")
    if user and parts.scheme == "smtp" and not _is_local(f"[{host}]" if ":" in host else host):
        raise CannotStart(
            "ASSAY_MAIL_URL would send the password unencrypted. Write smtp+tls:// (STARTTLS, port 587) or "
            "smtp+ssl:// (TLS, port 465) instead of smtp://."
        )
    return MailServer(
        host=host,
        port=parts.port or MAIL_PORTS[parts.scheme],
        user=user,
        password=unquote(parts.password or ""),
        uses_starttls=parts.scheme == "smtp+tls",
        uses_tls=parts.scheme == "smtp+ssl",
    )


def _is_sender(text: str) -> bool:
    try:
        validate_email(parseaddr(text)[1])
    except ValidationError:
        return False
    return text.isprintable()


def quota(name: str, *, default: int) -> int:
    """Return a whole number above 0."""
    said: str = env.str(name, default=str(default)).replace("_", "")
    if not (said.isascii() and said.isdigit() and int(said)):
        raise CannotStart(f"{name}: “{said}” is not a whole number above 0.")
    return int(said)
