"""The overview in a real browser: what only its layout decides."""

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.e2e.conftest import Product
from tests.e2e.pages import PASSWORD, open_context, sign_in

SLUG = "large"
NEEDS = [
    {"key": "unsure", "text": "answers wait", "count": 1_234_567, "href": "queue"},
    {"key": "flagged", "text": "questions are flagged", "count": 12_345, "href": "answers"},
    {"key": "pages", "text": "pages", "count": 7, "href": "answers"},
]

pytestmark = pytest.mark.browser


def answer_with_large_counts(route: Route) -> None:
    reply = route.fetch()
    route.fulfill(response=reply, json={**reply.json(), "questions": 3_610, "needs": NEEDS})


class TestCounts:
    @pytest.mark.parametrize("width", ["phone", "desktop"])
    def test_of_the_papers_data_stand_on_one_line(
        self, product: Product, browser: Browser, width: str
    ) -> None:
        lead = f"{SLUG}-{width}"
        product.manage("create_user", lead, "--password-stdin", text_in=f"{PASSWORD}\n")
        product.manage("create_project", lead, "--protocol", "openqa-eval", "--lead", lead)
        page = open_context(browser, url=product.url, width=width).new_page()
        page.route(f"**/api/projects/{lead}/overview", answer_with_large_counts)
        sign_in(page, username=lead, password=PASSWORD)
        page.goto(f"/{lead}/overview")
        heights = []
        for count in ("7", "12,345", "1,234,567"):
            text = page.get_by_role("listitem").get_by_text(count, exact=True)
            expect(text).to_be_visible()
            box = text.bounding_box()
            assert box is not None
            heights.append(box["height"])
        assert heights == [heights[0]] * 3
        page.context.close()
