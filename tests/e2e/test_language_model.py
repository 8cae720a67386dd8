"""A language model as a judge: connected, tried on a sample, let loose, and trusted with some answers."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Product
from tests.e2e.pages import collect_complaints, open_context, sign_in
from tests.hostile import Provider

SLUG = "capitals"
PASSWORD = "correct horse battery"
KEY = "sk-never-shown-again-4711"
QUESTIONS = 8

pytestmark = pytest.mark.browser


@pytest.fixture
def provider(tmp_path: Path) -> Iterator[Provider]:
    """A model that finds everything correct."""
    with Provider("good", journal=tmp_path / "journal") as running:
        yield running


@pytest.fixture
def lead(product: Product, browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A lead with a project of eight answers, none judged yet."""
    rows = [
        {
            "question": f"capital of country {number}",
            "answer": [f"Town {number}"],
            "prediction": f"town {number}",
        }
        for number in range(QUESTIONS)
    ]
    file = tmp_path / "north.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    product.manage("create_user", "models-lead", "--password-stdin", text_in=f"{PASSWORD}\n")
    product.manage("create_project", SLUG, "--protocol", "openqa-eval", "--lead", "models-lead")
    product.manage("import_data", str(file), "--project", SLUG)
    context = open_context(browser, url=product.url)
    page = context.new_page()
    sign_in(page, username="models-lead", password=PASSWORD)
    yield page
    context.close()


def connect(page: Page, provider: Provider) -> None:
    page.goto(f"/{SLUG}/runs/connections")
    page.get_by_role("button", name="Connect a model").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Mock")
    dialog.get_by_label("Model").fill("hostile-1")
    dialog.get_by_label("Address").fill(provider.base_url)
    dialog.get_by_label("API key").fill(KEY)
    dialog.get_by_label("Input price").fill("1")
    dialog.get_by_label("Output price").fill("2")
    dialog.get_by_role("button", name="Connect").click()
    expect(page.get_by_text("key ending in 4711")).to_be_visible()
    page.get_by_role("button", name="Test").click()
    expect(page.get_by_text("The connection works")).to_be_visible()


def judge_sample_first(page: Page) -> None:
    page.goto(f"/{SLUG}/runs/new?judge=llm")
    page.get_by_label("Connection").select_option(label="Mock (hostile-1)")
    page.get_by_label("Sample size (optional)").fill("3")
    expect(page.get_by_text(re.compile("3 answers to judge"))).to_be_visible()
    page.get_by_role("button", name="Judge 3 answers first").click()
    expect(page.get_by_text("Sample judged")).to_be_visible()
    expect(page.get_by_text(re.compile("the other 5 answers would cost about"))).to_be_visible()
    page.get_by_role("button", name="Judge remaining answers").click()
    expect(page.get_by_text("Finished")).to_be_visible()
    expect(page.get_by_role("region", name="Verdicts").get_by_text("Accepted")).to_have_count(QUESTIONS)


def settle_and_undo(page: Page) -> None:
    page.goto(f"/{SLUG}/prejudging")
    page.get_by_role("button", name="Add a rule").click()
    page.get_by_role("checkbox", name=re.compile("^Exact match")).check()
    page.get_by_label("Audit share (%)", exact=True).fill("0")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text(f"Of {QUESTIONS} open answers, {QUESTIONS} would be settled")).to_be_visible()
    page.get_by_role("button", name="Save and apply").click()
    page.get_by_role("button", name="Apply policy").click()
    expect(page.get_by_text(f"Automatic judges settled {QUESTIONS} answers")).to_be_visible()
    page.get_by_role("button", name="Undo all").click()
    page.get_by_label("Reason").fill("only tried it")
    page.get_by_role("dialog").get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("reason for undoing: only tried it")).to_be_visible()


class TestLanguageModel:
    def test_is_connected_judges_a_sample_then_the_rest_and_settles_answers(
        self, lead: Page, provider: Provider
    ) -> None:
        complaints = collect_complaints(lead)
        connect(lead, provider)
        assert KEY not in lead.content()
        judge_sample_first(lead)
        settle_and_undo(lead)
        assert {entry.authorization for entry in provider.entries()} == {f"Bearer {KEY}"}
        assert complaints() == []
