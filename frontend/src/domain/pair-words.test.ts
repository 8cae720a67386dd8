import { describe, expect, it } from "vitest";
import type { ComparedPair } from "../api/schema";
import { makeFigure } from "../components/figure";
import { csvRows } from "../lib/csv";
import { pairColumns } from "./compared-pairs";
import {
  judgePairsWords,
  openPairs,
  openPairsWords,
  pairsOf,
  probabilityWords,
  turnedPairs,
} from "./pair-words";

const between = (value: number, low: number, high: number) => makeFigure(value, { low, high });

function pair(first: string, second: string, more: Partial<ComparedPair> = {}): ComparedPair {
  return {
    first,
    second,
    rows: 301,
    difference: between(0.02, -0.01, 0.05),
    p_value: 0.4,
    is_distinguishable: false,
    first_only: 10,
    second_only: 4,
    mcnemar_p: 0.18,
    ...more,
  };
}

const ALL = [
  pair("a", "b", { difference: between(-0.02, -0.05, 0.01) }),
  pair("a", "c", { is_distinguishable: true, p_value: 0.01 }),
  pair("b", "c", { p_value: 0.08 }),
  pair("c", "d", {
    difference: makeFigure(null, { why: "nothing_shared" }),
    p_value: null,
  }),
];

describe("pairs that cannot be told apart", () => {
  it("name the higher system first, with the interval in its direction", () => {
    expect(openPairs(ALL)).toMatchObject([
      { ahead: "b", behind: "c", difference: { value: 0.02 }, of: { p_value: 0.08 } },
      { ahead: "b", behind: "a", difference: between(0.02, -0.01, 0.05), of: { p_value: 0.4 } },
    ]);
  });

  it("are counted among those that share questions", () => {
    expect(openPairsWords(ALL, "Amended gold")).toMatch(
      /^According to “Amended gold,” 2 of 3 pairs of systems do not differ significantly \(Holm-corrected, at the 5% level\)/,
    );
    expect(openPairsWords(ALL, "Amended gold")).toMatch(/ 1 other pair cannot be compared yet\.$/);
    const [, sure] = ALL;
    expect(openPairsWords(sure ? [sure] : [], "EM")).toMatch(
      /^According to “EM,” the two systems differ significantly/,
    );
    const [first] = ALL;
    expect(openPairsWords(first ? [first] : [], "EM")).toBe(
      "According to “EM,” the two systems do not differ significantly (at the 5% level). Chance alone could explain this difference.",
    );
    expect(openPairsWords([], "EM")).toBe("No two systems have scores from “EM” on the same question.");
  });

  it("are saved with all other pairs, each said to be distinguishable or not", () => {
    const columns = pairColumns({ things: "Systems", unit: "question", way: "human", nameOf: (key) => key });
    const lines = csvRows(columns, pairsOf(ALL));
    expect(lines.map((line) => line["distinguishable"])).toEqual(["no", "yes", "no", "no"]);
    expect(lines[0]).toMatchObject({ first: "a", low: -0.05, high: 0.01, p_holm: 0.4, judged_by: "human" });
  });

  it("have small probabilities as a bound", () => {
    expect([probabilityWords(0.0004), probabilityWords(0.0214, "= ")]).toEqual(["< 0.001", "= 0.021"]);
  });
});

describe("pairs of judges", () => {
  it("are all listed, the surest first, with the rows that one alone has right in their order", () => {
    expect(turnedPairs(ALL).map(({ ahead, behind, of }) => [ahead, behind, of.p_value])).toEqual([
      ["a", "c", 0.01],
      ["b", "c", 0.08],
      ["b", "a", 0.4],
    ]);
    expect(turnedPairs(ALL)[2]).toMatchObject({ aheadOnly: 4, behindOnly: 10 });
  });

  it("are counted among those that share answers", () => {
    expect(judgePairsWords(ALL)).toMatch(/^1 of 3 pairs of judges differs significantly/);
    expect(judgePairsWords(ALL.slice(0, 1))).toMatch(
      /^The two judges do not differ significantly \(at the 5% level\)\./,
    );
    expect(judgePairsWords(ALL.slice(1, 2))).toMatch(
      /^The two judges differ significantly \(at the 5% level\)\./,
    );
    expect(judgePairsWords(ALL.slice(1, 2).concat(ALL.slice(3)))).toMatch(
      /^The two judges that can be compared differ/,
    );
    expect(judgePairsWords(ALL.slice(3))).toMatch(/^No two judges have verdicts on the same/);
  });

  it("are saved by their names, with their answers", () => {
    const nameOf = (key: string) => key.toUpperCase();
    const columns = pairColumns({ things: "Judges", unit: "answer", way: "people", nameOf });
    expect(csvRows(columns, pairsOf(ALL))[0]).toEqual({
      first: "A",
      second: "B",
      judged_by: "people",
      answers: 301,
      difference: -0.02,
      low: -0.05,
      high: 0.01,
      p_holm: 0.4,
      distinguishable: "no",
      first_only: 10,
      second_only: 4,
      mcnemar_p: 0.18,
    });
  });
});
