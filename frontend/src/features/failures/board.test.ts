import { describe, expect, it } from "vitest";
import type { FailureBoard } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { behindCell, wantedOf } from "./board-choices";
import { barsOf, drawnRows, layoutOf } from "./board-chart";
import { hasShares, headlineOf, sampleNote, sampleWords, taggedWords } from "./board-words";
import { linesOf, untoldWords } from "./board-table";

function makeBoard(more: Partial<FailureBoard> = {}): FailureBoard {
  return {
    board: "misses",
    set: "kamalloo",
    run: "",
    system: "",
    bands: null,
    sets: [],
    runs: [],
    systems: [],
    rounds: 1,
    items: 3,
    baseline: "Exact match",
    weighed: false,
    left_out: 0,
    undecided: 0,
    reach: "all",
    judges: [],
    signature: "",
    rows: [
      { key: "list", name: "List", group: "", meaning: "" },
      { key: "gold", name: "Incorrect gold answer", group: "", meaning: "" },
    ],
    columns: [
      {
        key: "exact_match",
        name: "Exact match",
        total: 6,
        tagged: 3,
        stands_for: 5,
        rated: 6,
        base: 10,
        rate: makeFigure(0.6, { low: 0.3, high: 0.8 }),
      },
    ],
    cells: [
      {
        row: "list",
        column: "exact_match",
        items: 2,
        of: 3,
        share: makeFigure(0.75, { low: 0.5, high: 1 }),
      },
      {
        row: "gold",
        column: "exact_match",
        items: 0,
        of: 3,
        share: makeFigure(null, { why: "nothing_sampled" }),
      },
    ],
    ...more,
  };
}

const search = (values: Record<string, string>) => ({
  read: (key: string) => values[key],
  readNumber: () => 1,
  write: () => undefined,
});

describe("a failure board's address", () => {
  it("keeps what belongs to the board, and falls back to the first", () => {
    expect(wantedOf(search({ board: "nonsense", system: "fid", bands: "wide" }))).toEqual({
      board: "misses",
    });
    expect(wantedOf(search({ board: "length", system: "fid", bands: "odd", set: "own" }))).toEqual({
      board: "length",
      system: "fid",
    });
    expect(wantedOf(search({ board: "unattributable", system: "fid", run: "r" }))).toEqual({
      board: "unattributable",
      system: "fid",
    });
    expect(wantedOf(search({ board: "errors", set: "own", run: "r" }))).toEqual({
      board: "errors",
      set: "own",
      run: "r",
    });
  });

  it("names a cell, or without a row a column's rate", () => {
    const address = { board: "misses", set: "kamalloo", column: "exact_match" };
    expect(behindCell(makeBoard(), "exact_match", "list")).toEqual({ ...address, row: "list" });
    expect(behindCell(makeBoard(), "exact_match")).toEqual(address);
  });
});

describe("a failure board in words", () => {
  it("says how much is tagged, and what that stands for", () => {
    const [column] = makeBoard().columns;
    if (!column) throw new Error("no column");
    expect(sampleWords({ ...column, board: "misses" })).toBe("3 of 6 tagged, representing 5");
    expect(sampleWords({ ...column, tagged: 6, stands_for: 6, board: "misses" })).toBe("all 6 tagged");
    expect(taggedWords({ ...column, board: "length" })).toBe("6 answers");
  });

  it("says that it is a sample only where it is one", () => {
    expect(sampleNote(makeBoard())).toMatch(
      /^Shares are estimates: each tagged answer also represents.* They leave out two kinds of answers: those that no round/,
    );
    expect(sampleNote(makeBoard({ board: "credit" }))).toMatch(/not weighted/);
    const columns = makeBoard().columns.map((column) => ({ ...column, tagged: 6, stands_for: 6 }));
    expect(sampleNote(makeBoard({ columns }))).toBe("");
  });

  it("begins with its answer", () => {
    expect(headlineOf(makeBoard())).toBe(
      "Exact match rejects 60.0% of the answers that people accept; the most frequent tag is “List” (2 of 3).",
    );
    expect(headlineOf(makeBoard({ columns: [] }))).toBe("");
    expect(headlineOf(makeBoard({ board: "length" }))).toBe("");
    const cells = makeBoard().cells.map((cell) => ({ ...cell, items: 9, of: 12 }));
    expect(headlineOf(makeBoard({ board: "length", cells }))).toBe(
      "Exact match has the lowest accuracy for answers of List: 75.0% of 12 answers.",
    );
  });

  it("names nobody where nobody errs", () => {
    const columns = makeBoard().columns.map((column) => ({ ...column, rate: makeFigure(0), rated: 0 }));
    const never = (board: FailureBoard["board"]) => headlineOf(makeBoard({ board, columns, cells: [] }));
    expect(never("misses")).toBe("No judge on this board rejects an answer that people accept.");
    expect(never("wrong")).toBe("People have not rejected any answers.");
    expect(never("errors")).toBe("The judge agrees with people on every answer.");
    const cells = makeBoard().cells.map((cell) => ({ ...cell, items: 12, of: 12, share: makeFigure(1) }));
    expect(headlineOf(makeBoard({ board: "length", cells }))).toBe(
      "Every judge agrees with people at every length.",
    );
  });

  it("counts where a share would be of a few", () => {
    const [cell] = makeBoard().cells.map((each) => ({ ...each, items: 1, of: 1, share: makeFigure(1) }));
    expect(headlineOf(makeBoard({ cells: cell ? [cell] : [] }))).toMatch(
      /most frequent tag is “List” \(1 of 1\)\.$/,
    );
  });

  it("names no tag where several tie", () => {
    const cells = makeBoard().cells.map((cell) => ({ ...cell, items: 1, of: 3, share: makeFigure(1 / 3) }));
    const words = "Exact match rejects 60.0% of the answers that people accept.";
    expect(headlineOf(makeBoard({ cells }))).toBe(words);
    const many = cells.map((cell) => ({ ...cell, items: 10, of: 30 }));
    expect(headlineOf(makeBoard({ cells: many }))).toBe(words);
  });

  it("draws no bar for a tag that nobody gave", () => {
    const board = makeBoard();
    expect(drawnRows(board).length).toBeGreaterThan(0);
    const cells = board.cells.map((cell) => ({ ...cell, items: 0 }));
    expect(drawnRows(makeBoard({ cells }))).toEqual([]);
    expect(drawnRows(makeBoard({ board: "length", cells }))).toEqual(board.rows);
  });

  it("knows whether it has a share", () => {
    expect(hasShares(makeBoard())).toBe(true);
    expect(hasShares(makeBoard({ cells: [] }))).toBe(false);
  });
});

describe("a failure board as bars and as a file", () => {
  it("draws what has a share, in percent", () => {
    expect(barsOf(makeBoard())).toEqual([
      {
        row: "list",
        rowName: "List",
        column: "exact_match",
        columnName: "Exact match",
        share: 75,
        low: 50,
        high: 100,
        items: 2,
        of: 3,
      },
    ]);
  });

  it("puts as many panels beside each other as fit", () => {
    expect(layoutOf(1200, makeBoard(), 12)).toMatchObject({ across: 4, down: 3 });
    expect(layoutOf(350, makeBoard(), 3)).toMatchObject({ across: 1, down: 3 });
    expect(layoutOf(1200, makeBoard(), 6)).toMatchObject({ across: 3, down: 2 });
    expect(layoutOf(1200, makeBoard(), 1).across).toBe(1);
  });

  it("saves every share, then the rate over each column", () => {
    const [list, gold, rate] = linesOf(makeBoard());
    expect(list).toMatchObject({
      row: "list",
      column: "exact_match",
      items: 2,
      of: 3,
      share: 0.75,
      low: 0.5,
    });
    expect(gold).toMatchObject({ share: null, low: null });
    expect(rate).toMatchObject({ row: "", items: 6, of: 10, share: 0.6, total: 6, stands_for: 5 });
  });
});

describe("what no answer has", () => {
  it("is counted by what the rows are", () => {
    expect(untoldWords({ board: "misses" }, 7)).toBe("7 tags without an answer");
    expect(untoldWords({ board: "length" }, 1)).toBe("1 length without an answer");
    expect(untoldWords({ board: "credit" }, 2)).toBe("2 tags without a question");
  });
});
