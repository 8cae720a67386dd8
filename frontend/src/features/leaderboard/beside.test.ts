import { describe, expect, it } from "vitest";
import { makeFigure } from "../../components/figure";
import { publishedLine, systemNames } from "../../domain/references";
import { csvRows } from "../../lib/csv";
import { makeBoard } from "../../test/lead-cast";
import { besideColumns, besideRows } from "./beside-section";
import { fileColumns } from "./board-table";

const sample = makeBoard(true);
const [strict] = sample.rows;
const entire = {
  ...sample,
  n_questions: 3610,
  rows: strict ? [{ ...strict, n: 3610 }] : [],
};

describe("the sample beside all questions", () => {
  it("leaves people's scores to the sample", () => {
    expect(besideColumns(sample, entire).map(({ key }) => key)).toEqual([
      "system",
      "all exact_match",
      "sample exact_match",
      "sample human",
    ]);
  });

  it("keeps systems that answered the sample only, and those that answered none of it", () => {
    const rows = besideRows(sample, entire);
    expect(rows.map(({ label, all }) => [label, all?.n ?? null])).toEqual([
      ["Chatty", null],
      ["Strict", 3610],
    ]);
    expect(besideRows({ ...sample, rows: [] }, entire)).toMatchObject([{ label: "Strict", sample: null }]);
  });

  it("is saved with the same columns in every line", () => {
    const lines = csvRows(besideColumns(sample, entire), besideRows(sample, entire));
    const [first, second] = lines.map((line) => Object.keys(line));
    expect(first).toEqual(second);
    expect(lines[0]).toMatchObject({
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
    const [line] = csvRows(fileColumns(sample.columns.slice(1)), [bounded]);
    expect(line).toEqual({
      system: "Strict",
      label: "Strict",
      n: 100,
      human: 0.7,
      "human correct": 70,
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
    expect(publishedLine(row, systemNames(row))).toEqual({
      system: "GPT-3",
      label: "GPT-3, NQ, 64 shots",
      human: 0.7,
      "human n": 3610,
      published: "a paper",
    });
  });
});
