import { describe, expect, it } from "vitest";
import { cellOf, cellWords } from "./which-answers";

const search = (values: Record<string, string>) => ({
  read: (key: string) => values[key],
  readNumber: () => 1,
  write: () => undefined,
});

describe("a cell of a failure board in the address of answers", () => {
  it("is there only with a board and a column", () => {
    expect(cellOf(search({ board: "misses" }))).toBeUndefined();
    expect(cellOf(search({ board: "none", column: "bem" }))).toBeUndefined();
    expect(cellOf(search({ board: "misses", column: "bem", bands: "odd" }))).toEqual({
      board: "misses",
      column: "bem",
      row: "",
    });
    expect(
      cellOf(search({ board: "length", column: "bem", row: "0-1", system: "fid", bands: "wide" })),
    ).toEqual({
      board: "length",
      column: "bem",
      row: "0-1",
      system: "fid",
      bands: "wide",
    });
  });

  it("says what the answers are", () => {
    expect(cellWords({ board: "misses", column: "bem", row: "list" })).toBe(
      "counted under “list” and “bem” on a failure board",
    );
    expect(cellWords({ board: "length", column: "bem", row: "" })).toBe(
      "on which “bem” disagrees with people",
    );
  });

  it.each([
    ["0-1", "1 word"],
    ["0-35", "up to 35 words"],
    ["2-2", "2 words"],
    ["6-10", "6 to 10 words"],
    ["11-", "11 or more words"],
  ])("says of the lengths %s that they are %s", (row, words) => {
    expect(cellWords({ board: "length", column: "bem", row })).toBe(
      `on which “bem” disagrees with people (${words})`,
    );
  });
});
