import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Run } from "../../api/schema";
import { FakeError, startFakeServer, type Call } from "../../test/fake-server";
import { JUDGES_SERVER, RUN } from "../../test/judge-cast";
import { openApp } from "../../test/open-app";

const LABEL = "Judge new answers as they arrive";
const CONNECTION = { id: "c1", name: "mini", api: "openai", model: "m", resting_until: null } as const;

function openRun(run: Partial<Run>, reply?: (call: Call) => unknown) {
  const calls = startFakeServer({
    ...JUDGES_SERVER,
    "GET /api/projects/nq/runs/r1": { ...RUN, ...run },
    "GET /api/projects/nq/judge-board/r1/parts": { signature: "", parts: [] },
    "PATCH /api/projects/nq/runs/r1": reply ?? { ...RUN, ...run },
  });
  openApp("/nq/runs/r1");
  return calls;
}

const sent = (calls: readonly Call[]) => calls.find(({ method }) => method === "PATCH")?.body;

describe("the page of a run", () => {
  it("lets new answers be judged as they arrive", async () => {
    const calls = openRun({});
    expect(await screen.findByRole("checkbox", { name: LABEL })).not.toBeChecked();
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
    await userEvent.click(screen.getByRole("checkbox", { name: LABEL }));
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(sent(calls)).toEqual({ follows: true }));
  });

  it("asks for a limit where a model is asked, and says at the field that it is missing", async () => {
    const words = "A run that judges new answers as they arrive needs a spending limit of its own.";
    const details = { fields: { spend_cap: [words] } };
    const calls = openRun({ connection: CONNECTION }, () => new FakeError(400, "invalid", words, details));
    expect(await screen.findByRole("checkbox", { name: LABEL })).toBeVisible();
    expect(screen.queryByRole("textbox", { name: /^Spending limit/ })).toBeNull();
    await userEvent.click(screen.getByRole("checkbox", { name: LABEL }));
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    const limit = await screen.findByRole("textbox", { name: /^Spending limit/ });
    await waitFor(() => expect(limit).toHaveAccessibleDescription(expect.stringContaining(words)));
    expect(sent(calls)).toEqual({ follows: true, spend_cap: null });
  });

  it("asks for no limit where a local model is asked, which costs nothing", async () => {
    const local = { ...CONNECTION, api: "transformers" } as const;
    const calls = openRun({ connection: local });
    await userEvent.click(await screen.findByRole("checkbox", { name: LABEL }));
    expect(screen.queryByRole("textbox", { name: /^Spending limit/ })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(sent(calls)).toEqual({ follows: true }));
    cleanup();
    openRun({ connection: local, follows: true, state: "paused" });
    expect(await screen.findByRole("button", { name: "Resume" })).toBeVisible();
    expect(screen.queryByRole("textbox", { name: /^Spending limit/ })).toBeNull();
  });

  it("says that a paused run keeps new answers waiting", async () => {
    openRun({ connection: CONNECTION, follows: true, spend_cap: "1", state: "paused" });
    expect(await screen.findByText(/New answers wait until you resume it/)).toBeVisible();
    expect(screen.getAllByRole("textbox", { name: /^Spending limit/ })).toHaveLength(1);
  });

  it("says that a run without a limit does not go on once its connection has prices", async () => {
    openRun({ connection: CONNECTION, following_note: "cap" });
    expect(await screen.findByText(/^New answers are not judged now/)).toBeVisible();
    expect(screen.getByRole("checkbox", { name: LABEL })).toBeChecked();
    expect(screen.getByRole("button", { name: "Save" })).toBeVisible();
  });

  it.each([
    ["always", /costs nothing and always judges new answers/],
    ["sample", /limited to a sample/],
    ["cancelled", /was stopped/],
    ["archived", /^The connection is archived/],
    ["members", /^A jury/],
    ["decisions", /^New decisions/],
    ["corpus", /^New gold answers/],
  ] as const)("says why there is no choice: %s", async (following_note, words) => {
    openRun({ following_note });
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByRole("checkbox", { name: LABEL })).toBeNull();
  });
});
