/** Systems beside each other, and the judges in short: shares with what they lie between. */
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { SystemsBoard, SystemsIntervals } from "../../api/schema";
import { startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const BOARD: SystemsBoard = {
  signature: "systems|scope:sample|seed:1",
  questions: 100,
  answered_by_all: 80,
  pending: 0,
  by_programs: 0,
  systems: [
    { system: "dpr", label: "DPR", answered: 100, right: 60 },
    { system: "fid", label: "FiD", answered: 80, right: 60 },
  ],
  pairs: [{ first: "dpr", second: "fid", questions: 80, agreement: 0.4, oracle: 0.85 }],
  right_by: [12, 28, 40],
  oracle: 0.85,
};
const BOUNDS: SystemsIntervals = {
  signature: BOARD.signature,
  systems: [
    { system: "dpr", figures: { coverage: [1, 1], right: [0.51, 0.69] }, words: {} },
    { system: "fid", figures: { coverage: [0.72, 0.88], right: [0.66, 0.83] }, words: {} },
  ],
  pairs: [{ first: "dpr", second: "fid", figures: { agreement: [0.3, 0.5], oracle: null }, words: {} }],
  right_by: [[0.08, 0.23], [0.25, 0.45], null],
  oracle: [0.77, 0.92],
};
const SERVER = {
  ...BASE,
  "GET /api/projects/nq/systems-board": BOARD,
  "GET /api/projects/nq/systems-board/intervals": BOUNDS,
};

describe("systems beside each other", () => {
  it("have intervals in the squares, on coverage, and on easy and hard questions", async () => {
    startFakeServer(SERVER);
    openApp("/nq/leaderboard/systems");
    expect(await screen.findByText(/Together: 95 % interval 77.0 to 92.0.% right/)).toBeVisible();
    const square = screen.getByRole("table", { name: "Questions on which two systems agree" });
    expect(within(square).getByTitle("80 questions, 95 % interval 30.0 to 50.0")).toHaveTextContent("40.0");
    const coverage = screen.getByRole("table", { name: "Questions that each system answered" });
    expect(within(coverage).getByText(/95 % interval 66.0 to 83.0/)).toBeInTheDocument();
    const hard = screen.getByRole("row", { name: /^none \(hard\)/ });
    expect(within(hard).getByTitle("95 % interval 8.0 to 23.0")).toHaveTextContent("8.0–23.0");
    expect(screen.getAllByText(BOARD.signature)).toHaveLength(3);
  });

  it("name programs where they settled answers", async () => {
    startFakeServer({ ...SERVER, "GET /api/projects/nq/systems-board": { ...BOARD, by_programs: 160 } });
    openApp("/nq/leaderboard/systems");
    expect(
      await screen.findByText(/^As people and programs decided, together the systems have 85.0.% of 80/),
    ).toBeVisible();
    expect(
      screen.getByText(/Programs settled 160 answers of the systems’ 180; no audit corrects these figures/),
    ).toBeVisible();
  });

  it("are not said to be judged where people have decided nothing, or not all", async () => {
    const nothing = { ...BOARD, pending: 180 };
    startFakeServer({ ...SERVER, "GET /api/projects/nq/systems-board": nothing });
    openApp("/nq/leaderboard/systems");
    expect(
      await screen.findByText(
        /^People have decided no answer yet. By exact match, together the systems have 85.0.% of 80 questions right/,
      ),
    ).toBeVisible();
  });

  it("are said to have so much right only as far as people have decided", async () => {
    startFakeServer({ ...SERVER, "GET /api/projects/nq/systems-board": { ...BOARD, pending: 3 } });
    openApp("/nq/leaderboard/systems");
    expect(
      await screen.findByText(/^As far as people have decided, together the systems have 85.0.%/),
    ).toBeVisible();
  });

  it("stand there without where one has no interval, and where none came", async () => {
    startFakeServer({ ...SERVER, "GET /api/projects/nq/systems-board/intervals": undefined });
    openApp("/nq/leaderboard/systems");
    expect(await screen.findByText("The intervals could not be computed.")).toBeVisible();
    const square = screen.getByRole("table", { name: "Questions that one of two systems has right" });
    expect(within(square).getByTitle("80 questions")).toHaveTextContent("85.0");
  });
});
