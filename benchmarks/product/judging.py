"""The next sheet after a confirm, from the key's press to its paint, in a real browser on a real server."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from benchmarks.apparatus.inputs import write_answers
from commands.reproduction.steps import run_command
from tools.with_services import free_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
SLUG = "bench"
PASSWORD = "correct horse battery"
SHEETS = 120
ANSWERS_A_QUESTION = 3
GOAL_MILLISECONDS = 50

# From the time the system gives the press to the first moment after the frame with the next question.
MEASURE = """() => {
    window.times = [];
    let pressedAt = null;
    addEventListener("keydown", (event) => {
        if (event.key === "Enter") pressedAt = event.timeStamp;
    }, { capture: true });
    let shown = document.querySelector("#question").textContent;
    const look = () => {
        const text = document.querySelector("#question")?.textContent;
        if (text === undefined || text === shown) return;
        shown = text;
        const from = pressedAt;
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => window.times.push(performance.now() - from);
            port2.postMessage(null);
        });
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
}"""


def run() -> None:
    """Print median and p95 over the sheets; skipped without Chromium or a built front end."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None or not (ROOT / "frontend/dist/index.html").is_file():
        print("skipped: needs Chromium and a built front end (make build)")
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, _product(Path(folder)) as url, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        times = _measure(browser, url)
        p95 = quantiles(times, n=20)[-1]
        print(
            f"{len(times)} sheets: median {median(times):.1f} ms, p95 {p95:.1f} ms, most {max(times):.1f} ms "
            f"(goal {GOAL_MILLISECONDS}, load of the machine {os.getloadavg()[0]:.1f})"
        )
        browser.close()


@contextmanager
def _product(folder: Path) -> Iterator[str]:
    """Start everything as people do, on SQLite, with a study to judge; and stop it again."""
    port = free_port()
    environment = {**os.environ, "ASSAY_DATA": str(folder), "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3"}
    serve = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with (folder / "serve.log").open("w") as log:
        process = subprocess.Popen(
            serve, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            _wait_until_up(f"http://127.0.0.1:{port}", process)
            _make_study(folder, environment)
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


def _make_study(folder: Path, environment: dict[str, str]) -> None:
    path = folder / "answers.jsonl"
    answers = write_answers(path, questions=2 * SHEETS, systems=ANSWERS_A_QUESTION)
    for arguments, given in (
        (("create_user", "bench-lead", "--password-stdin"), f"{PASSWORD}\n"),
        (("create_project", SLUG, "--lead", "bench-lead", "--protocol", "openqa-eval"), None),
        (("import_data", "--project", SLUG, str(answers)), None),
    ):
        assert run_command(*arguments, environment=environment, given=given).returncode == 0


def _measure(browser: "Browser", url: str) -> list[float]:
    """Let somebody new judge so many sheets and return the milliseconds from confirm to paint."""
    from tests.e2e.pages import invite, join, sign_in, start_judging

    lead, rater = (browser.new_context(base_url=url) for _ in range(2))
    page = lead.new_page()
    sign_in(page, username="bench-lead", password=PASSWORD)
    link = invite(page, "Annotator", slug=SLUG)
    lead.close()
    page = rater.new_page()
    join(page, link, username="bench-rater", slug=SLUG)
    start_judging(page, slug=SLUG)
    page.evaluate(MEASURE)
    times = _judge(page)
    rater.close()
    return times


def _judge(page: "Page") -> list[float]:
    for done in count(1):
        # A person takes seconds for a sheet; what was handed in has long been saved by then.
        page.get_by_text("saved", exact=True).wait_for()
        for _ in range(page.get_by_role("radiogroup").count()):
            page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.wait_for_function("done => window.times.length === done", arg=done)
        if done == SHEETS:
            break
    times: list[float] = page.evaluate("window.times")
    return times
