"""Every page of the demo study: nothing complains or scrolls sideways, axe finds nothing, Tab reaches all."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import ROOT, Product
from tests.e2e.keyboard import faults_of_focus
from tests.e2e.pages import (
    FILLED_PAGES,
    FURTHER_PAGES,
    PAGES,
    SCHEMES,
    VIEWERS_PAGES,
    WIDTHS,
    PageAddress,
    collect_complaints,
    invite,
    open_context,
    sign_in,
)

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
DEMO_PASSWORD = "assay-demo"
DEMO_SLUG = "demo"
EVERY_PAGE = (*PAGES, *VIEWERS_PAGES, *FURTHER_PAGES)
FAST_VIEWS: tuple[tuple[str, Literal["light", "dark"]], ...] = (("phone", "light"), ("desktop", "dark"))
ALL_VIEWS = tuple((width, scheme) for width in WIDTHS for scheme in SCHEMES)
UNFOLD = "document.querySelectorAll('main details').forEach((fold) => { fold.open = true; })"
VIOLATIONS = """async () => (await axe.run(document, {
  resultTypes: ["violations"],
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
})).violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`)"""

# On a phone: what is cut, and first columns that leave too little room for those that scroll beside them.
CUT_ON_PHONES = """() => innerWidth > 400 ? [] : [
  ...[...document.querySelectorAll("header a[title]")]
    .filter((name) => name.scrollHeight > name.clientHeight + 1)
    .map((name) => `the header cuts ${name.title}`),
  ...[...document.querySelectorAll("main tbody th")]
    .filter((cell) => getComputedStyle(cell).position === "sticky"
      && getComputedStyle(cell).display === "table-cell"
      && cell.closest("table").offsetWidth > cell.closest("table").parentElement.clientWidth + 1
      && cell.getBoundingClientRect().width > 0.4 * innerWidth)
    .map((cell) => `takes most of the width: ${cell.textContent.slice(0, 60)}`),
  ...[...document.querySelectorAll("main [role=img] svg text")]
    .filter((text) => text.getBoundingClientRect().right > innerWidth || /…/.test(text.textContent)
      || parseFloat(getComputedStyle(text).fontSize) < 12)
    .map((text) => `a chart cuts ${text.textContent.slice(0, 60)}`),
]"""


@pytest.fixture(scope="module")
def demo(product: Product) -> Product:
    """The demo study in the running installation."""
    product.manage("load_demo")
    product.manage("create_organization", f"lab-{DEMO_SLUG}", "--owner", "lead", "--projects", "3")
    return product


@pytest.fixture(scope="module")
def links(demo: Product, browser: Browser) -> dict[str, str]:
    """An invitation and a link for a new password; and a round of tags, so that there is one to open."""
    with opened(browser, demo.url, "lead") as page:
        invitation = invite(page, "Annotator", slug=DEMO_SLUG)
        page.goto(f"/{DEMO_SLUG}/failures/new")
        page.get_by_role("button", name="Create round").click()
        expect(page.get_by_role("region", name="Item 1 of")).to_be_visible()
    password = demo.manage("password_link", "annotator2").strip()
    return {"invitation": invitation.rsplit("/", 1)[1], "password": password.rsplit("/", 1)[1]}


@contextmanager
def opened(
    browser: Browser, url: str, who: str | None, *, width: str = "desktop", scheme: str = "light"
) -> Iterator[Page]:
    context = open_context(browser, url=url, width=width, scheme=scheme)
    try:
        page = context.new_page()
        if who is not None:
            sign_in(page, username=who, password=DEMO_PASSWORD)
        yield page
    finally:
        context.close()


def open_page(page: Page, address: PageAddress, **parts: str) -> None:
    """Open a page and wait until nothing is loading any more."""
    page.goto(address.path.format(**{"slug": DEMO_SLUG, **parts}))
    wait_until_loaded(page)
    if address.way:
        take_way(page, address.way)
        wait_until_loaded(page)


def take_way(page: Page, way: str) -> None:
    """Click what leads to a page; until a linked page has asked for something, the old one is in front."""
    target = page.locator("main").locator(way).first
    if not way.endswith(" a"):
        target.click()
        return
    with page.expect_response(re.compile("/api/projects/")):
        target.click()


def show_as(page: Page, width: str, scheme: Literal["light", "dark"]) -> None:
    """Turn the page in front into another view, as turning a phone and the system's setting do."""
    columns, rows = WIDTHS[width]
    page.set_viewport_size({"width": columns, "height": rows})
    page.emulate_media(color_scheme=scheme)


def wait_until_loaded(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    expect(page.locator("main")).to_be_visible()
    expect(page.get_by_label("Loading")).to_have_count(0)


def people() -> list[str | None]:
    return list(dict.fromkeys(address.who for address in EVERY_PAGE))


def pages_of(who: str | None) -> list[PageAddress]:
    return [address for address in EVERY_PAGE if address.who == who]


def problems_of(page: Page) -> list[str]:
    """Return what is wrong with the page in front, in words."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    problems: list[Any] = page.evaluate(VIOLATIONS)
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if overflow > 0:
        problems.append(f"scrolls sideways by {overflow} px")
    problems += page.evaluate(CUT_ON_PHONES)
    if not re.search(r"\S", page.title()):
        problems.append("has no title")
    return problems


@pytest.mark.browser
@pytest.mark.parametrize("who", people(), ids=str)
class TestEveryPage:
    def test_is_accessible_and_fits_and_is_reached_by_tab(
        self, demo: Product, links: dict[str, str], browser: Browser, who: str | None
    ) -> None:
        with opened(browser, demo.url, who) as page:
            complaints = collect_complaints(page)
            found: dict[tuple[str, ...], list[str]] = {}
            for address in pages_of(who):
                open_page(page, address, **links)
                for view in FAST_VIEWS:
                    show_as(page, *view)
                    if problems := problems_of(page):
                        found[address.name, *view] = problems
                # In the wide view, the last one: what a phone folds away is opened by its menu's own test.
                if faults := faults_of_focus(page):
                    found[address.name, "by Tab"] = faults
            assert found == {}
            assert complaints() == []


@pytest.mark.browser
class TestEmptyProject:
    def test_leads_to_its_first_step_from_every_page(self, demo: Product, browser: Browser) -> None:
        demo.manage("create_project", "bare", "--protocol", "openqa-eval", "--lead", "lead")
        with opened(browser, demo.url, "lead") as page:
            led: dict[str, list[str]] = {}
            for address in (each for each in PAGES if each.who == "lead" and "/{slug}/" in each.path):
                open_page(page, address, slug="bare")
                targets = page.locator("[data-empty] a[href^='/bare/']").evaluate_all(
                    "links => links.map((link) => new URL(link.href).pathname)"
                )
                led[address.name] = targets[-1:]
            assert {name: to for name, to in led.items() if to not in ([], ["/bare/import"])} == {}
            assert [name for name, to in led.items() if to] != []


# What a first visit may bring over the wire, in bytes, headers and replies with it; and the heaviest pages.
JUDGING_BYTES, OTHER_BYTES = 170_000, 340_000
HEAVIEST = (
    ("annotator1", "/demo/judge", JUDGING_BYTES),
    ("lead", "/demo-prejudged/leaderboard", OTHER_BYTES),
    ("lead", "/demo-prejudged/prejudging", OTHER_BYTES),
    ("lead", "/demo-decided/leaderboard/amendments", OTHER_BYTES),
    ("lead", "/demo-decided/failures/board", OTHER_BYTES),
    ("lead", "/demo-decided/runs/board", OTHER_BYTES),
    ("lead", "/demo-decided/overview", OTHER_BYTES),
    ("lead", "/demo/import", OTHER_BYTES),
)


@pytest.mark.browser
class TestWeight:
    @pytest.mark.parametrize(("who", "path", "limit"), HEAVIEST, ids=[path for _, path, _ in HEAVIEST])
    def test_of_a_first_visit_is_bounded(
        self, demo: Product, browser: Browser, who: str, path: str, limit: int
    ) -> None:
        with opened(browser, demo.url, who) as page:
            signed_in = page.context.storage_state()
        context = browser.new_context(base_url=demo.url, storage_state=signed_in)
        try:
            page = context.new_page()
            came: dict[str, int] = {}
            wire = context.new_cdp_session(page)
            wire.send("Network.enable")
            wire.on(
                "Network.loadingFinished",
                lambda told: came.update({told["requestId"]: int(told["encodedDataLength"])}),
            )
            page.goto(path)
            wait_until_loaded(page)
            assert 50_000 < sum(came.values()) <= limit
        finally:
            context.close()


@pytest.mark.browser
class TestFilledPage:
    def test_is_accessible_and_fits_with_all_of_it_unfolded(self, demo: Product, browser: Browser) -> None:
        with opened(browser, demo.url, "lead") as page:
            complaints = collect_complaints(page)
            found: dict[tuple[str, ...], list[str]] = {}
            for address in FILLED_PAGES:
                open_page(page, address)
                page.evaluate(UNFOLD)
                wait_until_loaded(page)
                for view in FAST_VIEWS:
                    show_as(page, *view)
                    if problems := problems_of(page):
                        found[address.name, *view] = problems
            assert found == {}
            assert complaints() == []


@pytest.mark.browser
class TestEveryAddress:
    def test_is_looked_at(self) -> None:
        routes = routes_written()
        seen = {re.sub(r"\{\w+\}|\$\w+", "*", address_of(address)) for address in EVERY_PAGE}
        assert {re.sub(r"\$\w+", "*", route) for route in routes} - seen == set()


IMPORT = 'import("../features/'


def routes_written() -> list[str]:
    """Return the addresses in the front end's tables of pages; each but "/" stands before its page."""
    pages = [path for path in (ROOT / "frontend/src/app").glob("*.ts*") if ".test." not in path.name]
    tables = [text for text in (path.read_text(encoding="utf-8") for path in pages) if IMPORT in text]
    written = "".join(tables)
    # An address that only leads on to another has no page before the next address.
    routes = re.findall(r'(?:Page\(\s*|path: )"([a-z][^"]*)"(?:(?!path: )[^;])*?import\(', written)
    assert len(routes) + 1 == written.count(IMPORT)
    return routes


def address_of(address: PageAddress) -> str:
    if address.route:
        return address.route
    path = address.path.removeprefix("/{slug}").split("?")[0].strip("/")
    return f"{path}/*" if address.way else path


@pytest.mark.screenshots
class TestScreenshots:
    def test_loaded_empty_and_broken_pages(
        self, demo: Product, links: dict[str, str], browser: Browser
    ) -> None:
        demo.manage("create_project", "empty", "--protocol", "openqa-eval", "--lead", "lead")
        demo.manage("create_organization", "lab-empty", "--owner", "lead")
        found: dict[str, list[str]] = {}
        for width, scheme in ALL_VIEWS:
            folder = ROOT / "screenshots" / f"{width}-{scheme}"
            folder.mkdir(parents=True, exist_ok=True)
            for who in people():
                with opened(browser, demo.url, who, width=width, scheme=scheme) as page:
                    for address in pages_of(who):
                        for state, problems in take(page, address, links, folder):
                            found[f"{address.name}{state} {width} {scheme}"] = problems
        assert {name: problems for name, problems in found.items() if problems} == {}


def take(
    page: Page, address: PageAddress, links: dict[str, str], folder: Path
) -> Iterator[tuple[str, list[str]]]:
    """Take a picture of each state of a page, and tell what is wrong with it."""
    for state in states_of(page, address, links):
        page.screenshot(path=folder / f"{address.name}{state}.png", full_page=True)
        yield state, problems_of(page)


def states_of(page: Page, address: PageAddress, links: dict[str, str]) -> Iterator[str]:
    """Bring a page into one state after the other; each yield names the one in front."""
    open_page(page, address, **links)
    yield ""
    if "{slug}" not in address.path or address.way:
        return
    if address.who == "lead":
        open_page(page, address, slug="empty")
        yield "-empty"
    bug = {"error": {"kind": "bug", "code": "internal", "message": "Something went wrong.", "details": {}}}
    pattern = re.compile(r"/api/projects/[^/]+/.+")
    page.route(pattern, lambda route: route.fulfill(status=500, json=bug))
    open_page(page, address, **links)
    yield "-broken"
    page.unroute(pattern)
