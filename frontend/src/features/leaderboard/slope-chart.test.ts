import { describe, expect, it } from "vitest";
import { makeBoard } from "../../test/lead-cast";
import { fitting, slopeColumns, spread } from "./slope-chart";

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

describe("the ways of judging that fit", () => {
  const ways = ["exact match", "bem", "gpt-4", "people"];

  it("are all of them where there is room", () => {
    expect(fitting(ways, 400)).toEqual(ways);
  });

  it("keep both ends and, of those between, the first", () => {
    expect(fitting(ways, 140)).toEqual(["exact match", "bem", "people"]);
    expect(fitting(ways, 0)).toEqual(["exact match", "people"]);
  });

  it("are never shown twice", () => {
    expect(fitting(["exact match"], 0)).toEqual(["exact match"]);
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
