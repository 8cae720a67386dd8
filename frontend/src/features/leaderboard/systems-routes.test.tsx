/** Systems beside each other, and the judges in short: shares with what they lie between. */
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { SystemsBoard } from "../../api/schema";
import { type Call, FakeError, startFakeServer } from "../../test/fake-server";
import { makeFigure } from "../../components/figure";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";
import { savedRows } from "../../test/saved-lines";

const BOUNDED: SystemsBoard = {
  signature: "systems|scope:sample|seed:1",
  questions: 100,
  answered_by_all: 80,
  pending: 0,
  by_programs: 0,
  systems: [
    {
      key: "dpr",
      name: "DPR",
      counts: { answered: 100, right: 60 },
      figures: {
        answered_share: makeFigure(1, { low: 1, high: 1 }),
        right_share: makeFigure(0.6, { low: 0.51, high: 0.69 }),
      },
    },
    {
      key: "fid",
      name: "FiD",
      counts: { answered: 80, right: 60 },
      figures: {
        answered_share: makeFigure(0.8, { low: 0.72, high: 0.88 }),
        right_share: makeFigure(0.75, { low: 0.66, high: 0.83 }),
      },
    },
  ],
  pairs: [
    {
      first: "dpr",
      second: "fid",
      questions: 80,
      agreement: makeFigure(0.4, { low: 0.3, high: 0.5 }),
      oracle: makeFigure(0.85, { why: "never_varies" }),
    },
  ],
  right_by: [
    { systems: 0, questions: 12, share: makeFigure(0.15, { low: 0.08, high: 0.23 }) },
    { systems: 1, questions: 28, share: makeFigure(0.35, { low: 0.25, high: 0.45 }) },
    { systems: 2, questions: 40, share: makeFigure(0.5, { why: "never_varies" }) },
  ],
  oracle: makeFigure(0.85, { low: 0.77, high: 0.92 }),
};
const ADDRESS = "GET /api/projects/nq/systems-board";
const SERVER = { ...BASE, [ADDRESS]: BOUNDED };

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
    expect(screen.getAllByText(BOUNDED.signature)).toHaveLength(3);
  });

  it("name programs where they settled answers", async () => {
    startFakeServer({ ...SERVER, [ADDRESS]: { ...BOUNDED, by_programs: 160 } });
    openApp("/nq/leaderboard/systems");
    expect(
      await screen.findByText(/^As people and programs decided, together the systems have 85.0.% of 80/),
    ).toBeVisible();
    expect(
      screen.getByText(
        /Programs had a part in settling 160 answers of the systems’ 180; no audit corrects these figures/,
      ),
    ).toBeVisible();
  });

  it("are not said to be judged where people have decided nothing, or not all", async () => {
    const nothing = { ...BOUNDED, pending: 180 };
    startFakeServer({ ...SERVER, [ADDRESS]: nothing });
    openApp("/nq/leaderboard/systems");
    expect(
      await screen.findByText(
        /^People have decided no answer yet. By exact match, together the systems have 85.0.% of 80 questions right/,
      ),
    ).toBeVisible();
  });

  it("are said to have so much right only as far as people have decided", async () => {
    startFakeServer({ ...SERVER, [ADDRESS]: { ...BOUNDED, pending: 3 } });
    openApp("/nq/leaderboard/systems");
    expect(
      await screen.findByText(/^As far as people have decided, together the systems have 85.0.%/),
    ).toBeVisible();
  });

  it("stand there without where one has no interval, and where none came", async () => {
    const [pair] = BOUNDED.pairs;
    const pairs = pair && [{ ...pair, agreement: makeFigure(0.4), oracle: makeFigure(0.85) }];
    const refuse = ({ query }: Call) =>
      query.includes("intervals=true")
        ? new FakeError(500, "broken", "Something went wrong.")
        : { ...BOUNDED, pairs };
    startFakeServer({ ...SERVER, [ADDRESS]: refuse });
    openApp("/nq/leaderboard/systems");
    expect(await screen.findByText("The intervals could not be computed.")).toBeVisible();
    const square = screen.getByRole("table", { name: "Questions that one of two systems has right" });
    expect(within(square).getByTitle("80 questions")).toHaveTextContent("85.0");
  });
});

describe("files of systems beside each other", () => {
  const saved = async (name: string) => {
    startFakeServer(SERVER);
    openApp("/nq/leaderboard/systems");
    await screen.findByText(/Together: 95 % interval/);
    return savedRows(name);
  };

  it("have both ends of each interval, empty where there is none", async () => {
    expect((await saved("pairs-of-systems"))[0]).toMatchObject({
      first: "dpr",
      second: "fid",
      questions: "80",
      agreement_low: "0.3",
      agreement_high: "0.5",
      right_together: "0.85",
      right_together_low: "",
    });
  });

  it("have a row for every number of systems and one for any", async () => {
    const rows = await saved("easy-and-hard-questions");
    expect(rows.map((row) => [row["right_by"], row["questions"], row["share"]])).toEqual([
      ["0", "12", "0.15"],
      ["1", "28", "0.35"],
      ["2", "40", "0.5"],
      ["any", "68", "0.85"],
    ]);
    expect(rows.map((row) => row["share_low"])).toEqual(["0.08", "0.25", "", "0.77"]);
  });
});
