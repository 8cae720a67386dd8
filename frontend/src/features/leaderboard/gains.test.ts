import { describe, expect, it } from "vitest";
import { makeGain } from "../../test/gain-cast";
import { beforeAfterCsv, gainFinder, gainsWords, moveCsv } from "./gains";

const GAIN = makeGain({
  system: "a",
  difference: 0.25,
  interval: [0.1, 0.4],
  relative: 0.5,
  relative_interval: [0.2, 0.9],
});
const PAIR = {
  system: "a",
  label: "Alpha",
  from: { value: 0.5, correct: 50, n: 100, low: 0.4, high: 0.6, rank: 1 },
  to: { value: 0.75, correct: 75, n: 100, low: 0.66, high: 0.82, rank: 1 },
};

describe("gains", () => {
  it("are found by column and system, and nowhere while they are computed", () => {
    expect(gainFinder([GAIN])("human", "a")).toBe(GAIN);
    expect(gainFinder([GAIN])("bem", "a")).toBeUndefined();
    expect(gainFinder(undefined)("human", "a")).toBeUndefined();
  });

  it("say whether their intervals are there yet", () => {
    expect(gainsWords({ isPending: true, isError: false })).toContain("being computed");
    expect(gainsWords({ isPending: false, isError: true })).toContain("could not be computed");
    expect(gainsWords({ isPending: false, isError: false })).toContain("of 95 %");
  });

  it("are saved with counts, the share of the start and both ends of each", () => {
    expect(beforeAfterCsv(PAIR, "exact_match", "human", GAIN)).toEqual({
      system: "a",
      label: "Alpha",
      exact_match: 0.5,
      "exact_match right": 50,
      "exact_match n": 100,
      "exact_match low": 0.4,
      "exact_match high": 0.6,
      human: 0.75,
      "human right": 75,
      "human n": 100,
      "human low": 0.66,
      "human high": 0.82,
      difference: 0.25,
      "difference low": 0.1,
      "difference high": 0.4,
      relative: 0.5,
      "relative low": 0.2,
      "relative high": 0.9,
    });
  });

  it("are over the questions both have judged where the scores are of different ones", () => {
    const fewer = { ...PAIR, to: { ...PAIR.to, correct: 30, n: 40 } };
    expect(beforeAfterCsv(fewer, "exact_match", "human", { ...GAIN, difference: 0.1 })).toMatchObject({
      difference: 0.1,
      relative: 0.5,
    });
    expect(beforeAfterCsv(fewer, "exact_match", "human", undefined)).toMatchObject({
      difference: null,
      relative: null,
    });
  });

  it("have no share of nothing, and no ends before they are computed", () => {
    const none = { ...PAIR, from: { ...PAIR.from, value: 0, correct: 0 } };
    expect(beforeAfterCsv(none, "exact_match", "human", undefined)).toMatchObject({
      difference: 0.75,
      "difference low": undefined,
      relative: null,
    });
  });

  it("are saved beside the counts that amendment moved", () => {
    const move = { system: "a", label: "Alpha", n: 8, before: 4, after: 6, turned_right: 3, turned_wrong: 1 };
    expect(moveCsv(move, GAIN)).toMatchObject({
      turned_right: 3,
      difference: 0.25,
      difference_low: 0.1,
      difference_high: 0.4,
    });
  });
});
