"""The next answer after a decision, from the key's press to its paint, in a real browser on a real server."""

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from annotation.adjudication.models import Decision
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate
from benchmarks.apparatus.browser import (
    PASSWORD,
    on_sqlite,
    open_browser,
    running_product,
    show_times,
    wait_for_paint,
    watch_paints,
)
from benchmarks.apparatus.databases import start_study
from benchmarks.apparatus.processes import run_apart
from benchmarks.apparatus.study import fill_with_verdicts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SLUG = "deciding"
QUESTIONS = 100
WAITING = 400
DECISIONS = 60
GOAL_MILLISECONDS = 150
SCREEN = (1366, 768)
# A person takes longer to read an answer; what was decided is saved by then, and the next answer there.
READING_SECONDS = 0.5

# Whether the button that decides is in sight.
IS_IN_SIGHT = """(() => {
    const button = document.querySelector("form[aria-label=Decision] [type=submit]");
    const { top, bottom } = button.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
})()"""


def run() -> None:
    """Print median and p95 over the decisions; skipped without Chromium or a built front end."""
    with tempfile.TemporaryDirectory() as name, open_browser() as browser:
        if browser is None:
            return
        folder = Path(name)
        environment = on_sqlite(folder)
        run_apart("chromium.deciding", "prepare", environment=environment)
        with running_product(folder, environment) as url:
            measured = _measure(browser, url)
        show_times(measured.times, of="decisions", goal=GOAL_MILLISECONDS)
        print(
            f"requests a decision: {measured.requests / len(measured.times):.2f}; "
            f"decided without scrolling at {SCREEN[0]} × {SCREEN[1]}: {measured.in_sight}"
        )


def prepare() -> None:
    """Make a study whose first answers wait for the lead, who has a password."""
    project = start_study("Deciding", slug=SLUG)
    fill_with_verdicts(project, QUESTIONS)
    lead = project.created_by
    assert lead is not None
    lead.set_password(PASSWORD)
    lead.save()
    waiting = Candidate.objects.filter(project=project).order_by("pk")[:WAITING]
    ids = list(waiting.values_list("pk", flat=True))
    GoldChange.objects.filter(decision__candidate__in=ids).delete()
    Decision.objects.filter(candidate__in=ids).delete()
    Candidate.objects.filter(pk__in=ids).update(state=Candidate.State.DISPUTED)


class Measured(NamedTuple):
    """Milliseconds of each decision; requests of all of them; in_sight: how often the button was."""

    times: list[float]
    requests: int
    in_sight: int


def _measure(browser: "Browser", url: str) -> Measured:
    from tests.e2e.pages import sign_in

    context = browser.new_context(base_url=url, viewport={"width": SCREEN[0], "height": SCREEN[1]})
    page = context.new_page()
    sign_in(page, username="lead", password=PASSWORD)
    page.goto(f"/{SLUG}/queue")
    page.locator("article h2").wait_for()
    time.sleep(READING_SECONDS)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(f"{request.method} {request.url}"))
    watch_paints(page, "article h2", look=IS_IN_SIGHT)
    _decide(page)
    # The list is asked for every so often, whatever is decided.
    asked = [each for each in requests if "/api/" in each and not each.endswith("/queue")]
    measured = Measured(page.evaluate("times"), len(asked), page.evaluate("seen.filter(Boolean).length"))
    context.close()
    return measured


def _decide(page: "Page") -> None:
    for done in range(1, DECISIONS + 1):
        page.keyboard.press("1")
        page.keyboard.press("e")
        page.keyboard.press("Enter")
        wait_for_paint(page, done)
        time.sleep(READING_SECONDS)
