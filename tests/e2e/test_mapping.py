"""A table with columns of its own: a lead says what each is, and sees what it holds."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Product
from tests.e2e.pages import PASSWORD, collect_complaints, make_project, open_context, sign_in

SLUG = "columns"
ROWS = "question,richtig,Model answer,llama out\nwho,me,Mr. A,you\nwhere,here,at home,there\n"

pytestmark = pytest.mark.browser


CHECKED = "async address => (await (await fetch(address)).json()).state !== 'checking'"


@contextmanager
def checked_again(page: Page) -> Iterator[None]:
    """Have the files checked again by what is done, and the page loaded anew once they are."""
    with page.expect_response(lambda reply: reply.url.endswith("/check")) as reply:
        yield
    page.wait_for_function(CHECKED, arg=reply.value.url.removesuffix("/check"))
    page.reload()


def explain(page: Page, column: str, meaning: str) -> None:
    with checked_again(page):
        page.get_by_label(f"Content of column “{column}”").select_option(label=meaning)


class TestWideTable:
    def test_gives_each_column_of_answers_its_own_system(
        self, product: Product, browser: Browser, tmp_path: Path
    ) -> None:
        product.manage("create_user", "columns-lead", "--password-stdin", text_in=f"{PASSWORD}\n")
        page = open_context(browser, url=product.url).new_page()
        complaints = collect_complaints(page)
        sign_in(page, username="columns-lead", password=PASSWORD)
        make_project(page, name="Columns", preset="OpenQA-eval", slug=SLUG)
        file = tmp_path / "wide.csv"
        file.write_text(ROWS, encoding="utf-8")
        page.goto(f"/{SLUG}/import")
        page.locator("input[type=file]").set_input_files(str(file))
        expect(page.get_by_text("Contains “you”").first).to_be_visible()
        explain(page, "richtig", "Gold answer")
        explain(page, "llama out", "Answer (one column per system)")
        # A column that its name explains can be given another meaning, too.
        page.get_by_text("Recognized columns (2)").click()
        expect(page.get_by_text("Contains “Mr. A”, “at home”")).to_be_visible()
        explain(page, "Model answer", "Answer (one column per system)")
        name = page.get_by_label("System name in “Model answer”")
        name.fill("GPT-4")
        with checked_again(page):
            name.blur()
        page.get_by_role("button", name="Import files").click()
        expect(page.get_by_text("Imported", exact=True).first).to_be_visible()
        names = [row["name"] for row in page.request.get(f"/api/projects/{SLUG}/systems").json()]
        assert sorted(names) == ["GPT-4", "llama out"]
        assert complaints() == []
        page.context.close()
