import { describe, expect, it } from "vitest";
import { csvRows } from "../../lib/csv";
import { makeFigure } from "../../components/figure";
import { makeScore } from "../../test/figures";
import { makeBoard } from "../../test/lead-cast";
import type { Dumbbell } from "./dumbbell-chart";
import { dumbbellColumns } from "./dumbbell-section";
import { gainsWords, rangesWords } from "./gains";

const PAIR: Dumbbell = {
  system: "a",
  label: "Alpha",
  from: makeScore(0.5, { correct: 50, low: 0.4, high: 0.6 }),
  to: makeScore(0.75, {
    correct: 75,
    low: 0.66,
    high: 0.82,
    gain: makeFigure(0.25, { low: 0.1, high: 0.4 }),
    relative: makeFigure(0.5, { low: 0.2, high: 0.9 }),
  }),
};

function saved(pair: Dumbbell) {
  const [before, after] = makeBoard(true).columns;
  if (!before || !after) throw new Error("The board lacks its columns.");
  return csvRows(dumbbellColumns(before, after), [pair])[0];
}

describe("gains", () => {
  it("say whether their intervals are there yet", () => {
    expect(gainsWords({ isPending: true, isError: false })).toContain("Computing intervals");
    expect(gainsWords({ isPending: false, isError: true })).toContain("could not be computed");
    expect(gainsWords({ isPending: false, isError: false })).toContain("95% intervals");
  });

  it("say that scores may be of other questions only where they may", () => {
    const computed = { isPending: false, isError: false };
    expect(gainsWords(computed)).toBe(
      "Ranges are 95% intervals. Differences cover only questions with both scores, so they may not match the scores shown.",
    );
    expect(rangesWords(computed)).toBe("Ranges are 95% intervals.");
  });

  it("stand right after the system, by what they are over", () => {
    const [before, after] = makeBoard(true).columns;
    if (!before || !after) throw new Error("The board lacks its columns.");
    const [, gain] = dumbbellColumns(before, after);
    expect(gain?.header).toBe(`Gain over ${before.name} (points)`);
  });

  it("are saved with counts, the share of the start and both ends of each", () => {
    expect(saved(PAIR)).toEqual({
      system: "a",
      label: "Alpha",
      exact_match: 0.5,
      "exact_match correct": 50,
      "exact_match n": 100,
      "exact_match low": 0.4,
      "exact_match high": 0.6,
      human: 0.75,
      "human correct": 75,
      "human n": 100,
      "human low": 0.66,
      "human high": 0.82,
      difference: 0.25,
      difference_low: 0.1,
      difference_high: 0.4,
      relative: 0.5,
      relative_low: 0.2,
      relative_high: 0.9,
    });
  });

  it("are over the questions both have judged where the scores are of different ones", () => {
    const to = { ...PAIR.to, correct: 30, n: 40, gain: makeFigure(0.1) };
    expect(saved({ ...PAIR, to })).toMatchObject({ difference: 0.1, relative: 0.5 });
    const early = { ...to, gain: null, relative: null };
    expect(saved({ ...PAIR, to: early })).toMatchObject({ difference: null, relative: null });
  });

  it("have no ends before they are computed", () => {
    const to = { ...PAIR.to, gain: null, relative: null };
    expect(saved({ ...PAIR, to })).toMatchObject({
      difference: 0.25,
      difference_low: null,
      relative: null,
    });
  });
});
