"""Hostile text in every field of every page is shown as text: it runs nothing and asks for nothing."""

import json
import re
from collections.abc import Iterable

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

from tests.e2e.conftest import Product
from tests.e2e.hostile_pages import (
    DIALOGS,
    FOR_ANNOTATORS,
    GUIDELINES,
    LEAVING,
    OTHERS,
    SHOWS,
    SIGNED_OUT,
    TOLD,
    TRAINING,
    UNFOLDS,
    Stop,
)
from tests.e2e.hostile_study import LONG
from tests.e2e.hostile_work import TRAINEE
from tests.e2e.pages import PAGES, PASSWORD, collect_complaints, open_context, sign_in

pytestmark = pytest.mark.browser

SLUG = "hostile"
LISTEN = """
window.heard = [];
window.canary = () => window.heard.push("a script ran");
document.addEventListener("securitypolicyviolation", (report) =>
  window.heard.push(`policy: ${report.violatedDirective} ${report.blockedURI}`));
"""
IS_SHOWN = """(patterns) => {
  const typed = [...document.querySelectorAll("input, textarea")].map((field) => field.value);
  const text = [document.body.textContent, ...typed].join("\\n");
  const isLoading = document.querySelector("[aria-label=Loading]") !== null;
  return !isLoading && patterns.every((pattern) => new RegExp(pattern).test(text));
}"""
# Elements and addresses that only a text read as HTML could have made, and what was heard.
FINDINGS = """() => {
  const links = [...document.querySelectorAll("[href], [src], [action], [formaction], [srcdoc]")];
  const addresses = links.flatMap((link) => link.getAttributeNames()
    .filter((name) => ["href", "src", "action", "formaction", "srcdoc"].includes(name))
    .map((name) => link.getAttribute(name)));
  const handlers = [...document.querySelectorAll("*")].filter((element) =>
    element.getAttributeNames().some((name) => name.startsWith("on")));
  const root = document.documentElement;
  return [
    ...window.heard,
    ...addresses.filter((address) => /^\\s*(javascript|data|file|vbscript):/i.test(address)),
    ...handlers.map((element) => `handler on ${element.tagName}`),
    ...[...document.querySelectorAll("x-canary, iframe, object, embed, main style, main script")]
      .map((element) => `element ${element.tagName}`),
    ...(root.scrollWidth > root.clientWidth ? ["scrolls sideways"] : []),
  ];
}"""


def watch(context: BrowserContext, *, url: str, heard: list[str]) -> Page:
    """Open a page whose complaints, errors and requests are noted."""
    context.add_init_script(LISTEN)
    page = context.new_page()

    def hear_request(request: Request) -> None:
        if not request.url.startswith(url) or request.url.endswith("/canary.png"):
            heard.append(f"asked for {request.url}")

    def hear_console(message: ConsoleMessage) -> None:
        if message.type == "error" and "403" not in message.text:
            heard.append(message.text)

    page.on("request", hear_request)
    page.on("console", hear_console)
    return page


def expect_shown(page: Page, names: Iterable[str]) -> None:
    """Wait until nothing loads any more and the texts of these fields are there, letter by letter."""
    payload = f"({re.escape(LONG)}|<x-canary )"
    patterns = [f"{re.escape(name)}(#\\d+)? {payload}" for name in names]
    page.wait_for_function(IS_SHOWN, arg=patterns)


def visit(page: Page, stop: Stop, ids: dict[str, str]) -> list[str]:
    """Open a page, what unfolds on it and its dialogs; return what is wrong with any of them."""
    path = stop.path.format(slug=SLUG, **ids)
    page.goto(path)
    page.locator("main h1").first.wait_for()
    expect_shown(page, stop.shows)
    found = page.evaluate(FINDINGS)
    for button, shows in stop.unfolds:
        named = re.compile(f"^{button}\\b")
        # What a heading is followed by begins right after it.
        folded = page.locator("summary").filter(has_text=re.compile(f"^{button}"))
        page.get_by_role("button", name=named).or_(folded).first.wait_for()
        # Of many that are named alike the first few show every field.
        for each in [*folded.all()[:3], *page.get_by_role("button", name=named).all()[:1]]:
            each.click()
        expect_shown(page, shows)
        found += page.evaluate(FINDINGS)
    for button, shows in stop.dialogs:
        page.get_by_role("button", name=re.compile(f"^{button}\\b")).first.click()
        page.get_by_role("dialog").wait_for()
        expect_shown(page, shows)
        found += page.evaluate(FINDINGS)
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="hidden")
    return [f"{path}: {finding}" for finding in found]


@pytest.fixture(scope="module")
def ids(product: Product) -> dict[str, str]:
    """The hostile study in the running installation, and where its things are."""
    code = "from tests.e2e.hostile_study import fill; fill()"
    found: dict[str, str] = json.loads(product.manage("shell", "-v0", "-c", code))
    return found


class TestHostileText:
    def test_is_shown_as_text_to_leads(self, product: Product, browser: Browser, ids: dict[str, str]) -> None:
        heard: list[str] = []
        context = open_context(browser, url=product.url, width="phone")
        page = watch(context, url=product.url, heard=heard)
        complaints = collect_complaints(page)
        found = [finding for stop in SIGNED_OUT for finding in visit(page, stop, ids)]
        sign_in(page, username=f"lead-{SLUG}", password=PASSWORD)
        pages = [
            Stop(place.path, *(known.get(place.name, ()) for known in (SHOWS, DIALOGS, UNFOLDS)))
            for place in PAGES
            if place.who and not place.path.startswith("/demo")
        ]
        for stop in (*pages, *OTHERS):
            found += visit(page, stop, ids)
        context.close()
        assert found + heard + complaints() == []

    def test_is_shown_as_text_to_annotators(
        self, product: Product, browser: Browser, ids: dict[str, str]
    ) -> None:
        heard: list[str] = []
        context = open_context(browser, url=product.url, width="phone")
        page = watch(context, url=product.url, heard=heard)
        complaints = collect_complaints(page)
        sign_in(page, username=f"annotator-{SLUG}", password=PASSWORD)
        found = visit(page, LEAVING, ids)
        found += visit(page, GUIDELINES, ids)
        page.get_by_role("button", name="I have read the guidelines").click()
        page.get_by_role("radiogroup").first.wait_for()
        for stop in FOR_ANNOTATORS:
            found += visit(page, stop, ids)
        for key in "sf?":
            page.keyboard.press(key)
            page.get_by_role("dialog").wait_for()
            found += page.evaluate(FINDINGS)
            page.keyboard.press("Escape")
            page.get_by_role("dialog").wait_for(state="hidden")
        context.close()
        assert found + heard + complaints() == []

    def test_is_shown_as_text_in_the_training(
        self, product: Product, browser: Browser, ids: dict[str, str]
    ) -> None:
        heard: list[str] = []
        context = open_context(browser, url=product.url, width="phone")
        page = watch(context, url=product.url, heard=heard)
        complaints = collect_complaints(page)
        sign_in(page, username=TRAINEE, password=PASSWORD)
        page.goto(TRAINING.path.format(slug=SLUG))
        page.get_by_role("button", name="I have read the guidelines").click()
        page.get_by_role("radiogroup").first.wait_for()
        found = visit(page, TRAINING, ids)
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        expect_shown(page, TOLD)
        found += page.evaluate(FINDINGS)
        context.close()
        assert found + heard + complaints() == []
