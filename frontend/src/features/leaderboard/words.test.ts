import { describe, expect, it } from "vitest";
import { makeBoard } from "../../test/lead-cast";
import { headline } from "./words";

describe("the headline", () => {
  it("names the system that leads by people", () => {
    expect(headline(makeBoard(true))).toMatch(
      /^By people Chatty leads: right on 80\.0\s% of 100 questions\./,
    );
  });

  it("calls systems level that share the first rank", () => {
    const board = makeBoard(true);
    const best = board.rows[1]?.scores["human"] ?? null;
    const rows = board.rows.map((row) => ({ ...row, scores: { ...row.scores, human: best } }));
    expect(headline({ ...board, rows })).toMatch(/^By people Strict and Chatty are level: right on 80\.0\s%/);
  });
});
