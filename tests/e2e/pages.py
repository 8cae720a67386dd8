"""Every page of the product, by who opens it; the page tests and the screenshots walk this one list."""

from collections.abc import Callable
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page

WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}
SCHEMES = ("light", "dark")


class PageAddress(NamedTuple):
    """A page: its name, who opens it (nobody: signed out), and its address in a project."""

    name: str
    who: str | None
    path: str


PAGES = (
    PageAddress("sign-in", None, "/sign-in"),
    PageAddress("projects", "lead", "/"),
    PageAddress("new-project", "lead", "/new"),
    PageAddress("overview", "lead", "/{slug}/overview"),
    PageAddress("import", "lead", "/{slug}/import"),
    PageAddress("judge", "annotator1", "/{slug}/judge"),
    PageAddress("queue", "adjudicator", "/{slug}/queue"),
    PageAddress("agreement", "lead", "/{slug}/agreement"),
    PageAddress("runs", "lead", "/{slug}/runs"),
    PageAddress("new-run", "lead", "/{slug}/runs/new"),
    PageAddress("new-run-llm", "lead", "/{slug}/runs/new?judge=llm"),
    PageAddress("prejudging", "lead", "/{slug}/runs/prejudging"),
    PageAddress("connections", "lead", "/{slug}/runs/connections"),
    PageAddress("prompts", "lead", "/{slug}/runs/prompts"),
    PageAddress("leaderboard", "lead", "/{slug}/leaderboard"),
    PageAddress("answers", "lead", "/{slug}/answers"),
    PageAddress("gold", "lead", "/{slug}/gold"),
    PageAddress("export", "lead", "/{slug}/export"),
    PageAddress("people", "lead", "/{slug}/people"),
    PageAddress("settings", "lead", "/{slug}/settings"),
)


def open_context(
    browser: Browser, *, url: str, width: str = "desktop", scheme: str = "light"
) -> BrowserContext:
    """Open a fresh browser session of one size and one color scheme."""
    size = WIDTHS[width]
    return browser.new_context(
        base_url=url,
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        reduced_motion="reduce",
        accept_downloads=True,
    )


def sign_in(page: Page, *, username: str, password: str) -> None:
    """Sign in as a person does, and wait for the page that follows."""
    page.goto("/sign-in")
    page.get_by_label("User name").fill(username)
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
