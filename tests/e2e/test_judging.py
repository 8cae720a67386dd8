"""The judging page in a real browser: drafts, undo, a lost network, two tabs."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.e2e.conftest import Product
from tests.e2e.pages import open_context, sign_in

pytestmark = pytest.mark.browser

LABELS_NOW = """() => [...document.querySelectorAll("[role=radiogroup] input:checked")].length"""


def question(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)


def open_judging(page: Page) -> str:
    """Open the page and return the question shown; the demo's raters have read its guidelines."""
    page.goto("/demo/judge")
    expect(page.get_by_role("radiogroup").first).to_be_visible()
    return question(page).inner_text()


def judge_sheet(page: Page) -> str:
    """Judge the sheet in front by keyboard and return its question."""
    text = question(page).inner_text()
    for number in range(page.get_by_role("radiogroup").count()):
        page.keyboard.press("12"[number % 2])
    page.keyboard.press("Enter")
    return text


@pytest.fixture(scope="module")
def demo(product: Product) -> Product:
    """The demo study in the running installation."""
    product.manage("load_demo")
    return product


@pytest.fixture
def context(demo: Product, browser: Browser) -> Iterator[BrowserContext]:
    """A browser in which the second annotator of the demo study is signed in."""
    context = open_context(browser, url=demo.url)
    page = context.new_page()
    sign_in(page, username="annotator2", password="assay-demo")
    page.close()
    yield context
    context.close()


def press_on_azerty(page: Page, *, prints: str, code: str) -> None:
    """Press a key as a French keyboard does: by its place, with what is printed there."""
    keys = page.context.new_cdp_session(page)
    for act in ("keyDown", "keyUp"):
        keys.send("Input.dispatchKeyEvent", {"type": act, "key": prints, "code": code, "text": prints})
    keys.detach()


class TestJudging:
    def test_labels_and_comments_survive_a_reload(self, context: BrowserContext) -> None:
        page = context.new_page()
        text = open_judging(page)
        press_on_azerty(page, prints="&", code="Digit1")
        expect(page.get_by_role("radio", name="Correct", exact=True).first).to_be_checked()
        page.keyboard.press("k")
        page.keyboard.press("c")
        page.keyboard.type("1 s u: typed, not commanded")
        page.keyboard.press("Enter")
        # Another test may have left labels on this sheet.
        labels = page.evaluate(LABELS_NOW)
        page.reload()
        expect(question(page)).to_have_text(text)
        expect(page.get_by_label("Comment")).to_have_value("1 s u: typed, not commanded")
        assert page.evaluate(LABELS_NOW) == labels >= 1

    def test_the_last_sheet_comes_back_with_its_labels(self, context: BrowserContext) -> None:
        page = context.new_page()
        open_judging(page)
        text = judge_sheet(page)
        expect(question(page)).not_to_have_text(text)
        expect(page.get_by_text("all saved", exact=True)).to_be_visible()
        page.keyboard.press("u")
        expect(question(page)).to_have_text(text)
        assert page.evaluate(LABELS_NOW) == page.get_by_role("radiogroup").count()

    def test_work_without_a_network_is_kept_and_sent_once(self, context: BrowserContext) -> None:
        page = context.new_page()
        open_judging(page)
        submits: list[str] = []
        page.on(
            "response",
            lambda reply: submits.append(reply.url) if reply.ok and reply.url.endswith("/submit") else None,
        )
        context.set_offline(True)
        text = judge_sheet(page)
        expect(question(page)).not_to_have_text(text)
        expect(
            page.get_by_text("offline: 1 question saved in this browser", exact=False).first
        ).to_be_visible()
        context.set_offline(False)
        expect(page.get_by_text("all saved", exact=True)).to_be_visible()
        assert len(submits) == 1

    def test_a_sheet_handed_in_twice_says_so_in_words(self, context: BrowserContext) -> None:
        first, second = context.new_page(), context.new_page()
        assert open_judging(first) == open_judging(second)
        text = judge_sheet(first)
        expect(first.get_by_text("all saved", exact=True)).to_be_visible()
        judge_sheet(second)
        expect(second.get_by_role("alert")).to_contain_text("already submitted")
        expect(question(second)).not_to_have_text(text)

    def test_a_search_opens_apart_and_knows_nothing_of_this_page(self, context: BrowserContext) -> None:
        page = context.new_page()
        open_judging(page)
        with context.expect_page() as opened:
            page.keyboard.press("e")
        assert opened.value.evaluate("window.opener") is None
        expect(page.get_by_label("Web address")).to_be_focused()

    def test_a_phone_shows_everything_without_scrolling_sideways(
        self, demo: Product, browser: Browser
    ) -> None:
        context = open_context(browser, url=demo.url, width="phone")
        page = context.new_page()
        sign_in(page, username="annotator2", password="assay-demo")
        open_judging(page)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        heights = [option.bounding_box() for option in page.locator("[role=radiogroup] label").all()]
        assert all(box is not None and box["height"] >= 44 for box in heights)
        expect(page.get_by_role("button", name=re.compile("left|Confirm"))).to_be_in_viewport()
        context.close()
