"""A lead makes a protocol of their own in the browser and changes it while raters are at work."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import Product
from tests.e2e.pages import (
    PASSWORD,
    collect_complaints,
    import_files,
    invite,
    join,
    judge_sheet,
    make_project,
    open_context,
    rows_of,
    sign_in,
    start_judging,
    wait_until_saved,
)

pytestmark = pytest.mark.browser
LEAD = "protocol-lead"


class TestOwnProtocol:
    def test_is_made_from_a_preset_and_changes_with_its_effects_told(
        self, product: Product, browser: Browser, tmp_path: Path
    ) -> None:
        product.manage("create_user", LEAD, "--password-stdin", text_in=f"{PASSWORD}\n")
        lead, rater = (open_context(browser, url=product.url).new_page() for _ in range(2))
        complaints = [collect_complaints(page) for page in (lead, rater)]
        sign_in(lead, username=LEAD, password=PASSWORD)
        make_project(lead, name="Own", preset="OpenQA-eval", slug="own")

        lead.goto("/own/protocol")
        lead.get_by_label("Annotators per answer").fill("1")
        lead.get_by_role("button", name="Add label").click()
        lead.get_by_role("button", name="Preview changes").click()
        expect(lead.get_by_label("Label 3", exact=True)).to_have_attribute("aria-invalid", "true")
        lead.get_by_label("Label 3", exact=True).fill("Cannot say")
        lead.get_by_role("button", name="Preview changes").click()
        lead.get_by_role("button", name="Publish version 1").click()
        expect(lead.get_by_text("Published version 1 of the protocol.")).to_be_visible()

        items = tmp_path / "items.jsonl"
        items.write_text('{"id": "q1", "question": "who sings", "answer": "Dave", "answer_one": "Martin"}\n')
        import_files(lead, [items], slug="own")
        link = invite(lead, "Annotator", slug="own")
        join(rater, link, username="protocol-rater", slug="own")
        start_judging(rater, slug="own")
        expect(rows_of(rater).first.get_by_role("radio", name="Cannot say")).to_be_attached()
        judge_sheet(rater, labels={"Martin": "2"})
        wait_until_saved(rater)

        lead.goto("/own/protocol")
        lead.get_by_label("Annotators per answer").fill("2")
        lead.get_by_role("button", name="Preview changes").click()
        expect(
            lead.get_by_text("1 judgment was made under version 1 and keeps that version.")
        ).to_be_visible()
        expect(lead.get_by_text("is reopened and waits for one more annotator")).to_be_visible()
        lead.get_by_role("button", name="Publish version 2").click()
        history = lead.get_by_role("listitem").filter(has_text="Version 2")
        expect(history.get_by_text("Annotators per answer")).to_be_visible()
        assert [heard for complaint in complaints for heard in complaint()] == []
        for page in (lead, rater):
            page.context.close()
