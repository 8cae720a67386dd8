"""Adjudication in a real browser, by keyboard alone: nothing here moves or presses a mouse."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import Product
from tests.e2e.disputed_study import ANSWERS, LEAD, SLUG
from tests.e2e.pages import collect_complaints, open_context, sign_in
from tests.factories import PASSWORD

pytestmark = pytest.mark.browser

# What has the focus, and whether somebody who looks at the window can see that.
FOCUS = """() => {
  const element = document.activeElement;
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  return {
    name: element.getAttribute("aria-label") || element.labels?.[0]?.innerText || element.innerText || "",
    tag: element.tagName,
    isInView: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
    isMarked: parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none",
    isInDialog: element.closest("dialog") !== null,
  };
}"""


def focus_of(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(FOCUS)
    return found


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def walk(page: Page, *, to: str, most: int = 60) -> list[dict[str, Any]]:
    """Press Tab until something of this name has the focus, and return everything that had it."""
    stops = []
    for _ in range(most):
        page.keyboard.press("Tab")
        stops.append(focus_of(page))
        if stops[-1]["name"].startswith(to):
            return stops
    raise AssertionError(f"Tab reaches no {to!r}: {[stop['name'] for stop in stops]}")


def unseen(stops: list[dict[str, Any]]) -> list[str]:
    return [stop["name"] for stop in stops if not (stop["isInView"] and stop["isMarked"])]


def expect_answer(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=2, name=text, exact=True)).to_be_visible()


def line_of(page: Page, text: str) -> Locator:
    return (
        page.get_by_role("list", name="Answers waiting for a decision")
        .get_by_role("listitem")
        .filter(has_text=text)
    )


@pytest.fixture(scope="module")
def study(product: Product) -> Product:
    product.manage("shell", "-v0", "-c", "from tests.e2e.disputed_study import fill; fill()")
    return product


@pytest.fixture
def page(study: Product, browser: Browser) -> Iterator[Page]:
    """The queue, opened by a lead who is signed in."""
    context = open_context(browser, url=study.url)
    page = context.new_page()
    sign_in(page, username=LEAD, password=PASSWORD)
    page.goto(f"/{SLUG}/queue")
    expect_answer(page, ANSWERS[0])
    yield page
    context.close()


class TestKeyboardAlone:
    """Each test leaves the queue as it found it."""

    def test_a_label_a_category_a_reason_and_enter_decide_and_u_takes_it_back(self, page: Page) -> None:
        complaints = collect_complaints(page)
        press(page, "1", "e", "r")
        assert focus_of(page)["tag"] == "TEXTAREA"
        page.keyboard.type("seen on a map")
        press(page, "Escape", "Enter")
        expect_answer(page, ANSWERS[1])
        expect(line_of(page, ANSWERS[0])).to_contain_text("Correct")
        press(page, "u")
        expect_answer(page, ANSWERS[0])
        expect(line_of(page, ANSWERS[0]).get_by_role("checkbox")).to_be_enabled()
        press(page, "j")
        expect_answer(page, ANSWERS[1])
        press(page, "k")
        expect_answer(page, ANSWERS[0])
        assert complaints() == []

    def test_s_sends_back_for_a_reason_and_u_calls_back(self, page: Page) -> None:
        press(page, "j")
        expect_answer(page, ANSWERS[1])
        press(page, "s")
        dialog = page.get_by_role("dialog", name="Send back to annotators")
        expect(dialog).to_be_visible()
        assert focus_of(page)["name"] == "Reason"
        press(page, "Escape")
        expect(dialog).to_be_hidden()
        press(page, "s")
        page.keyboard.type("please look it up")
        press(page, "Enter")
        expect_answer(page, ANSWERS[2])
        expect(line_of(page, ANSWERS[1])).to_contain_text("Sent back to annotators")
        press(page, "u")
        expect_answer(page, ANSWERS[1])
        expect(page.get_by_text("Answer recalled from annotators.")).to_be_visible()
        expect(page.get_by_text("please look it up")).to_be_visible()

    def test_a_dialog_keeps_the_focus_and_gives_it_back(self, page: Page) -> None:
        assert unseen(walk(page, to="Send back to annotators")) == []
        press(page, "Enter")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.type("why")
        stops = walk(page, to="Send back")
        assert all(stop["isInDialog"] for stop in stops)
        assert unseen(stops) == []
        press(page, "Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        assert focus_of(page)["name"].startswith("Send back to annotators")

    def test_tab_and_enter_alone_decide_and_the_focus_goes_on_with_the_answer(self, page: Page) -> None:
        stops = walk(page, to="Incorrect")
        press(page, "Enter")
        stops += walk(page, to="Missing knowledge or evidence")
        press(page, "Space")
        stops += walk(page, to="Decide and continue")
        assert unseen(stops) == []
        press(page, "Enter")
        expect_answer(page, ANSWERS[1])
        assert page.evaluate("() => document.activeElement.contains(document.querySelector('article h2'))")
        assert focus_of(page)["tag"] != "BODY"
        press(page, "u")
        expect_answer(page, ANSWERS[0])

    def test_the_help_names_all_keys_and_closes_again(self, page: Page) -> None:
        press(page, "?")
        help_sheet = page.get_by_role("dialog")
        for words in ("Send back to annotators", "Decide and continue", "Undo last decision"):
            expect(help_sheet.get_by_text(words)).to_be_visible()
        press(page, "Escape")
        expect(help_sheet).to_be_hidden()
        press(page, "j")
        expect_answer(page, ANSWERS[1])

    def test_f_leads_into_the_filters_also_where_they_are_folded(
        self, study: Product, browser: Browser
    ) -> None:
        context = open_context(browser, url=study.url, width="phone")
        page = context.new_page()
        sign_in(page, username=LEAD, password=PASSWORD)
        page.goto(f"/{SLUG}/queue")
        expect(line_of(page, ANSWERS[0])).to_be_visible()
        expect(page.get_by_label("Reason for waiting")).to_be_hidden()
        press(page, "f")
        assert focus_of(page)["name"].startswith("Reason for waiting")
        press(page, "Escape")
        context.close()


class TestWindow:
    @pytest.mark.parametrize(("width", "height"), [(1440, 900), (1366, 768), (1440, 500)])
    def test_shows_the_button_and_why_it_refuses(self, page: Page, width: int, height: int) -> None:
        page.set_viewport_size({"width": width, "height": height})
        button = page.get_by_role("button", name="Decide and continue")
        expect(button).to_be_in_viewport(ratio=1)
        press(page, "1", "Enter")
        expect(page.get_by_text("Choose a reason, or write an explanation.")).to_be_in_viewport(ratio=1)
        expect(button).to_be_in_viewport(ratio=1)
        expect_answer(page, ANSWERS[0])

    def test_of_a_small_laptop_shows_all_that_a_decision_takes(self, page: Page) -> None:
        page.set_viewport_size({"width": 1366, "height": 768})
        form = page.get_by_role("form", name="Decision")
        for part in (
            page.get_by_role("heading", level=2, name=ANSWERS[0], exact=True),
            page.get_by_role("heading", name="Votes"),
            form.get_by_role("button", name="Incorrect", exact=True),
            form.get_by_role("button", name="Other"),
            form.get_by_role("textbox"),
            form.get_by_role("button", name="Decide and continue"),
        ):
            expect(part).to_be_in_viewport(ratio=1)
        assert page.evaluate("() => scrollY") == 0


class TestRequests:
    def test_a_decision_takes_one_whose_reply_brings_the_next_answer(self, page: Page) -> None:
        sent: list[str] = []
        # Whether the browser asks for the page's icon only now is its own affair.
        page.on(
            "request",
            lambda request: (
                sent.append(f"{request.method} {request.url.split('/')[-1]}")
                if request.is_navigation_request() or "/api/" in request.url
                else None
            ),
        )
        press(page, "1", "e", "Enter")
        expect_answer(page, ANSWERS[1])
        expect(line_of(page, ANSWERS[0])).to_contain_text("Correct")
        # The list asks by itself every twenty seconds, whatever is decided.
        assert [each for each in sent if each != "GET queue"] == ["POST decision"]
        press(page, "u")
        expect_answer(page, ANSWERS[0])
