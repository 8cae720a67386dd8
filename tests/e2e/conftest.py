"""The real product for browser tests: web server, worker and queue as processes of their own."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.tables import database_with_tables

ROOT = Path(__file__).resolve().parent.parent.parent
# The first draws the same pages without a browser's windows around them, which takes a third less work.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, CHROMIUMS)), None)
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    # Nothing is drawn by a graphics card, so that there is no driver to keep apart.
    "--in-process-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
REQUIRED = os.environ.get("ASSAY_REQUIRE_SERVICES") == "1"


class Product(NamedTuple):
    """A running installation, and a process that runs commands on it."""

    url: str
    commands: "subprocess.Popen[str]"
    environment: dict[str, str]

    def manage(self, *arguments: str, text_in: str = "") -> str:
        """Run a management command on the installation and return what it prints."""
        assert self.commands.stdin is not None
        assert self.commands.stdout is not None
        self.commands.stdin.write(json.dumps({"arguments": arguments, "text_in": text_in}) + "\n")
        self.commands.stdin.flush()
        told = json.loads(self.commands.stdout.readline())
        assert not told["error"], told["error"]
        return str(told["printed"])


def _missing(reason: str) -> None:
    if REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


# Not for the whole session: while it is open, Django takes this process for an asynchronous one.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A real Chromium; where none is installed the test is skipped, by name."""
    if CHROMIUM is None:
        _missing("no Chromium is installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def database_url() -> Iterator[str]:
    """A database of its own on the server under test, or a SQLite file; with the tables, as after an update.

    Starting on nothing is tested in `tests/commands/test_serve.py`.
    """
    with database_with_tables(f"assay_e2e_{os.getpid()}") as address:
        yield address


def _own_queue(test_process: str) -> dict[str, str]:
    """Return a Redis database of this process's own: another product's worker would take our tasks."""
    url = os.environ.get("REDIS_URL")
    if not url:
        return {}
    server, _, number = url.rpartition("/")
    # Redis comes with 16 of them.
    return {"REDIS_URL": f"{server}/{(int(number) + 1 + int(test_process[2:])) % 16}"}


@pytest.fixture(scope="package")
def product(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """Start everything with the command that people use, and stop it by its process group."""
    if not (ROOT / "frontend" / "dist" / "index.html").is_file():
        _missing("the front end is not built: run make build")
    port = _free_port()
    folder = tmp_path_factory.mktemp("data")
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.e2e.settings",
        "DATABASE_URL": database_url,
        "ASSAY_DATA": str(folder),
        # The models of the tests run on this machine.
        "ASSAY_LLM_ALLOWED_HOSTS": "127.0.0.1",
        **_own_queue(os.environ.get("PYTEST_XDIST_WORKER", "gw0")),
    }
    log = (folder / "serve.log").open("w+")
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port)],
        cwd=ROOT,
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_up(url=url, process=process, log=folder / "serve.log")
        with subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.commands"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as commands:
            yield Product(url=url, commands=commands, environment=environment)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=120)
        finally:
            log.close()


@contextmanager
def another_web_server(product: Product, folder: Path, **settings: str) -> Iterator[str]:
    """Serve the same installation by other settings, too, and yield where."""
    port = _free_port()
    with (folder / "web.log").open("w+") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve_web", "--port", str(port)],
            cwd=ROOT,
            env={**product.environment, **settings},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_until_up(url=url, process=process, log=folder / "web.log")
            yield url
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=120)


def _wait_until_up(*, url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    # A busy machine takes minutes to make the tables and start four processes.
    for _ in range(1_800):
        if process.poll() is not None:
            pytest.fail(f"the product stopped at once:\n{log.read_text()[-3000:]}")
        try:
            with urllib.request.urlopen(f"{url}/api/session", timeout=10):
                return
        except (urllib.error.URLError, OSError):
            # Waiting for a process of our own; its end is noticed above.
            select_nothing(seconds=0.1)
    pytest.fail(f"the product did not come up:\n{log.read_text()[-3000:]}")


def select_nothing(*, seconds: float) -> None:
    """Wait a moment for another process."""
    import select

    select.select([], [], [], seconds)
