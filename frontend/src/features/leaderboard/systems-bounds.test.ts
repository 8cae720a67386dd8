import { describe, expect, it } from "vitest";
import type { SystemsBoard } from "../../api/schema";
import { coverageCsv, pairCsv, rightByCsv, systemBounds } from "./systems-bounds";

const PAIR = { first: "a", second: "b", questions: 4, agreement: 0.5, oracle: 0.75 };
const SYSTEM = { system: "a", label: "A", answered: 4, right: 2 };
const BOARD: SystemsBoard = {
  signature: "",
  questions: 4,
  answered_by_all: 4,
  pending: 0,
  by_programs: 0,
  systems: [SYSTEM],
  pairs: [PAIR],
  right_by: [1, 1, 2],
  oracle: 0.75,
};
const BOUNDS = systemBounds({
  signature: "",
  systems: [{ system: "a", figures: { coverage: [1, 1], right: [0, 0.9] }, words: {} }],
  pairs: [{ first: "a", second: "b", figures: { agreement: [0.1, 0.9], oracle: null }, words: {} }],
  right_by: [[0, 0.6], null, [0.1, 1]],
  oracle: [0.4, 1],
});

describe("files of systems beside each other", () => {
  it("have both ends of each interval, empty where there is none", () => {
    expect(pairCsv(PAIR, BOUNDS)).toMatchObject({
      agreement_low: 0.1,
      agreement_high: 0.9,
      right_together: 0.75,
      right_together_low: undefined,
    });
    expect(coverageCsv(SYSTEM, 4, BOUNDS)).toMatchObject({ answered_low: 1, right_low: 0, right_high: 0.9 });
  });

  it("have a row for every number of systems and one for any", () => {
    const rows = rightByCsv(BOARD, BOUNDS);
    expect(rows.map(({ right_by, questions, share }) => [right_by, questions, share])).toEqual([
      ["0", 1, 0.25],
      ["1", 1, 0.25],
      ["2", 2, 0.5],
      ["any", 3, 0.75],
    ]);
    expect(rows.map(({ share_low }) => share_low)).toEqual([0, undefined, 0.1, 0.4]);
  });

  it("are the same without ends while these are computed", () => {
    expect(rightByCsv(BOARD, systemBounds(undefined))).toHaveLength(4);
    expect(pairCsv(PAIR, systemBounds(undefined))).toMatchObject({
      agreement: 0.5,
      agreement_low: undefined,
    });
  });
});
