"""Every chart of the demo study, as it stands on its page: title, number, names of its axes, and a table."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import Product
from tests.e2e.pages import open_context, sign_in

# Where charts stand, and how many.
PAGES = {
    "/{slug}/leaderboard": 2,
    "/{slug}/leaderboard?slope=score": 2,
    "/{slug}/leaderboard/amendments": 1,
    "/{slug}/runs/board?open=scores": 2,
    "/{slug}/failures/board?board=length": 1,
    "/compare?projects={slug}": 1,
}
# Where tables of squares or bars stand that are their own chart, and how many.
SQUARES = {"/{slug}/leaderboard/systems": 3, "/{slug}/runs/board?open=pairs": 1}
SLUG = "demo-decided"
FIGURES = "figure:has(figcaption strong)"
NUMBER = re.compile(r"\d+ (answer|question|system|item)s?")


@pytest.fixture(scope="module")
def page(product: Product, browser: Browser) -> Iterator[Page]:
    """A lead's browser, in the demo study that is decided."""
    product.manage("load_demo")
    context = open_context(browser, url=product.url)
    page = context.new_page()
    sign_in(page, username="lead", password="assay-demo")
    yield page
    context.close()


def axis_names(chart: Locator) -> list[str]:
    return [
        " ".join(chart.locator(f'[data-part="{axis}-axis label"]').all_text_contents()) for axis in ("x", "y")
    ]


@pytest.mark.browser
class TestEveryChart:
    @pytest.mark.parametrize(("path", "number"), PAGES.items(), ids=PAGES)
    def test_has_title_number_axes_and_table(self, page: Page, path: str, number: int) -> None:
        page.goto(path.format(slug=SLUG))
        charts = page.locator(f"{FIGURES}:not(:has(table))")
        expect(charts).to_have_count(number)
        for chart in charts.all():
            expect(chart.locator("svg").first).to_be_visible()
            assert chart.locator("figcaption strong").inner_text().strip()
            assert NUMBER.search(chart.locator("figcaption").inner_text())
            names = axis_names(chart)
            assert all(names)
            assert re.search(r"percent|%|points|Rank", " ".join(names))
            # The same numbers stand in the same part of the page.
            assert chart.locator("xpath=ancestor::section[1]").locator("table").count() > 0

    @pytest.mark.parametrize(("path", "number"), SQUARES.items(), ids=SQUARES)
    def test_is_a_table_with_title_number_and_names(self, page: Page, path: str, number: int) -> None:
        page.goto(path.format(slug=SLUG))
        charts = page.locator(f"{FIGURES}:has(table)")
        expect(charts).to_have_count(number)
        for chart in charts.all():
            assert chart.locator("figcaption strong").inner_text().strip()
            assert NUMBER.search(chart.locator("figcaption").inner_text())
            for scope in ("col", "row"):
                assert all(name.strip() for name in chart.locator(f"th[scope={scope}]").all_inner_texts())
            expect(chart.get_by_role("button", name=re.compile("^(SVG|PNG)"))).to_have_count(2)
