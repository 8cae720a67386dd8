"""The next sheet after a confirm, from the key's press to its paint, in a real browser on a real server."""

import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.apparatus.browser import (
    PASSWORD,
    on_sqlite,
    open_browser,
    running_product,
    show_times,
    wait_for_paint,
    watch_paints,
)
from benchmarks.apparatus.inputs import write_answers
from commands.reproduction.steps import run_command

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SLUG = "bench"
SHEETS = 120
ANSWERS_A_QUESTION = 3
GOAL_MILLISECONDS = 50


def run() -> None:
    """Print median and p95 over the sheets; skipped without Chromium or a built front end."""
    with tempfile.TemporaryDirectory() as name, open_browser() as browser:
        if browser is None:
            return
        folder = Path(name)
        environment = on_sqlite(folder)
        with running_product(folder, environment) as url:
            _make_study(folder, environment)
            times = _measure(browser, url)
        show_times(times, of="sheets", goal=GOAL_MILLISECONDS)


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
    watch_paints(page, "#question")
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
        wait_for_paint(page, done)
        if done == SHEETS:
            break
    times: list[float] = page.evaluate("window.times")
    return times
