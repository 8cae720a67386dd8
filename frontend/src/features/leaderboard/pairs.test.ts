import { describe, expect, it } from "vitest";
import type { SystemsPair } from "../../api/contract";
import { openPairs, openPairsWords, pairsCsv, probabilityWords } from "./pairs";

function pair(first: string, second: string, more: Partial<SystemsPair> = {}): SystemsPair {
  return {
    first,
    second,
    questions: 301,
    difference: 0.02,
    interval: [-0.01, 0.05],
    p_value: 0.4,
    is_distinguishable: false,
    first_only: 10,
    second_only: 4,
    mcnemar_p: 0.18,
    words: "",
    ...more,
  };
}

const ALL = [
  pair("a", "b", { difference: -0.02, interval: [-0.05, 0.01] }),
  pair("a", "c", { is_distinguishable: true, p_value: 0.01 }),
  pair("b", "c", { p_value: 0.08 }),
  pair("c", "d", { difference: null, interval: null, p_value: null, words: "They share no question." }),
];

describe("pairs that cannot be told apart", () => {
  it("name the higher system first, with the interval in its direction", () => {
    expect(openPairs(ALL)).toMatchObject([
      { ahead: "b", behind: "c", difference: 0.02, p: 0.08 },
      { ahead: "b", behind: "a", difference: 0.02, interval: [-0.01, 0.05], p: 0.4 },
    ]);
  });

  it("are counted among those that share questions", () => {
    expect(openPairsWords(ALL, "Amended gold")).toMatch(
      /^By Amended gold 2 of 3 pairs of systems cannot be told apart, after correction for so many \(Holm, at 5 %\)/,
    );
    const [, sure] = ALL;
    expect(openPairsWords(sure ? [sure] : [], "EM")).toMatch(/^By EM all of 1 pair of systems can be/);
    expect(openPairsWords([], "EM")).toBe("By EM no two systems share a question.");
  });

  it("are saved with all other pairs, each said to be distinguishable or not", () => {
    const lines = pairsCsv(ALL, "human");
    expect(lines.map(({ distinguishable }) => distinguishable)).toEqual(["no", "yes", "no", "no"]);
    expect(lines[0]).toMatchObject({ first: "a", low: -0.05, high: 0.01, p_holm: 0.4, judged_by: "human" });
  });

  it("have small probabilities as a bound", () => {
    expect([probabilityWords(0.0004), probabilityWords(0.0214, "= ")]).toEqual(["< 0.001", "= 0.021"]);
  });
});
