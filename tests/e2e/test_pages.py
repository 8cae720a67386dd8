"""Every page of the demo study: nothing complains, nothing scrolls sideways, axe finds nothing."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import ROOT, Product
from tests.e2e.pages import PAGES, SCHEMES, WIDTHS, PageAddress, collect_complaints, open_context, sign_in

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
DEMO_PASSWORD = "assay-demo"
DEMO_SLUG = "demo"
FAST_VIEWS = (("phone", "light"), ("desktop", "dark"))
ALL_VIEWS = tuple((width, scheme) for width in WIDTHS for scheme in SCHEMES)
VIOLATIONS = """async () => (await axe.run(document, {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
})).violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`)"""


@pytest.fixture(scope="module")
def demo(product: Product) -> Product:
    """The demo study in the running installation."""
    product.manage("load_demo")
    return product


def open_page(page: Page, address: PageAddress, *, slug: str = DEMO_SLUG) -> None:
    """Open a page and wait until nothing is loading any more."""
    page.goto(address.path.format(slug=slug))
    page.wait_for_load_state("networkidle")
    expect(page.locator("main")).to_be_visible()


def people() -> list[str | None]:
    return list(dict.fromkeys(address.who for address in PAGES))


def views(browser: Browser, url: str, who: str | None, *, width: str, scheme: str) -> Iterator[Page]:
    context = open_context(browser, url=url, width=width, scheme=scheme)
    page = context.new_page()
    if who is not None:
        sign_in(page, username=who, password=DEMO_PASSWORD)
    yield page
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("who", people(), ids=str)
@pytest.mark.parametrize(("width", "scheme"), FAST_VIEWS)
class TestEveryPage:
    def test_is_accessible_and_fits(
        self, demo: Product, browser: Browser, who: str | None, width: str, scheme: str
    ) -> None:
        for page in views(browser, demo.url, who, width=width, scheme=scheme):
            complaints = collect_complaints(page)
            found = {
                address.name: problems
                for address in PAGES
                if address.who == who and (problems := problems_of(page, address))
            }
            assert found == {}
            assert complaints() == []


def problems_of(page: Page, address: PageAddress) -> list[str]:
    """Return what is wrong with a page, in words."""
    open_page(page, address)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    problems: list[Any] = page.evaluate(VIOLATIONS)
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if overflow > 0:
        problems.append(f"scrolls sideways by {overflow} px")
    if not re.search(r"\S", page.title()):
        problems.append("has no title")
    return problems


@pytest.mark.screenshots
class TestScreenshots:
    def test_loaded_empty_and_broken_pages(self, demo: Product, browser: Browser) -> None:
        folder = ROOT / "screenshots"
        demo.manage("create_project", "empty", "--protocol", "openqa-eval", "--lead", "lead")
        for width, scheme in ALL_VIEWS:
            for who in people():
                for page in views(browser, demo.url, who, width=width, scheme=scheme):
                    self.take(page, who, folder / f"{width}-{scheme}")

    def take(self, page: Page, who: str | None, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for address in (address for address in PAGES if address.who == who):
            open_page(page, address)
            page.screenshot(path=folder / f"{address.name}.png", full_page=True)
            if "{slug}" in address.path and who == "lead":
                open_page(page, address, slug="empty")
                page.screenshot(path=folder / f"{address.name}-empty.png", full_page=True)
            if "{slug}" in address.path:
                self.take_broken(page, address, folder)

    def take_broken(self, page: Page, address: PageAddress, folder: Path) -> None:
        bug = {
            "error": {"kind": "bug", "code": "internal", "message": "Something went wrong.", "details": {}}
        }
        pattern = re.compile(r"/api/projects/[^/]+/.+")
        page.route(pattern, lambda route: route.fulfill(status=500, json=bug))
        open_page(page, address)
        page.screenshot(path=folder / f"{address.name}-broken.png", full_page=True)
        page.unroute(pattern)
