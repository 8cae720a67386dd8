import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { AccountEventEntry } from "../../api/schema";
import { onePage, startFakeServer } from "../../test/fake-server";
import { openApp } from "../../test/open-app";
import { deviceOf } from "./devices";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const EDGE =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

const SIGNED_IN: AccountEventEntry = {
  id: 3,
  kind: "signed_in",
  at: "2026-01-03T00:00:00Z",
  client: "192.0.2.7",
  user_agent: FIREFOX,
};

function server(...events: AccountEventEntry[]) {
  return startFakeServer({
    "GET /api/session": {
      user: { public_id: "u1", username: "anna", name: "Anna", language: "en" },
      csrf_token: "token",
    },
    "GET /api/projects": [],
    "GET /api/account/sign-ins": { ...onePage(events.length), days: 90, events },
  });
}

describe("recent sign-ins", () => {
  it("say what happened, on which device and from where", async () => {
    server(
      SIGNED_IN,
      { ...SIGNED_IN, id: 2, kind: "sign_in_failed", user_agent: "curl/8.5.0" },
      { ...SIGNED_IN, id: 1, kind: "password_changed", client: "", user_agent: "" },
    );
    openApp("/account");
    const table = within(await screen.findByRole("table", { name: "Recent sign-ins" }));
    const rows = table
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.textContent);
    const said = [
      ["Signed in", "Firefox on Linux", "192.0.2.7"],
      ["Sign-in failed", "curl/8.5.0"],
      ["Password changed", "Administrator"],
    ];
    for (const [place, texts] of said.entries())
      for (const text of texts) expect(rows[place]).toContain(text);
    expect(screen.getByText(/Entries are deleted after 90 days/)).toBeVisible();
  });

  it("show no table where there are none", async () => {
    server();
    openApp("/account");
    expect(await screen.findByText(/Entries are deleted after 90 days/)).toBeVisible();
    expect(screen.queryByRole("table", { name: "Recent sign-ins" })).toBeNull();
  });
});

describe("a device", () => {
  it.each([
    [FIREFOX, { browser: "Firefox", system: "Linux" }],
    [EDGE, { browser: "Edge", system: "Windows" }],
    [SAFARI, { browser: "Safari", system: "iOS" }],
    ["python-httpx/0.27", null],
    ["", null],
  ])("of %s is told by its own name", (agent, device) => {
    expect(deviceOf(agent)).toEqual(device);
  });
});
