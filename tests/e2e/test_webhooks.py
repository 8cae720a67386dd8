"""A lead adds a webhook, sees a signed message arrive and failures told, and turns it off and deletes it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Product
from tests.e2e.keyboard import faults_of_focus
from tests.e2e.pages import WIDTHS, collect_complaints, open_context, sign_in
from tests.e2e.test_pages import ALL_VIEWS, problems_of, show_as
from tests.judges.webhooks.receiver import Receiver, is_signed

SLUG = "hooked"
PASSWORD = "correct horse battery"
LONG_NAME = "long" * 100

pytestmark = pytest.mark.browser


@pytest.fixture
def lead(product: Product, browser: Browser) -> Iterator[Page]:
    """A lead on the page of webhooks, of which there are none."""
    product.manage("create_user", "hooks-lead", "--password-stdin", text_in=f"{PASSWORD}\n")
    product.manage("create_project", SLUG, "--protocol", "openqa-eval", "--lead", "hooks-lead")
    context = open_context(browser, url=product.url)
    page = context.new_page()
    sign_in(page, username="hooks-lead", password=PASSWORD)
    page.goto(f"/{SLUG}/settings")
    page.get_by_role("link", name="Webhooks").click()
    expect(page.get_by_text("No webhooks yet")).to_be_visible()
    yield page
    context.close()


def add(page: Page, url: str) -> str:
    """Add a webhook by keyboard, first with an address that is refused, and return its secret."""
    page.get_by_role("button", name="Add webhook").focus()
    page.keyboard.press("Enter")
    field = page.get_by_label("URL")
    expect(field).to_be_focused()
    page.keyboard.type("https://192.168.0.1/hook")
    page.keyboard.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text(re.compile("does not allow"))).to_be_visible()
    field.fill(url)
    page.keyboard.press("Enter")
    secret = page.get_by_role("textbox", name="Secret").input_value()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Add webhook")).to_be_focused()
    expect(page.get_by_role("heading", name=url)).to_be_visible()
    return secret


def test_a_signed_message_arrives_and_a_failure_is_told(lead: Page) -> None:
    complaints = collect_complaints(lead)
    with Receiver() as receiver:
        secret = add(lead, f"{receiver.url}{LONG_NAME}")
        assert secret not in lead.content()
        lead.get_by_role("button", name="Send test message").click()
        expect(lead.get_by_text("Delivered", exact=True)).to_be_visible()
        (message,) = receiver.messages
        assert is_signed(secret, message.headers, message.body)
        lead.get_by_role("button", name="Rotate secret").click()
        lead.get_by_role("dialog").get_by_role("button", name="Rotate secret").click()
        rotated = lead.get_by_role("textbox", name="Secret").input_value()
        lead.get_by_role("button", name="Done").click()
        receiver.status = 500
        lead.get_by_role("button", name="Send test message").click()
        expect(lead.get_by_text("The receiver responded with status 500.")).to_be_visible()
        expect(lead.get_by_text("Failing", exact=True)).to_be_visible()
        second = receiver.messages[1]
        assert is_signed(rotated, second.headers, second.body)
        assert is_signed(secret, second.headers, second.body)
        for view in ALL_VIEWS:
            show_as(lead, *view)
            assert problems_of(lead) == []
        lead.set_viewport_size(dict(zip(("width", "height"), WIDTHS["desktop"], strict=True)))
        assert faults_of_focus(lead) == []
        lead.get_by_role("button", name="Turn off").click()
        expect(lead.get_by_text("Turned off", exact=True)).to_be_visible()
        expect(lead.get_by_role("button", name="Send test message")).to_have_count(0)
        lead.get_by_role("button", name="Turn on").click()
        lead.get_by_role("button", name="Try again").click()
        receiver.status = 204
        lead.get_by_role("button", name="Delete").click()
        lead.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(lead.get_by_text("No webhooks yet")).to_be_visible()
    assert complaints() == []
