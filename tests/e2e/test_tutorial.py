"""The tutorial as it is written, on the released files; `make screenshots` takes its pictures anew."""

from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from commands.reproduction.published import NQ301
from tests.conftest import DATA
from tests.e2e.conftest import ROOT, Product
from tests.e2e.pages import PASSWORD, open_context, sign_in
from tests.faults.proof import Proof
from tests.golden.tutorial import HEADERS, stated_table

FILES = DATA / "openqa-eval"
PICTURES = ROOT / "docs" / "images"

pytestmark = pytest.mark.browser
Show = Callable[[str], None]


@pytest.mark.screenshots
def test_its_pictures_are_taken(product: Product, browser: Browser) -> None:
    follow(product, browser, has_pictures=True)


@pytest.mark.prove
def test_leads_to_every_cell_that_it_states(product: Product, browser: Browser) -> None:
    follow(product, browser, has_pictures=False)
    cells = list(chain.from_iterable(stated_table().values()))
    equal = sum(cell.printed == cell.shown for cell in cells)
    Proof().record(
        "P37",
        "the tutorial followed in a browser, its table read off the page",
        promised="the 72 cells that it states",
        measured=f"{len(cells)} of 72 as stated, {equal} of them the paper’s",
        database="PostgreSQL" if product.environment["DATABASE_URL"].startswith("postgres") else "SQLite",
    )


def follow(product: Product, browser: Browser, *, has_pictures: bool) -> None:
    """Do what the tutorial says, and read the scores off the leaderboard."""
    if not FILES.is_dir():
        pytest.skip("the files of OpenQA-eval are not here")
    product.manage("create_user", "tutor", "--password-stdin", text_in=PASSWORD)
    with open_context(browser, url=product.url) as context:
        page = context.new_page()
        sign_in(page, username="tutor", password=PASSWORD)

        def show(name: str) -> None:
            if has_pictures:
                page.screenshot(path=PICTURES / f"tutorial-{name}.png")

        make_study(page, show)
        open_leaderboard(page, show)
        assert shown_table(page) == {
            system: [cell.shown for cell in cells] for system, cells in stated_table().items()
        }
        assert peoples_scores(page) == {name: values[-1] for name, values in NQ301.items()}


def make_study(page: Page, show: Show) -> None:
    page.get_by_role("link", name="New project").first.click()
    page.get_by_label("Name", exact=True).fill("NQ301")
    page.get_by_role(
        "radio", name="Which systems are best, and which automatic judges can I trust?"
    ).first.check()
    show("project")
    page.get_by_role("button", name="Create project").click()
    # The page in front takes a file, too: a project's bundle.
    expect(page.get_by_role("heading", name="Import", exact=True)).to_be_visible()
    choose_files(page, [FILES / "NQ301_human.tsv"])
    for number in ("301", "1,490", "3,196"):
        expect(page.get_by_text(number, exact=True)).to_be_visible()
    show("votes")
    save_files(page)
    page.get_by_role("link", name="Import system answers").click()
    choose_files(page, sorted((FILES / "model_outputs").glob("*.jsonl")))
    expect(page.get_by_text("36,702", exact=True)).to_be_visible()
    page.get_by_text("File settings", exact=True).click()
    page.get_by_text("More options").click()
    page.get_by_label("Candidates").select_option("votes")
    expect(page.get_by_text("11,316", exact=True)).to_be_visible()
    expect(page.get_by_label("Candidates")).to_be_focused()
    page.get_by_label("Candidates").evaluate("field => field.scrollIntoView({ block: 'center' })")
    show("answers")
    save_files(page)
    expect(page.get_by_text("Only 301 of 3,610 questions have votes")).to_be_visible()
    show("questions")
    page.get_by_role("button", name="Use only questions with votes").click()
    expect(page.get_by_text("301 questions selected.")).to_be_visible()
    page.get_by_role("link", name="Import", exact=True).click()
    names = ("BEM", "text-davinci-003", "gpt-4")
    choose_files(page, [FILES / f"NQ301_{name}.tsv" for name in names])
    expect(page.get_by_text("4,470", exact=True).first).to_be_visible()
    save_files(page)


def choose_files(page: Page, files: list[Path]) -> None:
    page.locator("input[type=file]").set_input_files([str(file) for file in files])
    expect(page.get_by_role("button", name="Import files")).to_be_visible()


def save_files(page: Page) -> None:
    page.get_by_role("button", name="Import files").click()
    expect(page.get_by_text("Imported", exact=True).first).to_be_visible()


def open_leaderboard(page: Page, show: Show) -> None:
    page.get_by_role("link", name="Results").click()
    expect(page.get_by_role("heading", name="Systems", exact=True)).to_be_visible()
    expect(page.get_by_text("75.7 (70.6–80.2)")).to_be_visible()
    # Once every judge and every interval is there; until then it says less.
    expect(page.get_by_text("is not significantly better than 9 others")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Learned judge")).to_be_visible()
    while page.get_by_text("still running, so its scores are").is_visible():
        page.reload()
        expect(page.get_by_text("is not significantly better than 9 others")).to_be_visible()
    show("leaderboard")


def shown_table(page: Page) -> dict[str, list[str]]:
    """Return the figures in sight under the headers that the tutorial names, by the system of their row."""
    table = page.get_by_role("table")
    for name in HEADERS:
        table = table.filter(has=page.get_by_role("columnheader", name=name))
    *_, last_line = table.locator("thead tr").all()
    headers = last_line.locator("th, td").all_inner_texts()
    # Below a name stands what it is counted against.
    places = [place for name in HEADERS for place, text in enumerate(headers) if text.startswith(name)]
    assert len(places) == len(HEADERS), headers
    found = {}
    for row in table.locator("tbody tr").all():
        cells = row.locator("th, td").all_inner_texts()
        system = row.get_by_role("rowheader").inner_text().split("\n")[0]
        found[system] = [cells[place].split()[0] for place in places]
    return found


def peoples_scores(page: Page) -> dict[str, float]:
    """Return people's score of each system as the paper prints it: rounded twice."""
    board = page.request.get("/api/projects/nq301/leaderboard").json()
    shares = {row["system"]: row["scores"]["human"]["value"] for row in board["rows"]}
    return {system: round(round(100 * share, 2) + 1e-9, 1) for system, share in shares.items()}
