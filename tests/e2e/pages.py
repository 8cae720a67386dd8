"""Every page of the product, by who opens it, and what people do on them from invitation to export."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Locator, Page, expect

from annotation.projects.presets import all_presets

WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}
SCHEMES = ("light", "dark")
PASSWORD = "correct horse battery"
# How long a page may take to act or to show what is expected of it: a busy machine is slow, not broken.
PATIENCE_MS = 90_000
expect.set_options(timeout=PATIENCE_MS)


class PageAddress(NamedTuple):
    """A page: its name, who opens it (nobody: signed out), and its address in a project.

    way: of a page whose address nobody knows beforehand, what is clicked at that address to come there.
    route: its address as the front end writes it, where the path and the way do not tell.
    """

    name: str
    who: str | None
    path: str
    way: str = ""
    route: str = ""


PAGES = (
    PageAddress("sign-in", None, "/sign-in"),
    PageAddress("help", None, "/help/start", route="help/$name"),
    PageAddress("help-guide", None, "/help/guide"),
    PageAddress("help-search", None, "/help/start?search=spending+cap"),
    PageAddress("help-comparison", None, "/help/comparison"),
    PageAddress("help-commands", None, "/help/commands"),
    PageAddress("help-statistics", None, "/help/statistics"),
    PageAddress("account", "annotator1", "/account"),
    PageAddress("api-tokens", "lead", "/account/tokens"),
    PageAddress(
        "organization",
        "lead",
        "/account/organizations/lab-{slug}",
        route="account/organizations/$organization",
    ),
    PageAddress("projects", "lead", "/"),
    PageAddress("new-project", "lead", "/new"),
    PageAddress("compare", "lead", "/compare?projects={slug}"),
    PageAddress("overview", "lead", "/{slug}/overview"),
    PageAddress("import", "lead", "/{slug}/import"),
    PageAddress("sample", "lead", "/{slug}/sample"),
    PageAddress("protocol", "lead", "/{slug}/protocol"),
    PageAddress("protocol-try", "lead", "/{slug}/protocol/try"),
    PageAddress("judge", "annotator1", "/{slug}/judge"),
    # Nobody has read the guidelines of this one.
    PageAddress("judge-guidelines", "annotator1", "/demo-decided/judge"),
    PageAddress("judged", "annotator1", "/{slug}/judged"),
    PageAddress("queue", "adjudicator", "/{slug}/queue"),
    PageAddress("agreement", "lead", "/{slug}/agreement"),
    PageAddress("raters", "lead", "/{slug}/agreement/raters"),
    PageAddress("runs", "lead", "/{slug}/runs"),
    PageAddress("judge-board", "lead", "/{slug}/runs/board"),
    PageAddress(
        "judge-board-open",
        "lead",
        "/{slug}/runs/board?open=replacement,cautions,breakdown,scores,pairs,differences,prompts",
    ),
    PageAddress("new-run", "lead", "/{slug}/runs/new"),
    PageAddress("new-run-llm", "lead", "/{slug}/runs/new?judge=llm"),
    PageAddress("prejudging", "lead", "/{slug}/prejudging"),
    PageAddress("connections", "lead", "/{slug}/runs/connections"),
    PageAddress("prompts", "lead", "/{slug}/runs/prompts"),
    PageAddress("leaderboard", "lead", "/{slug}/leaderboard"),
    PageAddress("leaderboard-details", "lead", "/{slug}/leaderboard?details=ranks"),
    PageAddress("amendments", "lead", "/{slug}/leaderboard/amendments"),
    PageAddress("by-data-set", "lead", "/{slug}/leaderboard/datasets"),
    PageAddress("systems", "lead", "/{slug}/leaderboard/systems"),
    PageAddress("failures", "lead", "/{slug}/failures"),
    PageAddress("failure-board", "lead", "/{slug}/failures/board"),
    PageAddress("failure-lengths", "adjudicator", "/{slug}/failures/board?board=length"),
    PageAddress("tagging-new-round", "lead", "/{slug}/failures/new"),
    PageAddress("tag-sets", "adjudicator", "/{slug}/failures/sets"),
    PageAddress("answers", "lead", "/{slug}/answers"),
    PageAddress("gold", "lead", "/{slug}/gold"),
    PageAddress("gold-changes", "lead", "/{slug}/gold?view=changes"),
    PageAddress("proposals", "lead", "/{slug}/gold/proposals"),
    PageAddress("export", "lead", "/{slug}/export"),
    PageAddress("people", "lead", "/{slug}/people"),
    PageAddress("work", "lead", "/{slug}/work"),
    PageAddress("known-answers", "lead", "/{slug}/work/known-answers"),
    PageAddress("settings", "lead", "/{slug}/settings"),
    PageAddress("activity", "lead", "/{slug}/settings/activity"),
    PageAddress("webhooks", "lead", "/{slug}/settings/webhooks"),
)
# What viewers may open: all of it is in their navigation, but for one answer.
VIEWERS_PAGES = tuple(
    PageAddress(f"viewer-{path.replace('/', '-')}", "viewer", f"/{{slug}}/{path}")
    for path in (
        "overview",
        "agreement",
        "leaderboard",
        "leaderboard/amendments",
        "leaderboard/datasets",
        "leaderboard/systems",
        "runs/board",
        "failures",
        "failures/board",
        "failures/sets",
        "answers",
        "gold",
        "export",
    )
)
# Those behind a link to one person, one answer, one run; and what is not there.
FURTHER_PAGES = (
    PageAddress("join", None, "/join/{invitation}"),
    PageAddress("join-as-member", "annotator1", "/join/{invitation}"),
    PageAddress("password", None, "/password/{password}"),
    PageAddress("password-request", None, "/password"),
    PageAddress("email-link", None, "/account/confirm-email/none", route="account/confirm-email/$token"),
    PageAddress("unsubscribe", None, "/account/unsubscribe/none", route="account/unsubscribe/$token"),
    PageAddress("not-found", "lead", "/{slug}/nowhere"),
    PageAddress("no-project", "lead", "/nowhere/overview"),
    PageAddress("queue-answer", "adjudicator", "/{slug}/queue", way="button[aria-current]"),
    PageAddress("rater", "lead", "/{slug}/agreement/raters", way="th a"),
    PageAddress("run", "lead", "/{slug}/runs", way="li a"),
    PageAddress("tagging", "adjudicator", "/{slug}/failures", way="li a"),
    PageAddress("answer", "lead", "/{slug}/answers", way="th a"),
    PageAddress("viewer-answer", "viewer", "/{slug}/answers", way="th a"),
    PageAddress("viewer-projects", "viewer", "/", route="/"),
    PageAddress("viewer-account", "viewer", "/account"),
    PageAddress(
        "saved-view",
        "lead",
        "/{slug}/answers",
        way='section[aria-label="Saved views"] a',
        route="answers/views/$view",
    ),
)

# Of the studies in which every part has something in it, for what shows nothing in one at work.
PARTS_OF_JUDGES = "replacement,cautions,breakdown,scores,pairs,differences,prompts"
FILLED_PAGES = tuple(
    PageAddress(f"{slug}-{path.split('?')[0].replace('/', '-')}", "lead", f"/{slug}/{path}")
    for slug, further in {
        "demo-decided": ("failures", "failures/board"),
        "demo-prejudged": ("prejudging",),
    }.items()
    for path in ("overview", "leaderboard?details=ranks", f"runs/board?open={PARTS_OF_JUDGES}", *further)
)


def open_context(
    browser: Browser, *, url: str, width: str = "desktop", scheme: str = "light"
) -> BrowserContext:
    """Open a fresh browser session of one size and one color scheme."""
    size = WIDTHS[width]
    context = browser.new_context(
        base_url=url,
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        reduced_motion="reduce",
        accept_downloads=True,
    )
    context.set_default_timeout(PATIENCE_MS)
    return context


def sign_in(page: Page, *, username: str, password: str) -> None:
    """Sign in as a person does, and wait for the page that follows."""
    page.goto("/sign-in")
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/sign-in" not in url)


def collect_complaints(page: Page) -> Callable[[], list[str]]:
    """Listen for script errors, dialogs and content-security reports; call the result for what was heard."""
    heard: list[str] = []

    def hear_dialog(dialog: Dialog) -> None:
        heard.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def hear_console(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            heard.append(message.text)

    page.on("pageerror", lambda error: heard.append(f"error: {error}"))
    page.on("dialog", hear_dialog)
    page.on("console", hear_console)
    return lambda: heard


# The page asks what one wants to find out.
GOALS = {preset.name: preset.goal for preset in all_presets()}
RECOMMENDED = next(preset.name for preset in all_presets() if preset.is_recommended)


def make_project(page: Page, *, name: str, preset: str, slug: str) -> None:
    """Make a project by a preset as a lead does."""
    page.goto("/new")
    page.get_by_label("Name", exact=True).fill(name)
    if preset != RECOMMENDED:
        page.get_by_text("Other goals").click()
    page.get_by_role("radio", name=GOALS[preset]).check()
    page.get_by_role("button", name="Create project").click()
    page.wait_for_url(f"**/{slug}/**")


def import_files(page: Page, files: list[Path], *, slug: str, form: str = "") -> None:
    """Bring files in; `form` names their form where the page is not to find it out."""
    page.goto(f"/{slug}/import")
    if form:
        page.get_by_label("File format").select_option(label=form)
    page.locator("input[type=file]").set_input_files([str(file) for file in files])
    # A worker checks first; until then there is only “All imports”.
    page.get_by_role("button", name="Import files").click()
    # "can be imported" is said before.
    expect(page.get_by_text("Imported", exact=True).first).to_be_visible()


def invite(page: Page, role: str, *, slug: str, group: str = "") -> str:
    """Make an invitation link as the lead does, and return its path."""
    page.goto(f"/{slug}/people")
    page.get_by_role("button", name="Invite someone").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Role").select_option(label=role)
    if group:
        dialog.get_by_label("Group of systems").select_option(label=group)
    dialog.get_by_role("button", name="Create link").click()
    link = page.get_by_role("dialog", name="Your link is ready").get_by_role("textbox").input_value()
    page.get_by_role("button", name="Done").click()
    # The page cannot know that the link was read.
    page.get_by_role("button", name="Continue without copying").click()
    return "/join/" + link.rsplit("/", 1)[1]


def join(page: Page, link: str, *, username: str, slug: str) -> None:
    """Open an invitation, make an account and join."""
    page.goto(link)
    page.get_by_label("Your name").fill(username.title())
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account and join").click()
    page.wait_for_url(f"**/{slug}/**")


def start_judging(page: Page, *, slug: str) -> None:
    """Open the judging page for the first time, read the guidelines, and have a sheet in front."""
    page.goto(f"/{slug}/judge")
    page.get_by_role("button", name="I have read the guidelines").click()
    expect(rows_of(page).first).to_be_visible()


def rows_of(page: Page) -> Locator:
    """Return the checks and answers of the sheet in front."""
    return page.get_by_role("radiogroup")


def question_of(page: Page) -> str:
    """Return the question in front."""
    return page.locator("#question").inner_text()


def judge_sheet(page: Page, *, checks: str = "", labels: Mapping[str, str]) -> None:
    """Judge the sheet in front by keyboard: a key for each check, then a key by answer; and confirm it."""
    for key in checks:
        page.keyboard.press(key)
    rows = rows_of(page)
    for index in range(len(checks), rows.count()):
        page.keyboard.press(labels[rows.nth(index).locator("p").first.inner_text()])
    expect(page.get_by_role("button", name="Confirm")).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("Enter")


def wait_until_saved(page: Page) -> None:
    """Wait until everything that was handed in has arrived."""
    expect(page.get_by_text("all saved", exact=True)).to_be_visible()


def download(page: Page, form: str, *, slug: str, to: Path) -> list[str]:
    """Export as a lead does and return the lines of the file."""
    page.goto(f"/{slug}/export?open=formats")
    row = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=form, exact=False)).first
    row.get_by_role("button", name="Create file", exact=False).click()
    with page.expect_download() as started:
        row.get_by_role("link", name="Download", exact=False).click()
    started.value.save_as(to)
    return to.read_text(encoding="utf-8").splitlines()
