"""Work a page by keyboard alone, and find out what that does not reach."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

MOST_TABS = 400
EXTRA_TABS = 40
TABS_AT_ONCE = 20
# Marks what a keyboard is to reach; of radio buttons of one name the arrows reach all but one.
MARK = """() => {
  const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const kinds = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const names = new Set();
  let count = 0;
  for (const element of document.querySelectorAll("[data-reach]")) delete element.dataset.reach;
  for (const element of root.querySelectorAll(kinds)) {
    if (element.disabled || !element.checkVisibility({visibilityProperty: true})) continue;
    if (element.tabIndex < 0) continue;
    if (element.type === "radio" && element.name) {
      const radios = [...root.querySelectorAll("input[type=radio]")];
      const group = radios.filter((radio) => radio.name === element.name);
      const entry = group.find((radio) => radio.checked) ?? group[0];
      if (element !== entry) continue;
    }
    element.dataset.reach = String(count++);
  }
  document.activeElement?.blur();
  return count;
}"""
# What has the focus: its mark, its words, and whether anything shows that it has it.
FOCUSED = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const shows = (other) => {
    if (!other) return false;
    const style = getComputedStyle(other);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  };
  const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 60);
  return {
    mark: element.dataset.reach ?? null,
    what: `${element.tagName.toLowerCase()} ${words || element.name || element.id}`,
    isSeen: [element, element.nextElementSibling, element.closest("label")].some(shows)
      // The row that keys act on is marked as a whole.
      || element.ariaCurrent === "true" || element.matches("h1, main"),
    isInDialog: element.closest("dialog[open]") !== null,
  };
}"""
# Writes down what gets the focus, so that a press of Tab is one message to the browser and not two.
LISTEN = f"""() => {{
  globalThis.focused = [];
  document.addEventListener("focusin", () => globalThis.focused.push(({FOCUSED})()));
}}"""
REACHED = "() => globalThis.focused.filter((found) => found !== null)"
UNREACHED = """(marks) => [...document.querySelectorAll("[data-reach]")]
  .filter((element) => !marks.includes(element.dataset.reach))
  .map((element) => element.outerHTML.slice(0, 140))"""


def faults_of_focus(page: Page) -> list[str]:
    """Press Tab through the page; return what it never reached, and what had the focus without showing it."""
    found = _walk(page, count=page.evaluate(MARK))
    seen = {stop["mark"] for stop in found if stop["mark"] is not None}
    unseen = {stop["what"] for stop in found if not stop["isSeen"]}
    unreached = page.evaluate(UNREACHED, sorted(seen))
    return [
        *(f"has the focus unseen: {what}" for what in sorted(unseen)),
        *(f"not reached: {html}" for html in unreached),
    ]


def _walk(page: Page, *, count: int) -> list[dict[str, Any]]:
    """Press Tab until all that is marked has had the focus, or it should have; return every stop."""
    page.evaluate(LISTEN)
    found: list[dict[str, Any]] = []
    # Some stops more than were marked: scrollable regions take the focus, too, and past the last one the
    # browser's own buttons have it; an autofocus begins in the middle.
    for _ in range(0, count + EXTRA_TABS, TABS_AT_ONCE):
        for _ in range(TABS_AT_ONCE):
            page.keyboard.press("Tab")
        found = page.evaluate(REACHED)
        if len({stop["mark"] for stop in found} - {None}) == count:
            break
    return found


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until this has the focus."""
    expect(wanted).to_be_visible()
    for _ in range(MOST_TABS):
        if wanted.evaluate("(element) => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {wanted}")


def press(page: Page, wanted: Locator, key: str = "Enter") -> None:
    """Come to a button by Tab and press it by key."""
    tab_to(page, wanted)
    page.keyboard.press(key)


def type_into(page: Page, field: Locator, text: str) -> None:
    """Come to a field by Tab and type in place of what it holds."""
    tab_to(page, field)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(text)


def choose(page: Page, select: Locator, option: str) -> None:
    """Come to a list of choices by Tab and choose by typing the beginning of one."""
    tab_to(page, select)
    page.keyboard.type(option)
    expect(select.locator("option:checked")).to_have_text(option)
