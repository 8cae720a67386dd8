import * as plot from "@observablehq/plot";
import { describe, expect, it } from "vitest";
import { makeBoard } from "../../test/lead-cast";
import { drawSlope, fitting, leftOutWords, slopeColumns, slopePoints, spread } from "./slope-chart";

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

describe("the ways of judging that do not fit", () => {
  const ways = ["exact match", "bem", "gpt-4", "davinci", "people"];

  it("are named in the picture, or counted where they are many", () => {
    expect(leftOutWords(ways, 5)).toBe("");
    expect(leftOutWords(ways, 4)).toBe("No room for davinci: see the table of systems.");
    expect(leftOutWords(ways, 3)).toBe("No room for gpt-4 and davinci: see the table of systems.");
    expect(leftOutWords(ways, 2)).toBe("No room for 3 ways of judging: see the table of systems.");
  });

  it("are those that the picture lacks, at every width", () => {
    const board = makeBoard(true);
    const [exact, human] = board.columns;
    const score = board.rows[0]?.scores["human"] ?? null;
    if (!exact || !human) throw new Error("The board lacks its columns.");
    const names = ["bem", "gpt-4", "containment", "fuzzy", "davinci"];
    const columns = [exact, ...names.map((name) => ({ ...exact, key: name, name })), human];
    const rows = board.rows.map((row) => ({
      ...row,
      scores: { ...row.scores, ...Object.fromEntries(names.map((name) => [name, score])) },
    }));
    const points = slopePoints(rows, columns, "score");
    const drawn = (width: number) =>
      drawSlope(plot, width, { points, columns, measure: "score", highlighted: [] }).textContent;
    expect(drawn(480)).toContain("No room for fuzzy and davinci");
    expect(drawn(400)).toContain("No room for 5 ways of judging");
    expect(drawn(900)).not.toContain("No room");
  });
});

describe("spread", () => {
  it("moves labels apart that would print over each other", () => {
    expect(spread([1, 1, 1.5], 1)).toEqual([1 / 6, 7 / 6, 13 / 6].map((each) => expect.closeTo(each)));
    expect(spread([4, 4], 1)).toEqual([3.5, 4.5]);
  });

  it("keeps a crowd at an end within the chart", () => {
    expect(spread([9, 10, 10, 2], 1, [0, 10])).toEqual([8, 9, 10, 2]);
    expect(spread([0, 0.5, 0.5], 1, [0, 10])).toEqual([0, 1, 2]);
  });

  it("leaves labels that are apart where they are, whatever their order", () => {
    expect(spread([9, 1, 5], 1)).toEqual([9, 1, 5]);
  });
});
