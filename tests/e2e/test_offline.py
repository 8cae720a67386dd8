"""Work without a network in a real browser: it goes on, and everything arrives once and in order."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Response, Route, expect

from tests.e2e.conftest import Product
from tests.e2e.pages import (
    PASSWORD,
    invite,
    join,
    open_context,
    question_of,
    rows_of,
    sign_in,
    start_judging,
    wait_until_saved,
)

pytestmark = pytest.mark.browser

SLUG = "away"
QUESTIONS = 75
SHEETS_JUDGED = 20


class Away(NamedTuple):
    """A rater of a study of many questions, in a browser whose network can be cut."""

    product: Product
    context: BrowserContext
    page: Page
    folder: Path

    def arrived(self) -> list[str]:
        """Return the questions whose votes the server holds, in the order they were given."""
        to = self.folder / "votes.jsonl"
        self.product.manage("export_data", "--project", SLUG, "--format", "votes-jsonl", "--output", str(to))
        votes = [json.loads(line) for line in to.read_text(encoding="utf-8").splitlines()]
        return [vote["question"] for vote in sorted(votes, key=lambda vote: str(vote["judged_at"]))]


@pytest.fixture
def away(product: Product, browser: Browser, tmp_path: Path) -> Iterator[Away]:
    product.manage("create_user", "away-lead", "--password-stdin", text_in=f"{PASSWORD}\n")
    product.manage("create_project", SLUG, "--lead", "away-lead", "--protocol", "openqa-eval")
    answers = tmp_path / "north.jsonl"
    rows = (
        {"question": f"what is {n} and {n}", "answer": str(2 * n), "prediction": f"about {2 * n}"}
        for n in range(QUESTIONS)
    )
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    product.manage("import_data", "--project", SLUG, str(answers))
    lead, context = (open_context(browser, url=product.url) for _ in range(2))
    page = lead.new_page()
    sign_in(page, username="away-lead", password=PASSWORD)
    link = invite(page, "Annotator", slug=SLUG)
    lead.close()
    rater = context.new_page()
    join(rater, link, username="away-rater", slug=SLUG)
    yield Away(product, context, rater, tmp_path)
    context.close()


def has_all_sheets(reply: Response) -> bool:
    if not reply.url.endswith("/sheets/next"):
        return False
    try:
        return len(reply.json()["sheets"]) > SHEETS_JUDGED
    except Error:
        # It came to the page before this one, and nobody reads it any more.
        return False


def judge_one(page: Page) -> str:
    """Judge the sheet in front and return its question once the next one is shown."""
    text = question_of(page)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_function("old => document.querySelector('#question')?.innerText !== old", arg=text)
    return text


def lose_first_reply(page: Page) -> list[str]:
    """Let the server take the first sheet while its reply never comes back; returns all that is sent."""
    sent: list[str] = []

    def pass_on(route: Route) -> None:
        sent.append(route.request.url)
        if len(sent) > 1:
            route.continue_()
            return
        route.fetch()
        route.abort("connectionreset")

    page.route("**/submit", pass_on)
    return sent


class TestOffline:
    def test_twenty_sheets_judged_without_a_network_arrive_once_and_in_order(self, away: Away) -> None:
        page = away.page
        page.clock.install()
        with page.expect_response(has_all_sheets):
            start_judging(page, slug=SLUG)
        away.context.set_offline(True)
        judged = []
        for _ in range(SHEETS_JUDGED):
            judged.append(judge_one(page))
            page.clock.run_for(6_000)
        expect(
            page.get_by_text("offline: 20 questions saved in this browser, to be sent later").first
        ).to_be_visible()
        assert away.arrived() == []
        # The tab is closed without a network; what it held must not be lost with it.
        page.close()
        again = away.context.new_page()
        sent = lose_first_reply(again)
        away.context.set_offline(False)
        again.clock.install()
        again.goto(f"/{SLUG}/judge")
        again.get_by_role("button", name="Try now").or_(rows_of(again).first).first.wait_for()
        again.clock.run_for(10_000)
        wait_until_saved(again)
        assert away.arrived() == judged
        assert len(sent) == len(judged) + 1
        assert question_of(again) not in judged
