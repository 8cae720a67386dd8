import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { bodiesOf, startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const REUSE = "/api/projects/nq/reuse";
const OFFER = { project: "earlier", name: "Earlier study", answers: 2, contested: 1 };
const REUSED = { project: "earlier", answers: 2, at: "2026-01-01T10:00:00Z" };

function openWith(replies: Readonly<Record<string, unknown>>) {
  const calls = startFakeServer({
    ...BASE,
    "GET /api/projects/nq/imports": [],
    "GET /api/projects/nq/import-formats": [],
    ...replies,
  });
  openApp("/nq/import");
  return calls;
}

describe("decisions of other projects", () => {
  it("are offered, looked at and taken over", async () => {
    let state = { offers: [OFFER], reused: [] as unknown[] };
    const calls = openWith({
      [`GET ${REUSE}`]: () => state,
      [`GET ${REUSE}/preview`]: {
        answers: [
          { id: "a1", question: "Capital of France?", answer: "Lyon", label: null },
          { id: "a2", question: "Capital of France?", answer: "Paris", label: "correct" },
        ],
        total: 3,
      },
      [`POST ${REUSE}`]: () => (state = { offers: [], reused: [REUSED] }),
    });
    expect(
      await screen.findByText(
        "2 answers decided in that project; 1 answer left out because decisions differ",
      ),
    ).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Show answers" }));
    const row = (await screen.findByRole("rowheader", { name: /^Lyon/ })).closest("tr");
    expect(within(row as HTMLElement).getByText("Decisions differ")).toBeVisible();
    expect(screen.getByText("Showing the first 2 of 3 answers.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Copy 2 decisions" }));
    expect(await screen.findByText("Copied decisions from “Earlier study.”")).toBeVisible();
    expect(await screen.findByRole("button", { name: "Reopen answers" })).toBeVisible();
    expect(bodiesOf(calls, "POST")[0]).toEqual({ project: "earlier" });
  });

  it("are given back together, with the reason", async () => {
    const calls = openWith({
      [`GET ${REUSE}`]: { offers: [], reused: [REUSED] },
      [`POST ${REUSE}/undo`]: null,
    });
    await userEvent.click(await screen.findByRole("button", { name: "Reopen answers" }));
    const dialog = within(screen.getByRole("dialog"));
    await userEvent.type(dialog.getByLabelText("Reason"), "Too old.");
    await userEvent.click(dialog.getByRole("button", { name: "Reopen answers" }));
    expect(bodiesOf(calls, "POST")[0]).toEqual({
      project: "earlier",
      reason: "Too old.",
    });
  });

  it("are not mentioned where there are none", async () => {
    openWith({ [`GET ${REUSE}`]: { offers: [], reused: [] } });
    expect(await screen.findByRole("combobox", { name: "File format" })).toBeVisible();
    expect(screen.queryByText("Decisions from other projects")).toBeNull();
  });
});
