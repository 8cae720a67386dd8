"""The training before the work: guidelines first, feedback after each sheet, a mark to pass."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Product
from tests.e2e.pages import (
    PASSWORD,
    collect_complaints,
    import_files,
    invite,
    join,
    make_project,
    open_context,
    question_of,
    rows_of,
    sign_in,
)

pytestmark = pytest.mark.browser
LEAD, SLUG = "training-lead", "trained"
RIGHT, WRONG = "1", "2"
PRACTICE = {"capital of france": "Paris", "capital of italy": "Rome"}


def make_study(lead: Page, folder: Path) -> None:
    """Make a study with one question to judge and two outside its sample, for practice."""
    make_project(lead, name="Trained", preset="OpenQA-eval", slug=SLUG)
    rows = [
        {"question": question, "answer": [answer], "dataset": "practice", "prediction": answer}
        for question, answer in PRACTICE.items()
    ]
    rows.append(
        {"question": "capital of spain", "answer": ["Madrid"], "dataset": "work", "prediction": "Madrid"}
    )
    file = folder / "one.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)) + "\n")
    import_files(lead, [file], slug=SLUG)
    lead.goto(f"/{SLUG}/sample")
    lead.get_by_text("Other ways to choose questions", exact=True).click()
    lead.get_by_role("radio", name=re.compile("^Data set or tag")).check()
    lead.get_by_label("Data set", exact=True).select_option("work")
    lead.get_by_role("button", name="Use these questions").click()
    expect(lead.get_by_text("1 of 3 questions selected.", exact=False)).to_be_visible()


def make_training(lead: Page) -> None:
    """Say of the two answers that their label is known, explain one later, and ask for the training."""
    for answer in PRACTICE.values():
        lead.goto(f"/{SLUG}/answers?state=unasked")
        lead.get_by_role("link", name=answer).click()
        lead.get_by_role("button", name="Use as known answer").click()
        dialog = lead.get_by_role("dialog")
        dialog.get_by_label("Purpose", exact=True).select_option(label="Training")
        dialog.get_by_label("Known label").select_option(label="Correct")
        dialog.get_by_role("button", name="Save").click()
        expect(lead.get_by_text("Known answer, training")).to_be_visible()
    lead.goto(f"/{SLUG}/work/known-answers")
    for answer in PRACTICE.values():
        lead.get_by_role("button", name=f"Add explanation “{answer}”").click()
        dialog = lead.get_by_role("dialog")
        dialog.get_by_label("Explanation (optional)").fill(f"{answer} stands in every atlas.")
        dialog.get_by_role("button", name="Save").click()
        expect(lead.get_by_role("cell", name=f"{answer} stands in every atlas.")).to_be_visible()
    lead.goto(f"/{SLUG}/work")
    lead.get_by_role("button", name="Change Training").click()
    lead.get_by_label("Require training for new annotators").check()
    lead.get_by_label("Minimum correct (%)").fill("100")
    lead.get_by_label("Minimum number of answers").fill("2")
    lead.get_by_role("button", name="Save").click()
    expect(lead.get_by_text("Work plan saved. The change takes effect with the next sheet.")).to_be_visible()


def judge_practice(rater: Page, key: str) -> None:
    """Judge one question of the training by keys and wait for what is right."""
    expect(rows_of(rater)).to_have_count(1)
    rater.keyboard.press(key)
    rater.keyboard.press("Enter")
    words = "Correct label" if key == RIGHT else "Incorrect label"
    expect(rater.get_by_text(words, exact=True)).to_be_visible()
    answer = PRACTICE[question_of(rater)]
    expect(rater.get_by_text(f"{answer} stands in every atlas.")).to_be_visible()


class TestTraining:
    def test_comes_after_the_guidelines_tells_what_is_right_and_lets_through_who_passes(
        self, product: Product, browser: Browser, tmp_path: Path
    ) -> None:
        product.manage("create_user", LEAD, "--password-stdin", text_in=f"{PASSWORD}\n")
        lead, rater = (open_context(browser, url=product.url).new_page() for _ in range(2))
        complaints = [collect_complaints(page) for page in (lead, rater)]
        sign_in(lead, username=LEAD, password=PASSWORD)
        make_study(lead, tmp_path)
        make_training(lead)
        join(rater, invite(lead, "Annotator", slug=SLUG), username="training-rater", slug=SLUG)

        rater.goto(f"/{SLUG}/judge")
        expect(rater.get_by_role("heading", name="Read the guidelines before you start")).to_be_visible()
        rater.keyboard.press("g")
        expect(rater.get_by_text("Training · 0 of 2 answers judged")).to_be_visible()

        judge_practice(rater, WRONG)
        rater.keyboard.press("Enter")
        expect(rater.get_by_text("Training · 1 of 2 answers judged")).to_be_visible()
        judge_practice(rater, RIGHT)
        rater.keyboard.press("Enter")
        expect(rater.get_by_role("heading", name="Not passed yet")).to_be_visible()
        expect(rater.get_by_text("You labeled 1 of 2 answers correctly", exact=False)).to_be_visible()
        lead.goto(f"/{SLUG}/work/known-answers")
        expect(lead.get_by_role("row", name="Training-Rater").get_by_text("not passed yet")).to_be_visible()

        rater.get_by_role("button", name="Try again").click()
        for _ in PRACTICE:
            judge_practice(rater, RIGHT)
            if rater.get_by_role("button", name="Continue").is_visible():
                rater.keyboard.press("Enter")
                expect(rater.get_by_text("attempt 2", exact=False)).to_be_visible()
        expect(rater.get_by_text("You have passed.", exact=False)).to_be_visible()
        rater.get_by_role("button", name="Start judging").click()
        expect(rater.get_by_role("heading", name="capital of spain")).to_be_visible()
        lead.reload()
        row = lead.get_by_role("row", name="Training-Rater")
        expect(row.get_by_text("passed", exact=True)).to_be_visible()
        expect(row.get_by_text("2 of 2")).to_be_visible()

        assert [heard for complaint in complaints for heard in complaint()] == []
        for page in (lead, rater):
            page.context.close()
