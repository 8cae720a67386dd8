"""The whole story in real browsers: from files to a gold list amended by people."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Product
from tests.e2e.pages import (
    PASSWORD,
    collect_complaints,
    download,
    import_files,
    invite,
    join,
    judge_sheet,
    make_project,
    open_context,
    question_of,
    sign_in,
)

SLUG = "rivers-and-towers"

QUESTIONS = [
    ("which river runs through vienna", ["Danube"], {"north": "the Danube", "south": "Donau"}),
    ("who designed the eiffel tower", ["Gustave Eiffel"], {"north": "Stephen Sauvestre", "south": "Eiffel"}),
    ("how many strings has a violin", ["four"], {"north": "4", "south": "six"}),
]
ANSWERS = {text for _, _, answers in QUESTIONS for text in answers.values()}
# The labels of the two annotators: they disagree on "Stephen Sauvestre" and on "4".
FIRST = {"the Danube", "Donau", "Eiffel", "4", "Stephen Sauvestre"}
SECOND = {"the Danube", "Donau", "Eiffel"}

pytestmark = pytest.mark.browser


class Cast(NamedTuple):
    """Everybody's page, each in a browser session of its own."""

    lead: Page
    annotators: list[Page]
    adjudicator: Page


def write_files(folder: Path) -> list[Path]:
    """Write one predictions file a system, as people have them."""
    files = []
    for system in ("north", "south"):
        rows = [
            {"question": text, "answer": golds, "prediction": answers[system]}
            for text, golds, answers in QUESTIONS
        ]
        files.append(folder / f"{system}.jsonl")
        files[-1].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return files


def judge_everything(page: Page, *, accepts: set[str]) -> int:
    """Judge by keyboard alone until nothing is left; return how many sheets that were."""
    labels = {text: "1" if text in accepts else "2" for text in ANSWERS}
    page.goto(f"/{SLUG}/judge")
    for sheets in range(20):
        rows = page.get_by_role("radiogroup")
        nothing = page.get_by_role("button", name="Check again")
        guidelines = page.get_by_role("button", name="I have read the guidelines")
        expect(rows.first.or_(nothing).or_(guidelines)).to_be_visible()
        if guidelines.count():
            guidelines.click()
            expect(rows.first).to_be_visible()
        if nothing.count():
            return sheets
        question = question_of(page)
        judge_sheet(page, labels=labels)
        page.wait_for_function("old => document.querySelector('#question')?.innerText !== old", arg=question)
    raise AssertionError("there is always another sheet")


@pytest.fixture
def cast(product: Product, browser: Browser) -> Cast:
    product.manage("create_user", "lea", "--password-stdin", text_in=f"{PASSWORD}\n")
    pages = [open_context(browser, url=product.url).new_page() for _ in range(4)]
    sign_in(pages[0], username="lea", password=PASSWORD)
    return Cast(lead=pages[0], annotators=pages[1:3], adjudicator=pages[3])


class TestStory:
    def test_a_study_runs_from_files_to_an_amended_gold_list(self, cast: Cast, tmp_path: Path) -> None:
        complaints = [collect_complaints(page) for page in (cast.lead, *cast.annotators, cast.adjudicator)]
        make_project(cast.lead, name="Rivers and towers", preset="OpenQA-eval", slug=SLUG)
        import_files(cast.lead, write_files(tmp_path), slug=SLUG)
        for number, page in enumerate(cast.annotators, start=1):
            join(page, invite(cast.lead, "Annotator", slug=SLUG), username=f"ann{number}", slug=SLUG)
        join(cast.adjudicator, invite(cast.lead, "Adjudicator", slug=SLUG), username="ada", slug=SLUG)

        assert judge_everything(cast.annotators[0], accepts=FIRST) == len(QUESTIONS)
        assert judge_everything(cast.annotators[1], accepts=SECOND) == len(QUESTIONS)

        self.settle(cast.adjudicator)
        self.see_agreement(cast.lead)
        self.see_leaderboard(cast.lead)
        self.see_export(cast.lead, tmp_path)
        assert [heard for complaint in complaints for heard in complaint()] == []

    def settle(self, page: Page) -> None:
        """Accept both disputed answers: nobody is left to be the third rater."""
        page.goto(f"/{SLUG}/queue")
        for left in (2, 1):
            expect(page.get_by_role("form", name="Decision")).to_be_visible()
            expect(page.get_by_text(f"{left} answer", exact=False).first).to_be_visible()
            page.get_by_role("group", name="Label", exact=True).get_by_role("button").first.click()
            page.get_by_label("Explanation", exact=False).fill(f"looked it up ({left})")
            page.get_by_role("form", name="Decision").get_by_role("button", name="Decide").click()
        expect(page.get_by_text("2 decided today")).to_be_visible()

    def see_agreement(self, page: Page) -> None:
        """Six answers, two disagreements: 66.7% raw agreement."""
        page.goto(f"/{SLUG}/agreement")
        expect(page.get_by_text("66.7", exact=False).first).to_be_visible()

    def see_leaderboard(self, page: Page) -> None:
        """North had one exact match and is right three times; South none and twice."""
        page.goto(f"/{SLUG}/leaderboard")
        north = page.get_by_role("row").filter(has_text="north").first
        expect(north).to_contain_text("100")

    def see_export(self, page: Page, folder: Path) -> None:
        """The released gold list has what people accepted."""
        lines = download(page, "EfficientQA release format", slug=SLUG, to=folder / "gold.jsonl")
        rows = [json.loads(line) for line in lines]
        released = {row["question"]: set(row["answer_and_def_correct_predictions"]) for row in rows}
        assert {"Gustave Eiffel", "Stephen Sauvestre", "Eiffel"} <= released["who designed the eiffel tower"]
        assert "six" not in released["how many strings has a violin"]
