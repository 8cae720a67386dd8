"""Work by keyboard alone: dialogs keep the focus and give it back, a lead works without a mouse."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Product
from tests.e2e.keyboard import FOCUSED, choose, press, type_into
from tests.e2e.pages import PASSWORD, collect_complaints, make_project, open_context, sign_in
from tests.e2e.test_pages import DEMO_PASSWORD, opened, wait_until_loaded

pytestmark = pytest.mark.browser
LEAD, SLUG = "keyboard-lead", "by-keys"
# Who opens which page, and the button that opens a dialog there.
DIALOGS = (
    ("lead", "/demo/people", "Invite someone"),
    ("lead", "/demo/work", "Pause"),
    ("annotator1", "/account", "Close account"),
    ("annotator1", "/demo/judge", "Flag question"),
    ("annotator1", "/demo/judge", "Skip"),
    ("annotator1", "/demo/judge", "Keyboard shortcuts"),
    ("adjudicator", "/demo/queue", "Send back to annotators"),
)


@pytest.fixture(scope="module")
def demo(product: Product) -> Product:
    """The demo study in the running installation."""
    product.manage("load_demo")
    return product


@pytest.mark.parametrize(("who", "path", "button"), DIALOGS)
class TestDialogs:
    def test_keep_the_focus_and_give_it_back(
        self, demo: Product, browser: Browser, who: str, path: str, button: str
    ) -> None:
        with opened(browser, demo.url, who) as page:
            page.goto(path)
            opener = page.get_by_role("button", name=button).first
            press(page, opener)
            dialog = page.get_by_role("dialog")
            expect(dialog).to_be_visible()
            for _ in range(dialog.locator("a, button, input, select, textarea").count() + 3):
                page.keyboard.press("Tab")
                focused = page.evaluate(FOCUSED)
                # None: the browser's own buttons, from which Tab comes back.
                assert focused is None or focused["isInDialog"], focused
            page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
            expect(opener).to_be_focused()


@pytest.fixture
def lead(product: Product, browser: Browser) -> Iterator[Page]:
    """A lead with an empty study of their own."""
    product.manage("create_user", LEAD, "--password-stdin", text_in=f"{PASSWORD}\n")
    context = open_context(browser, url=product.url)
    page = context.new_page()
    complaints = collect_complaints(page)
    sign_in(page, username=LEAD, password=PASSWORD)
    make_project(page, name="By keys", preset="OpenQA-eval", slug=SLUG)
    yield page
    assert complaints() == []
    context.close()


def import_by_keys(page: Page, file: Path) -> None:
    # From before the page is there: the browser would else show a chooser of its own to a quick key.
    page.on("filechooser", lambda chooser: chooser.set_files(file))
    page.goto(f"/{SLUG}/import")
    wait_until_loaded(page)
    press(page, page.locator("input[type=file]"))
    press(page, page.get_by_role("button", name="Import files"))
    expect(page.get_by_text("Imported", exact=True).first).to_be_visible()


def adapt_protocol(page: Page) -> None:
    page.goto(f"/{SLUG}/protocol")
    wait_until_loaded(page)
    press(page, page.get_by_role("button", name="Add label"))
    third = page.get_by_label("Label 3", exact=True)
    type_into(page, third, "Cannot say")
    press(page, page.get_by_role("button", name="Move up , label 3"))
    expect(page.get_by_label("Label 2", exact=True)).to_have_value("Cannot say")
    press(page, page.get_by_role("button", name="Remove label 2"))
    expect(third).to_have_count(0)
    # Nobody is thrown back to the top of the page by what they removed.
    assert page.evaluate(FOCUSED) is not None
    choose(page, page.get_by_label("If annotators disagree"), "A lead or an adjudicator decides")
    press(page, page.get_by_label("Annotators see the gold answers"), "Space")
    press(page, page.get_by_role("button", name="Preview changes"))
    press(page, page.get_by_role("button", name="Publish version 1"))
    expect(page.get_by_text("Published version 1 of the protocol.")).to_be_visible()


def invite_by_keys(page: Page) -> None:
    page.goto(f"/{SLUG}/people")
    wait_until_loaded(page)
    press(page, page.get_by_role("button", name="Invite someone"))
    dialog = page.get_by_role("dialog")
    choose(page, dialog.get_by_label("Role"), "Adjudicator")
    type_into(page, dialog.get_by_label("Recipient (optional)"), "Aki")
    page.keyboard.press("Enter")
    expect(dialog.get_by_label("Link for Aki")).to_be_visible()
    press(page, dialog.get_by_role("button", name="Done"))
    press(page, dialog.get_by_role("button", name="Continue without copying"))
    revoke = page.get_by_role("button", name="Revoke link")
    press(page, revoke)
    expect(page.get_by_text("Link revoked", exact=False).first).to_be_visible()


def plan_by_keys(page: Page) -> None:
    page.goto(f"/{SLUG}/work")
    wait_until_loaded(page)
    press(page, page.get_by_role("button", name="Change Assignment"))
    expect(page.get_by_role("radio", name="All annotators")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Selected annotators")).to_be_checked()
    press(page, page.get_by_role("button", name="Cancel"))
    press(page, page.get_by_role("button", name="Change Order"))
    choose(page, page.get_by_label("Question order"), "Random order")
    press(page, page.get_by_role("button", name="Save"))
    expect(page.get_by_text("Work plan saved. The change takes effect with the next sheet.")).to_be_visible()
    expect(page.get_by_role("button", name="Change Order")).to_be_focused()
    press(page, page.get_by_role("button", name="Set up pilot"))
    type_into(page, page.get_by_label("Number of questions"), "1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Pilot started", exact=False)).to_be_visible()


class TestWork:
    def test_of_a_lead_is_done_by_keyboard_alone(self, lead: Page, tmp_path: Path) -> None:
        file = tmp_path / "one.jsonl"
        file.write_text(
            json.dumps({"question": "who sings", "answer": ["Dave"], "prediction": "Martin"}) + "\n"
        )
        import_by_keys(lead, file)
        adapt_protocol(lead)
        invite_by_keys(lead)
        plan_by_keys(lead)

    def test_menus_open_and_close_by_keys(self, demo: Product, browser: Browser) -> None:
        context = open_context(browser, url=demo.url, width="phone")
        page = context.new_page()
        sign_in(page, username="lead", password=DEMO_PASSWORD)
        page.goto("/demo/people")
        menu = page.get_by_role("button", name="Project pages: People")
        press(page, menu)
        link = page.get_by_role("link", name="Work plan", exact=True)
        expect(link).to_be_visible()
        page.keyboard.press("Escape")
        expect(link).to_be_hidden()
        expect(menu).to_be_focused()
        page.keyboard.press("Enter")
        press(page, link)
        expect(page.get_by_role("heading", name="Work plan", exact=True)).to_be_visible()
        context.close()
