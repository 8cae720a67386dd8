import { describe, expect, it } from "vitest";
import { makeBoard } from "../../test/lead-cast";
import { headline, turnedWords, unrankedWords } from "./words";

describe("the headline", () => {
  it("names the system that leads by people", () => {
    expect(headline(makeBoard(true))).toMatch(
      /^By people Chatty leads: right on 80\.0\s% of 100 questions\./,
    );
  });

  it("gives the leader’s score, not the higher one of a system that answered fewer questions", () => {
    const board = makeBoard(true);
    const [strict, chatty] = board.rows;
    const human = chatty?.scores["human"];
    if (!strict || !chatty || !human) throw new Error("The board lacks its rows.");
    const fewer = { ...strict, scores: { ...strict.scores, human: { ...human, value: 0.9, rank: null } } };
    expect(headline({ ...board, rows: [fewer, chatty] })).toMatch(
      /^By people Chatty leads: right on 80\.0\s%/,
    );
  });

  it("calls systems level that share the first rank", () => {
    const board = makeBoard(true);
    const best = board.rows[1]?.scores["human"] ?? null;
    const rows = board.rows.map((row) => ({ ...row, scores: { ...row.scores, human: best } }));
    expect(headline({ ...board, rows })).toMatch(/^By people Strict and Chatty are level: right on 80\.0\s%/);
  });
});

describe("what amendment moved", () => {
  const move = (label: string, before: number, after: number) => ({
    system: label,
    label,
    n: 100,
    before,
    after,
    turned_right: Math.max(0, after - before),
    turned_wrong: Math.max(0, before - after),
  });
  const found = (systems: ReturnType<typeof move>[], pending = 0) => ({
    systems,
    pending,
    right_count: 0,
    wrong_count: 0,
    count: 0,
    page: 1,
    page_count: 1,
    turned: [],
  });

  it("names whom it moves most and least", () => {
    expect(turnedWords(found([move("A", 50, 49), move("B", 20, 80)]))).toBe(
      "Amendment moves B most, by +60.0 points, and A least, by \u22121.0.",
    );
  });

  it("compares nobody where there is one system", () => {
    expect(turnedWords(found([move("A", 50, 60)], 2))).toBe(
      "Amendment moves A by +10.0 points. 2 answers of systems are not decided yet.",
    );
  });

  it("says so where nothing changed, or nothing is there", () => {
    expect(turnedWords(found([move("A", 50, 50)]))).toBe("Amendment has changed no score.");
    expect(turnedWords(found([]))).toBe("");
  });
});

describe("systems without a rank", () => {
  it("are named with how many questions they answered", () => {
    const board = makeBoard(true);
    const [strict, chatty] = board.rows;
    if (!strict || !chatty) throw new Error("The board lacks its rows.");
    expect(unrankedWords({ ...board, rows: [{ ...strict, n: 99 }, chatty] })).toBe(
      "Without a rank, as not all 100 questions were answered: Strict (99).",
    );
    expect(unrankedWords(board)).toBe("");
  });
});
