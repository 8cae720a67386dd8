"""The presets EfficientQA and EVOUNA from invitation to export, three raters in browsers of their own."""

import json
from collections.abc import Iterator
from itertools import count
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
    rows_of,
    sign_in,
    start_judging,
    wait_until_saved,
)

pytestmark = pytest.mark.browser

YES, NO = "1", "2"
_leads = count(1)


class Cast(NamedTuple):
    """A lead and three raters, each in a browser session of its own."""

    lead: Page
    raters: list[Page]

    def nothing_left(self) -> None:
        """Expect every rater to be done."""
        for page in self.raters:
            look_again(page)
            expect(page.get_by_role("heading", name="Nothing left to judge")).to_be_visible()


def look_again(page: Page) -> None:
    wait_until_saved(page)
    page.reload()
    expect(rows_of(page).first.or_(page.get_by_role("button", name="Check again"))).to_be_visible()


def wait_for_work(page: Page) -> None:
    """Check again until there is something: what others said is settled a moment after their submit."""
    look_again(page)
    nothing = page.get_by_role("button", name="Check again")
    while nothing.is_visible():
        with page.expect_response(lambda reply: reply.url.endswith("/sheets/next")):
            nothing.click()
        expect(rows_of(page).first.or_(nothing)).to_be_visible()


@pytest.fixture
def cast(product: Product, browser: Browser) -> Iterator[Cast]:
    username = f"presets-lead-{next(_leads)}"
    product.manage("create_user", username, "--password-stdin", text_in=f"{PASSWORD}\n")
    contexts = [open_context(browser, url=product.url) for _ in range(4)]
    pages = [context.new_page() for context in contexts]
    complaints = [collect_complaints(page) for page in pages]
    sign_in(pages[0], username=username, password=PASSWORD)
    yield Cast(lead=pages[0], raters=pages[1:])
    assert [heard for complaint in complaints for heard in complaint()] == []
    for context in contexts:
        context.close()


class Turn(NamedTuple):
    """What one rater presses on one question: a key for each check, then a key by answer."""

    checks: str
    labels: dict[str, str]


def judge_together(raters: list[Page], turns: dict[str, list[Turn]]) -> None:
    """Let all raters judge question after question, each in turn while the others' sheets are open."""
    for _ in turns:
        for number, page in enumerate(raters):
            text = question_of(page)
            turn = turns[text][number]
            judge_sheet(page, checks=turn.checks, labels=turn.labels)
            page.wait_for_function("old => document.querySelector('#question')?.innerText !== old", arg=text)


HAMLET, STONES = "who wrote hamlet", "when did the rolling stones begin"
SHAKESPEARE, BACON = "William Shakespeare", "Francis Bacon"
JULY, SIXTIES = "12 July 1962", "in the early sixties"
DEFINITELY, POSSIBLY, NEVER = "1", "2", "3"
EFFICIENTQA_TURNS = {
    HAMLET: [
        Turn(NO, {SHAKESPEARE: DEFINITELY, BACON: NEVER}),
        Turn(NO, {SHAKESPEARE: DEFINITELY, BACON: NEVER}),
        Turn(NO, {SHAKESPEARE: POSSIBLY, BACON: NEVER}),
    ],
    # The second rater finds it ambiguous and judges all the same.
    STONES: [
        Turn(NO, {JULY: DEFINITELY, SIXTIES: POSSIBLY}),
        Turn(YES, {JULY: POSSIBLY, SIXTIES: NEVER}),
        Turn(NO, {JULY: NEVER, SIXTIES: NEVER}),
    ],
}


class TestEfficientQA:
    SLUG = "definitely-or-possibly"

    def test_three_labels_are_decided_two_of_three_and_released(self, cast: Cast, tmp_path: Path) -> None:
        make_project(cast.lead, name="Definitely or possibly", preset="EfficientQA", slug=self.SLUG)
        import_files(cast.lead, self.files(tmp_path), slug=self.SLUG)
        for number, page in enumerate(cast.raters, start=1):
            link = invite(cast.lead, "Annotator", slug=self.SLUG)
            join(page, link, username=f"efficient{number}", slug=self.SLUG)
            start_judging(page, slug=self.SLUG)
        self.see_the_check_first(cast.raters[0])
        judge_together(cast.raters, EFFICIENTQA_TURNS)
        cast.nothing_left()
        self.see_leaderboard(cast.lead)
        self.see_export(cast.lead, tmp_path)

    def files(self, folder: Path) -> list[Path]:
        answers = {"north": (SHAKESPEARE, JULY), "south": (BACON, SIXTIES)}
        files = []
        for system, texts in answers.items():
            golds = ({HAMLET: ["Shakespeare"], STONES: ["1962"]}).items()
            rows = [
                {"question": question, "answer": gold, "prediction": text}
                for (question, gold), text in zip(golds, texts, strict=True)
            ]
            files.append(folder / f"{system}.jsonl")
            files[-1].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return files

    def see_the_check_first(self, page: Page) -> None:
        """The question's ambiguity is asked before its answers are there, and gold answers are not shown."""
        expect(rows_of(page)).to_have_count(1)
        expect(rows_of(page).first).to_have_accessible_name("Could this question have several answers?")
        expect(page.get_by_text("Reference answers")).to_have_count(0)

    def see_leaderboard(self, page: Page) -> None:
        """Definitely is the main figure: North has one of two, South none."""
        page.goto(f"/{self.SLUG}/leaderboard")
        expect(page.get_by_role("row").filter(has_text="north").first).to_contain_text("50")

    def see_export(self, page: Page, folder: Path) -> None:
        lines = download(page, "EfficientQA release format", slug=self.SLUG, to=folder / "release.jsonl")
        released = {row["question"]: row for row in map(json.loads, lines)}
        hamlet, stones = released[HAMLET], released[STONES]
        assert list(hamlet) == [
            "question",
            "answer",
            "def_correct_predictions",
            "poss_correct_predictions",
            "def_incorrect_predictions",
            "answer_and_def_correct_predictions",
        ]
        assert hamlet["answer_and_def_correct_predictions"] == ["Shakespeare", SHAKESPEARE]
        assert (hamlet["poss_correct_predictions"], hamlet["def_incorrect_predictions"]) == ([], [BACON])
        assert (stones["def_correct_predictions"], stones["poss_correct_predictions"]) == ([], [JULY])
        assert stones["def_incorrect_predictions"] == [SIXTIES]


PRESIDENT, MOUNTAIN, VIOLIN = (
    "who is president this year",
    "tallest mountain",
    "how many strings has a violin",
)
ANSWERS = {
    PRESIDENT: ("nobody", "somebody", "anybody"),
    MOUNTAIN: ("Everest", "Mount Everest", "K2"),
    VIOLIN: ("four", "4 strings", "six"),
}
GROUPS = ("fid+gpt35+chatgpt", "gpt4", "newbing")
RIGHT, WRONG = "1", "2"


def evouna_turn(question: str, checks: str, label: str, *, rater: int) -> Turn:
    return Turn(checks, {ANSWERS[question][rater]: label})


EVOUNA_TURNS = {
    # T / F / T, for different reasons: a yes to the first check leaves the second unasked.
    PRESIDENT: [
        evouna_turn(PRESIDENT, YES, "", rater=0),
        evouna_turn(PRESIDENT, NO + NO, RIGHT, rater=1),
        evouna_turn(PRESIDENT, NO + YES, "", rater=2),
    ],
    # T / F / F: the first rater is overruled and judges after all.
    MOUNTAIN: [
        evouna_turn(MOUNTAIN, NO + YES, "", rater=0),
        evouna_turn(MOUNTAIN, NO + NO, RIGHT, rater=1),
        evouna_turn(MOUNTAIN, NO + NO, WRONG, rater=2),
    ],
    VIOLIN: [
        evouna_turn(VIOLIN, NO + NO, RIGHT, rater=0),
        evouna_turn(VIOLIN, NO + NO, RIGHT, rater=1),
        evouna_turn(VIOLIN, NO + NO, WRONG, rater=2),
    ],
}


class TestEvouna:
    SLUG = "one-annotator-a-group"

    def test_two_of_three_raters_take_a_question_out(self, cast: Cast, tmp_path: Path) -> None:
        make_project(cast.lead, name="One annotator a group", preset="EVOUNA", slug=self.SLUG)
        import_files(cast.lead, [self.file(tmp_path)], slug=self.SLUG, form="EVOUNA: answers with verdicts")
        for number, page in enumerate(cast.raters):
            link = invite(cast.lead, "Annotator", slug=self.SLUG, group=GROUPS[number])
            join(page, link, username=f"evouna{number}", slug=self.SLUG)
            start_judging(page, slug=self.SLUG)
        self.see_the_skip(cast.raters[0])
        judge_together(cast.raters, EVOUNA_TURNS)
        self.judge_after_all(cast.raters[0])
        self.insist(cast.raters[1])
        cast.nothing_left()
        self.see_scores(cast.lead)
        self.see_export(cast.lead, tmp_path)

    def file(self, folder: Path) -> Path:
        """Write answers as EVOUNA's file has them, not judged yet."""
        golds = {PRESIDENT: "(", MOUNTAIN: "Mount Everest/Everest", VIOLIN: "four/4"}
        rows = [
            {
                "question": question,
                "golden_answer": gold,
                "improper": False,
                **dict(zip(("answer_fid", "answer_gpt4", "answer_newbing"), ANSWERS[question], strict=True)),
            }
            for question, gold in golds.items()
        ]
        file = folder / "NQ.json"
        file.write_text(json.dumps(rows), encoding="utf-8")
        return file

    def see_the_skip(self, page: Page) -> None:
        """A yes takes what follows away, and a no brings it back."""
        expect(page.get_by_text("Reference answers")).to_be_visible()
        expect(rows_of(page)).to_have_count(3)
        page.keyboard.press(YES)
        expect(rows_of(page)).to_have_count(1)
        expect(page.get_by_text("you do not need to judge")).to_be_visible()
        page.keyboard.press(NO)
        expect(rows_of(page)).to_have_count(3)
        # Back to the first check, for what this rater really says.
        page.keyboard.press("k")

    def judge_after_all(self, page: Page) -> None:
        wait_for_work(page)
        assert question_of(page) == MOUNTAIN
        expect(page.get_by_role("note")).to_contain_text("stays in the project")
        expect(rows_of(page)).to_have_count(1)
        judge_sheet(page, labels={"Everest": RIGHT})

    def insist(self, page: Page) -> None:
        wait_for_work(page)
        assert question_of(page) == PRESIDENT
        expect(page.get_by_role("note")).to_contain_text("Decide again whether")
        expect(rows_of(page)).to_have_count(2)
        judge_sheet(page, checks=NO + NO, labels={})

    def see_scores(self, page: Page) -> None:
        """The question two of three took out is in no score: GPT-4 is right on two of two."""
        page.goto(f"/{self.SLUG}/leaderboard")
        expect(page.get_by_text("2 questions", exact=False).first).to_be_visible()
        expect(page.get_by_role("row").filter(has_text="gpt4").first).to_contain_text("100")
        page.goto(f"/{self.SLUG}/overview")
        expect(page.get_by_text("Annotators excluded 1 question from all scores.")).to_be_visible()

    def see_export(self, page: Page, folder: Path) -> None:
        """The vote of the rater who was asked again is kept."""
        lines = download(page, "Votes, one per line", slug=self.SLUG, to=folder / "votes.jsonl")
        votes = [json.loads(line) for line in lines]
        assert {(vote["question"], vote["answer"], vote["label"]) for vote in votes} == {
            (PRESIDENT, "somebody", "correct"),
            *((MOUNTAIN, text, label) for text, label in zip(ANSWERS[MOUNTAIN], LABELS, strict=True)),
            *((VIOLIN, text, label) for text, label in zip(ANSWERS[VIOLIN], LABELS, strict=True)),
        }


LABELS = ("correct", "correct", "incorrect")
