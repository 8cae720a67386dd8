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
      "behind “list” and “bem” of a failure board",
    );
    expect(cellWords({ board: "length", column: "bem", row: "" })).toBe(
      "that “bem” judges otherwise than people",
    );
  });
});
