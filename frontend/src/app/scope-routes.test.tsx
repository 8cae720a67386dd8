/** The judged sample beside all questions, and data sets beside each other, as a lead reads them. */
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Call, startFakeServer } from "../test/fake-server";
import { BASE, makeBoard } from "../test/lead-cast";
import { openApp } from "../test/open-app";

beforeEach(() => {
  // jsdom lays nothing out, so nothing is drawn.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const BOARD = "GET /api/projects/nq/leaderboard";
const FILTERS = "GET /api/projects/nq/filters";
const DATASETS = "GET /api/projects/nq/leaderboard/datasets";
const CHOICES = { datasets: [], tags: [], has_ambiguous: false, has_sizes: false, has_rest: true };

function boards({ query }: Call) {
  const board = makeBoard(true);
  return query.includes("scope=entire")
    ? { ...board, n_questions: 3610, rows: board.rows.slice(0, 1) }
    : board;
}

describe("the judged sample beside all questions", () => {
  it("shows what a system has over all, and a dash for one that answered the sample only", async () => {
    startFakeServer({ ...BASE, [BOARD]: boards, [FILTERS]: CHOICES });
    const router = openApp("/nq/leaderboard");
    await userEvent.click(await screen.findByRole("radio", { name: "Side by side" }));
    expect(router.state.location.search).toEqual({ scope: "both" });
    const table = await screen.findByRole("table", { name: /judged sample beside all questions/ });
    expect(within(table).getByRole("columnheader", { name: "All 3,610 questions" })).toBeVisible();
    expect(within(table).getByRole("row", { name: /Strict/ })).toHaveTextContent("Strict60.0n 10060.070.0");
    expect(within(table).getByRole("row", { name: /Chatty/ })).toHaveTextContent("Chatty–20.080.0");
  });

  it("says so where nobody answered more than the sample", async () => {
    startFakeServer({ ...BASE, [BOARD]: makeBoard(true), [FILTERS]: CHOICES });
    openApp("/nq/leaderboard?scope=both");
    expect(await screen.findByText(/No system has answers beyond the judged sample/)).toBeVisible();
  });

  it("offers no choice where people judge every question", async () => {
    startFakeServer({ ...BASE, [BOARD]: makeBoard(true), [FILTERS]: { ...CHOICES, has_rest: false } });
    openApp("/nq/leaderboard");
    expect(await screen.findByRole("table", { name: "Systems by ways of judging" })).toBeVisible();
    expect(screen.queryByRole("radio", { name: "Side by side" })).toBeNull();
  });
});

describe("data sets", () => {
  const score = { value: 0.29, correct: 29, n: 100, low: 0.21, high: 0.39, rank: null };
  const row = {
    column: "exact_match",
    name: "Exact match",
    kind: "judge",
    unit: "accuracy",
    signature: "em",
  };

  it("stand with their questions, ways of judging and systems", async () => {
    startFakeServer({
      ...BASE,
      [DATASETS]: {
        datasets: [{ name: "NQ", questions: 100, pending: 3 }],
        systems: [{ system: "gpr", label: "GPR" }],
        rows: [{ ...row, dataset: "NQ", scores: { gpr: score } }],
      },
    });
    openApp("/nq/leaderboard/datasets");
    expect(await screen.findByText(/1 system on 1 data set\. With one data set/)).toBeVisible();
    const table = screen.getByRole("table", { name: /NQ: scores in percent/ });
    expect(within(table).getByText("3 answers undecided")).toBeVisible();
    expect(within(table).getByRole("cell", { name: "29.0" })).toBeVisible();
  });

  it("say what they need before anything was judged", async () => {
    startFakeServer({ ...BASE, [DATASETS]: { datasets: [], systems: [], rows: [] } });
    openApp("/nq/leaderboard/datasets");
    expect(await screen.findByText("Data sets will be set beside each other here")).toBeVisible();
  });
});
