import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { FakeError, startFakeServer } from "../../test/fake-server";
import { BASE, makeSheet, makeWork } from "../../test/judging-cast";
import { openApp } from "../../test/open-app";

const GUIDELINES = {
  html: "<p>Judge well.</p><p>Be quick.</p>",
  hash: "second",
  standing: "changed",
  lines: [
    { kind: "same", text: "Judge well." },
    { kind: "removed", text: "Take your time." },
    { kind: "added", text: "Be quick." },
  ],
};

/** Its guidelines change while the first sheet is judged. */
function changingServer(more: Record<string, unknown> = {}, replying: Promise<void> = Promise.resolve()) {
  let unread = "";
  const work = (...ids: string[]) => ({
    ...makeWork(ids.map((id) => makeSheet(id))),
    guidelines_unread: unread,
  });
  return startFakeServer({
    ...BASE,
    "POST /api/projects/nq/sheets/next": () => work("a", "b"),
    "POST /api/projects/nq/sheets/a/submit": async () => {
      await replying;
      unread = "second";
      return { ...work("b"), outcome: { counted: 2, surplus: 0, message: "" } };
    },
    "GET /api/projects/nq/guidelines": GUIDELINES,
    "POST /api/projects/nq/guidelines": () => {
      unread = "";
      return null;
    },
    ...more,
  });
}

beforeEach(() => {
  localStorage.clear();
});

async function judgeFirstSheet() {
  openApp("/nq/judge");
  await screen.findByRole("heading", { name: "question a" });
  await userEvent.keyboard("11{Enter}");
}

describe("changed guidelines", () => {
  it("are shown once before work goes on, by keyboard", async () => {
    const calls = changingServer();
    await judgeFirstSheet();
    expect(await screen.findByRole("heading", { name: "The guidelines have changed" })).toHaveFocus();
    const changes = screen.getByRole("region", { name: "What changed" });
    expect(changes.querySelector("del")).toHaveTextContent("Take your time.");
    expect(changes.querySelector("ins")).toHaveTextContent("Be quick.");
    // No key reaches the sheet behind.
    await userEvent.keyboard("12{Enter}");
    expect(calls.some(({ path }) => path.endsWith("/b/submit"))).toBe(false);
    await userEvent.keyboard("g");
    expect(await screen.findByRole("heading", { name: "question b" })).toHaveFocus();
    const read = calls.find(({ method, path }) => method === "POST" && path.endsWith("/guidelines"));
    expect(read?.body).toEqual({ seen_hash: "second" });
    expect(screen.queryAllByRole("radio", { checked: true })).toEqual([]);
  });

  it("do not cost the work on the sheet in hand", async () => {
    let arrive = () => {};
    const arriving = new Promise<void>((resolve) => (arrive = resolve));
    changingServer({}, arriving);
    await judgeFirstSheet();
    await screen.findByRole("heading", { name: "question b" });
    await userEvent.keyboard("2");
    arrive();
    await userEvent.click(await screen.findByRole("button", { name: /I have read the guidelines/ }));
    await screen.findByRole("heading", { name: "question b" });
    expect(screen.getAllByRole("radio", { name: /Incorrect/, checked: true })).toHaveLength(1);
  });

  it("are shown anew where they changed again meanwhile", async () => {
    changingServer({
      "POST /api/projects/nq/guidelines": new FakeError(409, "conflict", "Changed again. Read once more."),
    });
    await judgeFirstSheet();
    await screen.findByRole("heading", { name: "The guidelines have changed" });
    await userEvent.keyboard("g");
    expect(await screen.findByRole("alert")).toHaveTextContent("Changed again. Read once more.");
    expect(screen.queryByRole("heading", { name: "question b" })).toBeNull();
  });

  it("are asked to be read before the first sheet", async () => {
    changingServer({
      "POST /api/projects/nq/sheets/next": { ...makeWork([makeSheet("a")]), guidelines_unread: "first" },
      "GET /api/projects/nq/guidelines": { ...GUIDELINES, standing: "new", hash: "first", lines: [] },
    });
    openApp("/nq/judge");
    expect(
      await screen.findByRole("heading", { name: "Read the guidelines before you start" }),
    ).toBeVisible();
    await userEvent.keyboard("g");
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("question a"));
  });
});
