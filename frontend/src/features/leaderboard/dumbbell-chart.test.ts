import { describe, expect, it } from "vitest";
import { makeBoard } from "../../test/lead-cast";
import { comparable, dumbbells, percentDomain } from "./dumbbell-chart";

describe("dumbbells", () => {
  const board = makeBoard(true);

  it("put the best by the second way first", () => {
    const pairs = dumbbells(board.rows, "exact_match", "human");
    expect(pairs.map(({ label, from, to }) => [label, from.value, to.value])).toEqual([
      ["Chatty", 0.2, 0.8],
      ["Strict", 0.6, 0.7],
    ]);
  });

  it("leave out systems without both scores", () => {
    const rows = board.rows.map((row) => ({ ...row, scores: { ...row.scores, bem: null } }));
    expect(dumbbells(rows, "exact_match", "bem")).toEqual([]);
    expect(dumbbells(rows, "exact_match", "unknown")).toEqual([]);
  });

  it("compare ways of one unit only, people first", () => {
    const [exact, human] = board.columns;
    if (!exact || !human) throw new Error("The board lacks its columns.");
    const f1 = { ...exact, key: "token_f1", unit: "f1" as const };
    const bem = { ...exact, key: "bem" };
    expect(comparable([exact, f1, bem, human], exact).map(({ key }) => key)).toEqual(["human", "bem"]);
  });
});

describe("the scale", () => {
  const scale = (...values: number[]) => percentDomain(values.map((percent) => ({ percent })));

  it("is of ten points at least, so that equal scores are no scale of nothing", () => {
    expect(scale(100, 100)).toEqual([90, 100]);
    expect(scale(0, 0)).toEqual([0, 10]);
    expect(scale(50, 50)).toEqual([45, 55]);
  });

  it("ends where the scores do where they are further apart", () => {
    expect(scale(12.6, 75.7)).toEqual([12.6, 75.7]);
  });
});
