"""A viewer of the demo study goes through all their pages: nothing is refused, nothing offers to write."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Response, expect

from tests.e2e.conftest import Product
from tests.e2e.pages import VIEWERS_PAGES, collect_complaints, open_context, sign_in
from tests.e2e.test_pages import DEMO_PASSWORD, wait_until_loaded

pytestmark = pytest.mark.browser

STUDIES = ("demo", "demo-decided", "demo-prejudged")
PATHS = [page.path.removeprefix("/{slug}/") for page in VIEWERS_PAGES]
# One answer, and the file of an export: viewers open these by links, too.
OPENED = re.compile(rf"(?:{'|'.join(map(re.escape, PATHS))}|answers/[^/]+|answers/views/[^/]+)")
FOLDED = "open=replacement,cautions,breakdown,scores,pairs,differences,prompts,formats"
# How a button begins that writes, whoever sees it.
WRITES = re.compile(
    r"(?:Accept|Add|Archive|Change|Clear selection|Correct|Create|Decide|Describe|Draw|Edit|Export|Import"
    r"|Invite|Pause|Publish|Remove|Rename|Reopen|Restore|Run|Sample|Save view|Save changes|Select|Send"
    r"|Start|Tag|Undo|Use as)\b"
)


@pytest.fixture(scope="module")
def demo(product: Product) -> Product:
    """The demo studies in the running installation."""
    product.manage("load_demo")
    return product


@pytest.fixture
def page(demo: Product, browser: Browser) -> Iterator[Page]:
    context = open_context(browser, url=demo.url)
    page = context.new_page()
    sign_in(page, username="viewer", password=DEMO_PASSWORD)
    yield page
    context.close()


def listen(page: Page) -> Callable[[], list[str]]:
    """Hear what is refused, and what would change something."""
    heard: list[str] = []

    def hear_reply(reply: Response) -> None:
        if "/api/" in reply.url and reply.status >= 400:
            heard.append(f"{reply.status} {reply.request.method} {reply.url}")

    def hear_request(request: Request) -> None:
        if "/api/" in request.url and request.method != "GET":
            heard.append(f"{request.method} {request.url}")

    page.on("response", hear_reply)
    page.on("request", hear_request)
    return lambda: heard


def named(page: Page, selector: str) -> list[str]:
    """Return what controls of the content are called, folded away or not."""
    script = """(all) => all.map((each) => each.getAttribute("aria-label") ?? each.textContent.trim())"""
    # Headings of tables sort them, that of the page explains itself, and navigation names pages.
    found = page.locator(f"main :is({selector}):not(th *, nav *, h1 *)")
    names: list[str] = found.evaluate_all(script)
    return names


def targets(page: Page, slug: str) -> set[str]:
    """Return the pages of the project to which links lead, anywhere on the page."""
    script = "(all) => all.map((each) => new URL(each.href).pathname)"
    found: list[str] = page.locator("a[href]").evaluate_all(script)
    return {path.removeprefix(f"/{slug}/") for path in found if path.startswith(f"/{slug}/")}


@pytest.mark.parametrize("slug", STUDIES)
def test_every_page_reads_and_offers_nothing_else(page: Page, slug: str) -> None:
    complaints, heard = collect_complaints(page), listen(page)
    found: dict[str, Any] = {}
    for path in PATHS:
        page.goto(f"/{slug}/{path}?{FOLDED}")
        wait_until_loaded(page)
        writing = [name for name in named(page, "button, [role=button]") if WRITES.match(name)]
        writing += [name for name in named(page, "a") if WRITES.match(name)]
        astray = {target for target in targets(page, slug) if not OPENED.fullmatch(target)}
        ticked = page.locator("main td input[type=checkbox]").count()
        if writing or astray or ticked:
            found[path] = (writing, astray, ticked)
    page.goto(f"/{slug}/answers")
    wait_until_loaded(page)
    page.locator("main th a").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    wait_until_loaded(page)
    assert [name for name in named(page, "button, a") if WRITES.match(name)] == []
    assert found == {}
    assert heard() == []
    assert complaints() == []


def test_the_navigation_leads_through_all_pages(page: Page) -> None:
    heard = listen(page)
    page.goto("/")
    expect(page.get_by_role("main")).to_contain_text("results and data to view")
    page.get_by_role("link", name="Everyday questions", exact=True).click()
    page.wait_for_url("**/demo/overview")
    expect(page.get_by_role("navigation", name="Project")).to_be_visible()
    seen, due = set[str](), {"/demo/overview"}
    while due:
        address = due.pop()
        seen.add(address)
        page.goto(address)
        wait_until_loaded(page)
        due |= {str(way.get_attribute("href")) for way in page.locator("nav a").all()} - seen
    assert {address.removeprefix("/demo/") for address in seen} == set(PATHS)
    assert heard() == []
