import { QueryClient } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HelpEntry, HelpPage } from "../api/schema";
import { startFakeServer } from "../test/fake-server";
import { openApp } from "../test/open-app";
import { createAppRouter } from "./router";

const SESSION = { "GET /api/session": { user: null, csrf_token: "token" } };
const CONTENTS: HelpEntry[] = [
  {
    name: "guide",
    title: "A study, step by step",
    is_for_operators: false,
    sections: [{ id: "signing-in", title: "Signing in" }],
  },
  { name: "judges", title: "Judges", is_for_operators: false, sections: [{ id: "llm", title: "llm" }] },
  { name: "operations", title: "Operations", is_for_operators: true, sections: [] },
];
const GUIDE: HelpPage = {
  name: "guide",
  title: "A study, step by step",
  html: '<h2 id="signing-in">Signing in</h2><p><a href="/help/judges#llm">The LLM judge</a></p>',
};
const JUDGES: HelpPage = { name: "judges", title: "Judges", html: '<h2 id="llm">llm</h2>' };
const HELP = {
  ...SESSION,
  "GET /api/help": CONTENTS,
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
    expect(link).toHaveAttribute("href", "/help/guide#signing-in");
    expect(link).toHaveAttribute("target", "_blank");
  });

  it("begins with the guide, and lists what else there is", async () => {
    startFakeServer(HELP);
    openApp("/help");
    expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("A study, step by step");
    const contents = screen.getByRole("navigation", { name: "Help contents" });
    expect(contents).toHaveTextContent(
      "HelpA study, step by stepSigning inJudgesFor administratorsOperations",
    );
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
