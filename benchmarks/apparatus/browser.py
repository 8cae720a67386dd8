"""A running product and a browser that looks at it."""

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from tools.with_services import free_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery"

# From the time the system gives the press of Enter to the first moment after the frame with another text in
# the place, in `window.times`; what else is looked at then, in `window.seen`.
_WATCH_PAINTS = """(place) => {
    window.times = [];
    window.seen = [];
    let pressedAt = null;
    addEventListener("keydown", (event) => {
        if (event.key === "Enter") pressedAt = event.timeStamp;
    }, { capture: true });
    const shownNow = () => document.querySelector(place)?.textContent;
    let shown = shownNow();
    new MutationObserver(() => {
        const text = shownNow();
        if (text === undefined || text === shown) return;
        shown = text;
        const from = pressedAt;
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => {
                window.seen.push(LOOK);
                window.times.push(performance.now() - from);
            };
            port2.postMessage(null);
        });
    }).observe(document.body, { subtree: true, childList: true });
}"""


@contextmanager
def open_browser() -> Iterator["Browser | None"]:
    """Start Chromium; none, saying so, without it or without a built front end."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None or not (ROOT / "frontend/dist/index.html").is_file():
        print("skipped: needs Chromium and a built front end (make build)")
        yield None
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def on_sqlite(folder: Path) -> dict[str, str]:
    """Return what a process is given to keep all it has in a folder."""
    return {**os.environ, "ASSAY_DATA": str(folder), "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3"}


@contextmanager
def running_product(folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """Start everything as people do and yield where it is; stop it again."""
    port = free_port()
    serve = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with (folder / "serve.log").open("w") as log:
        process = subprocess.Popen(
            serve, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            _wait_until_up(f"http://127.0.0.1:{port}", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=20)


def _wait_until_up(url: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(1_800):
        try:
            with urllib.request.urlopen(f"{url}/api/session", timeout=1):
                return
        except (urllib.error.URLError, OSError):
            if process.poll() is not None:
                break
            time.sleep(0.1)
    raise RuntimeError("the product did not come up")


def watch_paints(page: "Page", place: str, *, look: str = "null") -> None:
    """Measure from now on how long after Enter another text is painted in a place.

    look: an expression of JavaScript whose value is noted then. `wait_for_paint` waits for one;
    `page.evaluate("times")` returns milliseconds, `"seen"` the values.
    """
    page.evaluate(_WATCH_PAINTS.replace("LOOK", look), place)


def wait_for_paint(page: "Page", number: int) -> None:
    """Wait for the paint of this number, from 1."""
    page.wait_for_function("number => window.times.length === number", arg=number)


def show_times(times: list[float], *, of: str, goal: int) -> None:
    """Print median, p95 and the slowest, in milliseconds."""
    print(
        f"{len(times)} {of}: median {median(times):.1f} ms, p95 {quantiles(times, n=20)[-1]:.1f} ms, "
        f"most {max(times):.1f} ms (goal {goal}, load of the machine {os.getloadavg()[0]:.1f})"
    )
