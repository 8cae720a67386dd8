import { describe, expect, it } from "vitest";
import { makeBoard } from "../../test/lead-cast";
import { slopeColumns, spread } from "./slope-chart";

describe("the columns of the slopes", () => {
  it("begin with exact match, whichever judge ran first", () => {
    const board = makeBoard(true);
    const [exact, human] = board.columns;
    if (!exact || !human) throw new Error("The board lacks its columns.");
    const columns = [{ ...exact, key: "containment" }, exact, { ...exact, key: "bem" }, human];
    expect(slopeColumns(columns, human).map(({ key }) => key)).toEqual([
      "exact_match",
      "containment",
      "bem",
      "human",
    ]);
  });
});

describe("spread", () => {
  it("moves labels apart that would print over each other", () => {
    expect(spread([1, 1, 1.5], 1)).toEqual([1, 2, 3]);
  });

  it("leaves labels that are apart where they are, whatever their order", () => {
    expect(spread([9, 1, 5], 1)).toEqual([9, 1, 5]);
  });
});
