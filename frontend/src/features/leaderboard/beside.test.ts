import { describe, expect, it } from "vitest";
import { makeFigure } from "../../test/figures";
import { makeBoard } from "../../test/lead-cast";
import { besideCsv, besideRows, boardCsv, entireColumns, publishedCells, sampleColumns } from "./beside";

const sample = makeBoard(true);
const [strict] = sample.rows;
const entire = {
  ...sample,
  n_questions: 3610,
  rows: strict ? [{ ...strict, n: 3610 }] : [],
};

describe("the sample beside all questions", () => {
  it("leaves people's scores to the sample", () => {
    expect(entireColumns(entire).map(({ key }) => key)).toEqual(["exact_match"]);
    expect(sampleColumns(sample, entire).map(({ key }) => key)).toEqual(["exact_match", "human"]);
  });

  it("keeps systems that answered the sample only, and those that answered none of it", () => {
    const rows = besideRows(sample.rows, entire.rows);
    expect(rows.map(({ label, entire: all }) => [label, all?.n ?? null])).toEqual([
      ["Strict", 3610],
      ["Chatty", null],
    ]);
    expect(besideRows([], entire.rows)).toMatchObject([{ label: "Strict", sample: null }]);
  });

  it("is saved with the same columns in every line", () => {
    const lines = besideCsv(besideRows(sample.rows, entire.rows), sample, entire);
    const [first, second] = lines.map((line) => Object.keys(line));
    expect(first).toEqual(second);
    expect(lines[1]).toMatchObject({
      "all exact_match": undefined,
      "sample human": 0.8,
      "sample human rank": 1,
    });
  });
});

describe("one board as CSV", () => {
  it("has score, counts, interval, rank and its interval of each column shown", () => {
    const [row] = sample.rows;
    const human = row?.scores["human"];
    if (!row || !human) throw new Error("The board lacks its row.");
    const bounded = { ...row, scores: { human: { ...human, rank: makeFigure(2, { low: 1, high: 2 }) } } };
    const [line] = boardCsv([bounded], sample.columns.slice(1));
    expect(line).toEqual({
      system: "Strict",
      label: "Strict",
      n: 100,
      human: 0.7,
      "human right": 70,
      "human n": 100,
      "human low": 0.6499999999999999,
      "human high": 0.75,
      "human rank": 2,
      "human best rank": 1,
      "human worst rank": 2,
      "decided share": 1,
      "range low": undefined,
      "range high": undefined,
    });
  });
});

describe("a published system as CSV", () => {
  it("has its numbers and their counts under the columns of the board", () => {
    const score = {
      subject: "system" as const,
      name: "GPT-3",
      measure: "human",
      value: 0.7,
      n: 3610,
      about: "64 shots",
      source: "a paper",
      dataset: "NQ",
      system: "",
      prompt: "",
      removed_at: null,
    };
    const row = {
      key: "",
      name: "GPT-3",
      about: "64 shots",
      dataset: "NQ",
      prompt: "",
      scores: { human: score },
    };
    expect(publishedCells(row)).toEqual({
      system: "GPT-3",
      label: "GPT-3, NQ, 64 shots",
      human: 0.7,
      "human n": 3610,
    });
  });
});
