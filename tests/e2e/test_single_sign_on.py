"""Somebody connects their account to a provider, signs in by it, disconnects it; another joins by it."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.annotation.accounts.test_second_factor import app_code
from tests.e2e.conftest import Product, another_web_server
from tests.e2e.keyboard import faults_of_focus
from tests.e2e.pages import collect_complaints, invite, open_context, sign_in
from tests.e2e.test_pages import ALL_VIEWS, problems_of, show_as
from tests.scripted_provider import CLIENT_ID, CLIENT_SECRET, ScriptedProvider

PASSWORD = "correct horse battery"
UNIVERSITY = "Example University"
NAME = "connected"
SLUG = "joined-by-provider"

pytestmark = pytest.mark.browser


@pytest.fixture
def provider() -> Iterator[ScriptedProvider]:
    with ScriptedProvider() as started:
        yield started


@pytest.fixture(scope="module", autouse=True)
def _account(product: Product) -> None:
    product.manage("create_user", NAME, "--password-stdin", text_in=f"{PASSWORD}\n")


@pytest.fixture
def page(product: Product, browser: Browser, provider: ScriptedProvider, tmp_path: Path) -> Iterator[Page]:
    settings = {
        "ASSAY_SSO_ISSUER": provider.issuer,
        "ASSAY_SSO_CLIENT_ID": CLIENT_ID,
        "ASSAY_SSO_CLIENT_SECRET": CLIENT_SECRET,
        "ASSAY_SSO_NAME": UNIVERSITY,
    }
    with another_web_server(product, tmp_path, **settings) as url:
        context = open_context(browser, url=url)
        yield context.new_page()
        context.close()


def look_at(page: Page, name: str) -> None:
    """Check the page in front in every view, and that it can be used by keyboard."""
    for width, scheme in ALL_VIEWS:
        show_as(page, width, scheme)
        assert problems_of(page) == []
        if folder := os.environ.get("ASSAY_PICTURES"):
            page.screenshot(path=f"{folder}/{name}-{width}-{scheme}.png", full_page=True)
    assert faults_of_focus(page) == []


def by_provider(page: Page) -> None:
    page.get_by_role("button", name=f"Sign in with {UNIVERSITY}").focus()
    page.keyboard.press("Enter")


def give_password(page: Page, button: str) -> None:
    page.get_by_role("button", name=button).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_label("Current password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")


def turn_on_codes(page: Page) -> str:
    give_password(page, "Set up two-factor authentication")
    secret = page.get_by_label("Setup key").input_value().replace(" ", "")
    page.get_by_label("Code from the app").fill(app_code(secret, later=-1))
    page.keyboard.press("Enter")
    page.get_by_role("button", name="I saved the codes").click()
    return secret


def test_from_connecting_to_disconnecting(page: Page, provider: ScriptedProvider) -> None:
    complaints = collect_complaints(page)
    page.goto("/sign-in?next=/account")
    look_at(page, "sign-in")
    by_provider(page)
    expect(page.get_by_role("alert")).to_contain_text("No account here is connected")
    look_at(page, "not-connected")

    page.get_by_label("Username").fill(NAME)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=f"Connect {UNIVERSITY}")).to_be_visible()
    look_at(page, "account")
    give_password(page, f"Connect {UNIVERSITY}")
    expect(page.get_by_text(f"You can now sign in with {UNIVERSITY}.")).to_be_visible()
    look_at(page, "connected")

    page.context.clear_cookies()
    page.goto("/account")
    by_provider(page)
    page.wait_for_url("**/account")
    expect(page.get_by_role("row", name="Signed in with single sign-on")).to_be_visible()
    secret = turn_on_codes(page)

    page.context.clear_cookies()
    page.goto("/account")
    by_provider(page)
    expect(page.get_by_role("heading", name="Enter your code")).to_be_visible()
    assert page.request.get("/api/projects").status == 403
    page.get_by_label("Authentication code").fill(app_code(secret))
    page.keyboard.press("Enter")
    page.wait_for_url("**/account")

    give_password(page, f"Disconnect {UNIVERSITY}")
    expect(page.get_by_role("button", name=f"Connect {UNIVERSITY}")).to_be_visible()
    assert complaints() == []


@pytest.fixture
def lead(product: Product, browser: Browser) -> Iterator[Page]:
    """A lead of a project, on the server without single sign-on."""
    product.manage("create_user", "host", "--password-stdin", text_in=f"{PASSWORD}\n")
    product.manage("create_project", SLUG, "--protocol", "evouna", "--name", "Small study", "--lead", "host")
    context = open_context(browser, url=product.url)
    page = context.new_page()
    sign_in(page, username="host", password=PASSWORD)
    yield page
    context.close()


def test_an_invitation_makes_a_member_of_whom_the_provider_names(
    page: Page, lead: Page, provider: ScriptedProvider
) -> None:
    provider.person = {"sub": "nora-1", "preferred_username": "nora.neu", "name": "Nora Neu"}
    complaints = collect_complaints(page)
    link = invite(lead, "Annotator", slug=SLUG)
    page.goto(link)
    expect(page.get_by_role("heading", name="Join Small study")).to_be_visible()
    look_at(page, "join")
    page.get_by_role("button", name=f"Continue with {UNIVERSITY}").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"/{SLUG}(/|$)"))
    (joined,) = page.request.get("/api/projects").json()
    assert (joined["slug"], joined["role"]) == (SLUG, "annotator")
    lead.goto(f"/{SLUG}/people")
    row = lead.get_by_role("row").filter(has_text="Nora Neu")
    expect(row).to_contain_text("Annotator")

    # The link was for one; whoever comes back is the same person, in the same account.
    page.context.clear_cookies()
    page.goto(link)
    expect(page.get_by_role("heading", name="You cannot use this invitation")).to_be_visible()
    page.goto("/account")
    by_provider(page)
    page.wait_for_url(re.compile(r"^[^?]*/account$"))
    assert page.request.get("/api/session").json()["user"]["username"] == "nora.neu"
    assert complaints() == []


def test_says_so_where_the_provider_is_gone(page: Page, provider: ScriptedProvider) -> None:
    provider.broken["/.well-known/openid-configuration"] = (503, b"")
    page.goto("/sign-in")
    by_provider(page)
    expect(page.get_by_role("alert")).to_contain_text("is not responding correctly")
    expect(page.get_by_label("Username")).to_be_editable()
