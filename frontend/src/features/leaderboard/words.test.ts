import { describe, expect, it } from "vitest";
import type { LeaderboardRow } from "../../api/contract";
import { makeBoard } from "../../test/lead-cast";
import { headline, levelWords, noRankWords, turnedWords, unrankedWords } from "./words";

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
    expect(headline({ ...board, rows: [{ ...fewer, n: 99 }, chatty] })).toMatch(
      /^By people Chatty leads: right on 80\.0\s% of 100 questions\. Strict stands higher, 90\.0\s%, on 99 of 100 questions; ranks compare on the same questions\./,
    );
    const lower = { ...fewer, scores: { ...fewer.scores, human: { ...human, value: 0.7, rank: null } } };
    expect(headline({ ...board, rows: [lower, chatty] })).not.toContain("stands higher");
  });

  it("names no leader of a handful of questions", () => {
    expect(headline({ ...makeBoard(true), n_questions: 2 })).toBe(
      "2 questions decided by people: too few to say which system leads.",
    );
  });

  it("names no leader of systems that answered different questions", () => {
    const board = makeBoard(true);
    const unranked = (score: LeaderboardRow["scores"][string]) => score && { ...score, rank: null };
    const rows = board.rows.map((row) => ({
      ...row,
      n: 50,
      scores: Object.fromEntries(
        Object.entries(row.scores).map(([key, own]) => [key, unranked(own ?? null)]),
      ),
    }));
    expect(headline({ ...board, rows })).toBe(
      "2 systems on 100 questions, which not all of them answered: none leads.",
    );
    expect(unrankedWords({ ...board, rows })).toMatch(
      /^Without ranks, as systems answered different questions/,
    );
  });

  it("calls systems level that share the first rank", () => {
    const board = makeBoard(true);
    const best = board.rows[1]?.scores["human"] ?? null;
    const rows = board.rows.map((row) => ({ ...row, scores: { ...row.scores, human: best } }));
    expect(headline({ ...board, rows })).toMatch(/^By people Strict and Chatty are level: right on 80\.0\s%/);
  });
});

describe("the headline of a study of which people judged a part", () => {
  it("says how much is judged before it names who leads by what is not", () => {
    const board = { ...makeBoard(true), judged_questions: 30 };
    expect(headline(board)).toMatch(
      /^People have judged 30 of 100 questions so far; the others count by exact match with amended gold\. So counted, Chatty leads: right on 80\.0\s% of 100 questions\./,
    );
  });

  it("counts questions where decisions are still to come, too", () => {
    const board = { ...makeBoard(false), judged_questions: 30 };
    expect(headline(board)).toMatch(
      /^People have decided 50\s% of each system’s answers, on 30 of 100 questions, so there is no rank/,
    );
    expect(headline(makeBoard(false))).not.toContain("of 100 questions");
  });
});

describe("a slope that is level", () => {
  it("is said of the ways of judging that it would go through, not of mean F1 beside them", () => {
    const board = makeBoard(true);
    const [exact, human] = board.columns;
    if (!exact || !human) throw new Error("The board lacks its columns.");
    const f1 = { ...exact, key: "token_f1", name: "Token F1", unit: "f1" as const };
    const words =
      "By Exact match and Amended gold both systems have the same score; there is no slope to draw.";
    expect(levelWords(board, [exact, human], "score")).toBe(words);
    const columns = [exact, f1, human];
    expect(levelWords({ ...board, columns }, [exact, human], "score")).toBe(
      `${words} Mean F1 is another unit and is not drawn.`,
    );
  });

  it("counts the systems where they are more than two", () => {
    const board = makeBoard(true);
    const rows = [...board.rows, ...board.rows.slice(0, 1)];
    expect(levelWords({ ...board, rows }, board.columns, "rank")).toMatch(
      / all 3 systems have the same rank;/,
    );
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
    signature: "",
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

  it("say in their own row why", () => {
    const board = makeBoard(true);
    const [strict, chatty] = board.rows;
    if (!strict || !chatty) throw new Error("The board lacks its rows.");
    const fewer = { ...strict, n: 99 };
    const short = { ...board, rows: [fewer, chatty] };
    expect(noRankWords(fewer, short)).toBe("no rank: 99 of 100 questions");
    expect(noRankWords(chatty, short)).toBe("");
  });
});
