"""Words that explain themselves, and the help they lead to, as a browser shows them."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Product
from tests.e2e.pages import open_context, sign_in


@pytest.fixture(scope="module")
def demo(product: Product) -> Product:
    product.manage("load_demo")
    return product


def is_in_window(page: Page) -> bool:
    """Whether all of the explanation in front can be seen."""
    box = page.get_by_role("tooltip").bounding_box()
    size = page.viewport_size
    assert box
    assert size
    return (
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= size["width"]
        and box["y"] + box["height"] <= size["height"]
    )


class TestTerms:
    def test_are_explained_to_pointer_and_keyboard_until_escape(
        self, demo: Product, browser: Browser
    ) -> None:
        page = open_context(browser, url=demo.url).new_page()
        sign_in(page, username="lead", password="assay-demo")
        page.goto("/demo/leaderboard")
        header = page.get_by_role("button", name=re.compile("^Exact match")).first
        # What comes after the first rows, such as intervals, may still widen columns.
        page.wait_for_load_state("networkidle")
        header.scroll_into_view_if_needed()
        before = header.bounding_box()
        header.hover()
        expect(page.get_by_role("tooltip")).to_contain_text("equals a gold answer")
        assert header.bounding_box() == before
        page.get_by_role("tooltip").hover()
        expect(page.get_by_role("tooltip")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("tooltip")).to_have_count(0)
        header.focus()
        expect(page.get_by_role("tooltip")).to_be_visible()
        assert is_in_window(page)
        page.keyboard.press("Tab")
        with page.expect_popup() as opened:
            page.keyboard.press("Enter")
        expect(opened.value.get_by_role("heading", name="exact_match")).to_be_in_viewport()

    def test_are_explained_to_a_finger_on_a_phone(self, demo: Product, browser: Browser) -> None:
        context = browser.new_context(
            base_url=demo.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
        )
        page = context.new_page()
        sign_in(page, username="lead", password="assay-demo")
        page.goto("/demo/work")
        page.get_by_role("button", name="Pilot", exact=True).tap()
        expect(page.get_by_role("tooltip")).to_contain_text("trial round")
        assert is_in_window(page)
        page.get_by_role("heading", name="Annotators", exact=True).tap()
        expect(page.get_by_role("tooltip")).to_have_count(0)


class TestHelp:
    def test_opens_at_the_part_about_the_page_and_leads_on(self, demo: Product, browser: Browser) -> None:
        page = open_context(browser, url=demo.url).new_page()
        page.goto("/sign-in")
        with page.expect_popup() as opened:
            page.get_by_role("link", name="Help").click()
        help_page = opened.value
        expect(help_page.get_by_role("heading", name="Signing in")).to_be_in_viewport()
        help_page.get_by_role("link", name="the API", exact=True).first.click()
        expect(help_page).to_have_url(re.compile("/help/api$"))
        expect(help_page.get_by_role("heading", level=1, name="The API")).to_be_in_viewport()

    def test_is_read_page_by_page_from_its_start(self, demo: Product, browser: Browser) -> None:
        page = open_context(browser, url=demo.url).new_page()
        page.goto("/help")
        expect(page.get_by_role("heading", level=1, name="Help")).to_be_visible()
        around = page.get_by_role("navigation", name="Previous and next pages")
        around.get_by_role("link", name="Quick start").click()
        expect(page.get_by_role("heading", level=1, name="Quick start")).to_be_in_viewport()
        contents = page.get_by_role("navigation", name="Help contents")
        expect(contents.get_by_role("link", name="Quick start")).to_have_attribute("aria-current", "page")
        expect(around.get_by_role("link", name="Help")).to_be_visible()

    def test_finds_a_section_and_leads_to_its_heading(self, demo: Product, browser: Browser) -> None:
        page = open_context(browser, url=demo.url).new_page()
        page.goto("/help")
        page.get_by_role("searchbox", name="Search help").fill("sending an answer back")
        page.keyboard.press("Enter")
        page.get_by_role("main").get_by_role("link", name="Sending an answer back").click()
        expect(page).to_have_url(re.compile("/help/protocols#sending-an-answer-back$"))
        expect(page.get_by_role("heading", name="Sending an answer back")).to_be_in_viewport()
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Search results")

    def test_has_its_contents_behind_a_button_on_a_phone(self, demo: Product, browser: Browser) -> None:
        context = browser.new_context(
            base_url=demo.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
        )
        page = context.new_page()
        page.goto("/help/statistics")
        link = page.get_by_role("link", name="Glossary", exact=True)
        expect(link).to_be_hidden()
        page.get_by_role("button", name="Contents").tap()
        link.tap()
        expect(page.get_by_role("heading", level=1, name="Glossary")).to_be_in_viewport()
        expect(link).to_be_hidden()
