import { QueryClient } from "@tanstack/react-query";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HelpEntry, HelpPage } from "../api/schema";
import { startFakeServer } from "../test/fake-server";
import { openApp } from "../test/open-app";
import { createAppRouter } from "./router";

const SESSION = { "GET /api/session": { user: null, csrf_token: "token" } };
const START: HelpPage = { name: "start", title: "Help", html: "<p>Where to begin</p>" };
const CONTENTS: HelpEntry[] = [
  { name: "start", title: "Help", part: "Start here", sections: [] },
  {
    name: "guide",
    title: "Lead: run a study",
    part: "Guides by role",
    sections: [{ id: "people", title: "People" }],
  },
  { name: "judges", title: "Judges", part: "Reference", sections: [{ id: "llm", title: "llm" }] },
  { name: "api", title: "The API", part: "Reference", sections: [] },
];
const GUIDE: HelpPage = {
  name: "guide",
  title: "Lead: run a study",
  html: '<h2 id="people">People</h2><p><a href="/help/judges#llm">The LLM judge</a></p>',
};
const JUDGES: HelpPage = { name: "judges", title: "Judges", html: '<h2 id="llm">llm</h2>' };
const HELP = {
  ...SESSION,
  "GET /api/help": CONTENTS,
  "GET /api/help/start": START,
  "GET /api/help/guide": GUIDE,
  "GET /api/help/judges": JUDGES,
};

/** Every address that shows a page. */
function pages() {
  const { routesByPath } = createAppRouter(new QueryClient());
  return Object.values(routesByPath).filter(({ options }) => options.component !== undefined);
}

describe("the help", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is linked in the header of every page, at the part about it", () => {
    // That such a part is there, the type of `help` says.
    const lacking = pages().filter(({ options }) => options.staticData?.help === undefined);
    expect(pages().length).toBeGreaterThan(40);
    // The frame of a project's pages has an address, but is none of them.
    expect(lacking.map(({ fullPath }) => fullPath)).toEqual([]);
  });

  it("opens beside the page", async () => {
    startFakeServer(SESSION);
    openApp("/sign-in");
    const link = await screen.findByRole("link", { name: "Help" });
    expect(link).toHaveAttribute("href", "/help/account#signing-in");
    expect(link).toHaveAttribute("target", "_blank");
  });

  it("begins with its start page, and lists all pages by part", async () => {
    startFakeServer(HELP);
    openApp("/help");
    expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Help");
    const contents = screen.getByRole("navigation", { name: "Help contents" });
    expect(within(contents).getByRole("link", { name: "Help" })).toHaveAttribute("aria-current", "page");
    expect(contents).toHaveTextContent(
      "Start hereHelpGuides by roleLead: run a studyReferenceJudgesThe APIAll API operations",
    );
  });

  it("lists the sections of the open page only", async () => {
    startFakeServer(HELP);
    openApp("/help/guide");
    await screen.findByRole("heading", { level: 1, name: "Lead: run a study" });
    const contents = screen.getByRole("navigation", { name: "Help contents" });
    expect(within(contents).getByRole("link", { name: "People" })).toHaveAttribute(
      "href",
      "/help/guide#people",
    );
    expect(within(contents).queryByRole("link", { name: "llm" })).toBeNull();
  });

  it("leads to the pages before and after, in the order of the contents", async () => {
    startFakeServer(HELP);
    const router = openApp("/help/guide");
    await screen.findByRole("heading", { level: 1, name: "Lead: run a study" });
    const around = () => screen.getByRole("navigation", { name: "Previous and next pages" });
    expect(around()).toHaveTextContent("PreviousHelpNextJudges");
    await userEvent.click(within(around()).getByRole("link", { name: "Help" }));
    await screen.findByRole("heading", { level: 1, name: "Help" });
    expect(router.state.location.pathname).toBe("/help/start");
    expect(around()).toHaveTextContent(/^NextLead: run a study$/);
  });

  it("opens its contents by a button where they are folded away, until a page is chosen", async () => {
    startFakeServer(HELP);
    openApp("/help");
    const button = await screen.findByRole("button", { name: /Contents/ });
    expect(button).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(button);
    expect(button).toHaveAttribute("aria-expanded", "true");
    await userEvent.click(screen.getByRole("link", { name: "Judges" }));
    await screen.findByRole("heading", { level: 1, name: "Judges" });
    expect(screen.getByRole("button", { name: /Contents/ })).toHaveAttribute("aria-expanded", "false");
  });

  it("finds words, leads to their heading, and has the results again on the way back", async () => {
    const hit = {
      page: "judges",
      page_title: "Judges",
      section: "llm",
      title: "llm",
      excerpt: "A prompt asks a model",
    };
    const calls = startFakeServer({ ...HELP, "GET /api/help/search": { total: 30, hits: [hit] } });
    const router = openApp("/help/guide");
    await userEvent.type(await screen.findByRole("searchbox", { name: "Search help" }), "a model{Enter}");
    expect(
      await screen.findByRole("heading", { level: 1, name: "Search results for “a model”" }),
    ).toBeVisible();
    const asked = calls.filter(({ path }) => path === "/api/help/search");
    expect(asked.map(({ query }) => query)).toEqual(["?search=a model"]);
    const main = screen.getByRole("main");
    expect(await within(main).findByText(/30 sections; the first 1 are shown/)).toBeVisible();
    expect(within(main).getByText("A prompt asks a model")).toBeVisible();
    await userEvent.click(within(main).getByRole("link", { name: "llm" }));
    await screen.findByRole("heading", { level: 1, name: "Judges" });
    expect(router.state.location.href).toBe("/help/judges#llm");
    router.history.back();
    expect(await screen.findByRole("heading", { level: 1, name: /Search results/ })).toBeVisible();
    await userEvent.click(screen.getByRole("link", { name: "Close search" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Lead: run a study" })).toBeVisible();
  });

  it("says so where no section has the words", async () => {
    startFakeServer({ ...HELP, "GET /api/help/search": { total: 0, hits: [] } });
    openApp("/help/guide?search=xyzzy");
    expect(await screen.findByText(/No section contains all of these words/)).toBeVisible();
  });

  it("follows links from one page to another without loading the product anew", async () => {
    startFakeServer(HELP);
    const router = openApp("/help/guide");
    await userEvent.click(await screen.findByRole("link", { name: "The LLM judge" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Judges" })).toBeVisible();
    expect(router.state.location.href).toBe("/help/judges#llm");
  });

  it("shows where a table goes on out of sight, and lets it be reached by keyboard", async () => {
    const html = "<table><tbody><tr><td>wide</td></tr></tbody></table>";
    startFakeServer({ ...HELP, "GET /api/help/judges": { ...JUDGES, html } });
    vi.spyOn(Element.prototype, "scrollWidth", "get").mockReturnValue(900);
    vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(300);
    openApp("/help/judges");
    const region = await screen.findByRole("region", { name: "Table, scrolls sideways" });
    expect(region).toHaveAttribute("tabindex", "0");
    expect(region.parentElement).toHaveAttribute("data-after");
  });

  it("tells several tables of a page apart by number", async () => {
    const html = "<table><tbody><tr><td>wide</td></tr></tbody></table>".repeat(2);
    startFakeServer({ ...HELP, "GET /api/help/judges": { ...JUDGES, html } });
    vi.spyOn(Element.prototype, "scrollWidth", "get").mockReturnValue(900);
    vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(300);
    openApp("/help/judges");
    expect(await screen.findByRole("region", { name: "Table 2, scrolls sideways" })).toBeVisible();
    expect(screen.getByRole("region", { name: "Table 1, scrolls sideways" })).toBeVisible();
  });

  it("has no region where all of a table is in sight", async () => {
    const html = "<table><tbody><tr><td>narrow</td></tr></tbody></table>";
    startFakeServer({ ...HELP, "GET /api/help/judges": { ...JUDGES, html } });
    openApp("/help/judges");
    const table = await screen.findByRole("table");
    expect(table.parentElement).not.toHaveAttribute("role");
    expect(table.parentElement).not.toHaveAttribute("tabindex");
  });

  it("says so where there is no such page", async () => {
    startFakeServer(HELP);
    openApp("/help/nothing");
    expect(await screen.findByRole("alert")).toHaveTextContent("Nothing is here.");
  });
});
