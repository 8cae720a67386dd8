"""Somebody sets up two-factor authentication, signs in with codes of both kinds, and turns it off."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.annotation.accounts.test_second_factor import app_code
from tests.e2e.conftest import Product
from tests.e2e.keyboard import faults_of_focus
from tests.e2e.pages import collect_complaints, open_context
from tests.e2e.test_pages import ALL_VIEWS, problems_of, show_as

PASSWORD = "correct horse battery"
NAME = "careful"

pytestmark = pytest.mark.browser


@pytest.fixture
def page(product: Product, browser: Browser) -> Iterator[Page]:
    product.manage("create_user", NAME, "--password-stdin", text_in=f"{PASSWORD}\n")
    context = open_context(browser, url=product.url)
    yield context.new_page()
    context.close()


def give_password(page: Page) -> None:
    page.goto("/sign-in")
    page.get_by_label("Username").fill(NAME)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")


def give_code(page: Page, code: str) -> None:
    page.get_by_label("Authentication code").fill(code)
    page.keyboard.press("Enter")


def sign_out(page: Page) -> None:
    page.context.clear_cookies()


def look_at(page: Page) -> None:
    """Check the page in front in every view, and that it can be used by keyboard."""
    for view in ALL_VIEWS:
        show_as(page, *view)
        assert problems_of(page) == []
    assert faults_of_focus(page) == []


def set_up(page: Page) -> tuple[str, list[str]]:
    """Set it up by keyboard, and return the secret and the recovery codes."""
    page.goto("/account")
    page.get_by_role("button", name="Set up two-factor authentication").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_label("Current password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    secret = page.get_by_label("Setup key").input_value().replace(" ", "")
    picture = page.get_by_role("img", name="QR code that contains the setup key")
    # Drawn, though the policy for contents lets in nothing of other places.
    assert picture.evaluate("image => image.complete && image.naturalWidth > 100")
    look_at(page)
    page.get_by_label("Code from the app").fill("12")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This code is incorrect")).to_be_visible()
    page.get_by_label("Code from the app").fill(app_code(secret, later=-1))
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Save your recovery codes")
    expect(dialog).to_be_visible()
    codes = dialog.get_by_role("listitem").all_inner_texts()
    look_at(page)
    dialog.get_by_role("button", name="I saved the codes").click()
    expect(page.get_by_text("10 recovery codes left")).to_be_visible()
    return secret, codes


def test_from_setting_up_to_turning_off(page: Page) -> None:
    complaints = collect_complaints(page)
    give_password(page)
    page.wait_for_url(lambda url: "/sign-in" not in url)
    secret, codes = set_up(page)
    assert len(codes) == 10

    sign_out(page)
    give_password(page)
    expect(page.get_by_role("heading", name="Enter your code")).to_be_visible()
    look_at(page)
    # Nobody is signed in between.
    assert page.request.get("/api/projects").status == 403
    give_code(page, "wrong")
    expect(page.get_by_role("alert")).to_contain_text("incorrect")
    give_code(page, app_code(secret))
    page.wait_for_url(lambda url: "/sign-in" not in url)

    sign_out(page)
    give_password(page)
    give_code(page, codes[0])
    page.wait_for_url(lambda url: "/sign-in" not in url)

    page.goto("/account")
    expect(page.get_by_text("9 recovery codes left")).to_be_visible()
    look_at(page)
    page.get_by_role("button", name="Turn off two-factor authentication").click()
    page.get_by_role("dialog").get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("Code from the app, or a recovery code").fill(codes[1])
    page.get_by_role("button", name="Turn off", exact=True).click()
    expect(page.get_by_role("button", name="Set up two-factor authentication")).to_be_visible()
    sign_out(page)
    give_password(page)
    page.wait_for_url(lambda url: "/sign-in" not in url)
    assert complaints() == []
