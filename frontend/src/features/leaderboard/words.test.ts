import { describe, expect, it } from "vitest";
import type { Leaderboard, LeaderboardColumn, SystemRow } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { makeBarelyDecided, makeBoard } from "../../test/lead-cast";
import { baselineColumn, humanColumn } from "./standings";
import {
  decidedWords,
  gainWords,
  headline,
  levelWords,
  noRankWords,
  promiseWords,
  rankLegend,
  turnedWords,
  unrankedWords,
} from "./words";

/** The board with what people's ranks lie between, from the best to the worst that each system may have. */
function sure(board: Leaderboard, ranks: Readonly<Record<string, readonly [number, number]>>): Leaderboard {
  const key = humanColumn(board.columns, board.rows)?.key ?? "";
  const rows = board.rows.map((row) => {
    const score = row.scores[key];
    const [low, high] = ranks[row.label] ?? [null, null];
    if (!score) return row;
    return { ...row, scores: { ...row.scores, [key]: { ...score, rank: { ...score.rank, low, high } } } };
  });
  return { ...board, rows };
}

describe("the headline", () => {
  it("names no best system before the first decision, whoever leads by exact match", () => {
    const board = makeBoard(false);
    const open = { ...board, rows: board.rows.map((row) => ({ ...row, decided_share: 0 })) };
    expect(headline(open)).toBe(
      "Too early to say. The best system appears here when all answers are decided. So far, none are.",
    );
    expect(headline(board)).not.toContain("alone");
  });

  it("names the system that leads by people once no other can be first", () => {
    expect(headline(sure(makeBoard(true), { Chatty: [1, 1], Strict: [2, 2] }))).toMatch(
      /^According to people’s decisions, Chatty leads: 80\.0% of 100 questions correct \(95% interval 75\.0 to 85\.0\)\./,
    );
  });

  it("claims no lead that the page’s own test cannot tell", () => {
    expect(headline(sure(makeBoard(true), { Chatty: [1, 2], Strict: [1, 2] }))).toMatch(
      /^According to people’s decisions, Chatty has the highest score but is not significantly better than 1 other: 80\.0% of 100 questions correct \(95% interval 75\.0 to 85\.0\)\./,
    );
  });

  it("claims no lead while the test is still being computed, nor where there is none", () => {
    const words =
      /^According to people’s decisions, Chatty has the highest score: 80\.0% of 100 questions correct \(95% interval 75\.0 to 85\.0\)\./;
    expect(headline(makeBoard(true))).toMatch(words);
    expect(headline(sure(makeBoard(true), {}))).toMatch(words);
  });

  it("names no gain over exact match that tells of the answers’ length", () => {
    const board = makeBoard(true);
    const gains = (of: Leaderboard) =>
      gainWords(of, baselineColumn(of.columns), humanColumn(of.columns, of.rows));
    expect(gains(board)).toContain("People’s decisions raise Chatty’s score the most");
    const rows = board.rows.map((row) => ({ ...row, has_long_answers: row.label === "Chatty" }));
    expect(gains({ ...board, rows })).toContain(
      "Among systems with short answers, people’s decisions raise Strict’s score the most: by 10.0 points",
    );
  });

  it("gives the leader’s score, not the higher one of a system that answered fewer questions", () => {
    const board = makeBoard(true);
    const [strict, chatty] = board.rows;
    const human = chatty?.scores["human"];
    if (!strict || !chatty || !human) throw new Error("The board lacks its rows.");
    const fewer = {
      ...strict,
      scores: { ...strict.scores, human: { ...human, value: 0.9, rank: makeFigure(null) } },
    };
    expect(headline(sure({ ...board, rows: [{ ...fewer, n: 99 }, chatty] }, { Chatty: [1, 1] }))).toMatch(
      /^According to people’s decisions, Chatty leads: 80\.0% of 100 questions correct \(95% interval 75\.0 to 85\.0\)\. Strict has a higher score \(90\.0%\) but answered only 99 of 100 questions\. Ranks compare systems on the same questions\./,
    );
    const lower = {
      ...fewer,
      scores: { ...fewer.scores, human: { ...human, value: 0.7, rank: makeFigure(null) } },
    };
    expect(headline({ ...board, rows: [lower, chatty] })).not.toContain("has a higher score");
  });

  it("names no leader of a handful of questions", () => {
    expect(headline({ ...makeBoard(true), n_questions: 2 })).toBe(
      "2 questions decided by people. At least 10 are needed to say which system leads.",
    );
  });

  it("names no leader of systems that answered different questions", () => {
    const board = makeBoard(true);
    const unranked = (score: SystemRow["scores"][string]) => score && { ...score, rank: makeFigure(null) };
    const rows = board.rows.map((row) => ({
      ...row,
      n: 50,
      scores: Object.fromEntries(
        Object.entries(row.scores).map(([key, own]) => [key, unranked(own ?? null)]),
      ),
    }));
    expect(headline({ ...board, rows })).toBe(
      "2 systems on 100 questions. There is no leader because the systems did not answer the same questions.",
    );
    expect(unrankedWords({ ...board, rows })).toMatch(
      /^There are no ranks because systems answered different questions/,
    );
  });

  it("calls systems level that share the first rank", () => {
    const board = makeBoard(true);
    const best = board.rows[1]?.scores["human"] ?? null;
    const rows = board.rows.map((row) => ({ ...row, scores: { ...row.scores, human: best } }));
    expect(headline({ ...board, rows })).toMatch(
      /^According to people’s decisions, Strict and Chatty are tied: 80\.0%/,
    );
  });
});

describe("the headline of a study in which programs settled answers", () => {
  const corrected = { ...makeBoard(true).columns[1], key: "corrected", name: "Corrected by the audit" };
  const columns = [...makeBoard(true).columns.slice(0, 1), corrected] as LeaderboardColumn[];
  const rows = makeBoard(true).rows.map((row) => ({
    ...row,
    scores: { ...row.scores, corrected: row.scores["human"] ?? null },
  }));
  const board = { ...makeBoard(true), columns, rows, programs_share: 0.8, judged_questions: 30 };

  it("speaks of the audit and not of people alone", () => {
    expect(headline(board)).toMatch(
      /^After correction by the audit, Chatty has the highest score: 80\.0% of 100 questions correct \(95% interval/,
    );
    expect(headline(board)).toMatch(/Automatic judges helped settle 80\.0% of the systems’ answers\.$/);
    expect(promiseWords(board)).toMatch(
      /^From the audit, Assay estimates the automatic judges’ average error for each system and subtracts it\. Only the intervals/,
    );
    expect(headline(board)).not.toContain("ccording to people");
    expect(headline(board)).not.toContain("are scored by exact match");
  });

  it("claims no lead that the ranks cannot tell", () => {
    const among = sure(board, { Chatty: [1, 2], Terse: [1, 2] });
    expect(headline(among)).toMatch(
      /^After correction by the audit, Chatty has the highest score but is not significantly better than 1 other: 80\.0% of 100 questions/,
    );
    expect(headline(sure(board, { Chatty: [1, 1] }))).toMatch(
      /^After correction by the audit, Chatty leads: 80\.0/,
    );
  });

  it("names no leader where no audit says how often programs were wrong", () => {
    const unknown = rows.map((row) => ({ ...row, scores: { ...row.scores, corrected: null } }));
    expect(headline({ ...board, rows: unknown })).toMatch(
      /^2 systems on 100 questions\. Automatic judges helped settle 80\.0% of the systems’ answers\. No score has a guaranteed interval, because too few of the settled answers were audited to estimate the automatic judges’ error rate\.$/,
    );
    const open = { ...board, rows: unknown, all_decided: false };
    expect(headline(open)).toMatch(/Automatic judges helped settle 80\.0% .* No score is final yet\.$/);
    expect(promiseWords(open)).toMatch(
      /^No score has a guaranteed interval yet: people have not decided all answers, and those decided first are not a random sample\./,
    );
  });

  it("says whose scores are final while those of other systems are not", () => {
    const some = rows.map((row) =>
      row.label === "Chatty" ? row : { ...row, scores: { ...row.scores, corrected: null } },
    );
    const open = { ...board, rows: some, all_decided: false };
    expect(headline(open)).toMatch(/Only the score of Chatty is final\.$/);
    expect(promiseWords(open)).toMatch(
      /No other score has a guaranteed interval yet: people have not decided all answers from Strict, and those decided first are not a random sample\. From the audit/,
    );
    expect(headline({ ...board, rows: some })).toMatch(/Only the score of Chatty is final\.$/);
    expect(promiseWords({ ...board, rows: some })).toMatch(
      /No other score has a guaranteed interval, because too few of the settled answers from Strict were audited/,
    );
  });

  it("counts systems with final scores rather than name many, and names them below", () => {
    const many = ["A", "B", "C", "D", "E", "F"].flatMap((label) =>
      rows.slice(0, 1).map((row) => ({
        ...row,
        label,
        system: label,
        scores: label === "F" ? { ...row.scores, corrected: null } : row.scores,
      })),
    );
    const open = { ...board, rows: many, all_decided: false };
    expect(headline(open)).toMatch(/5 of 6 systems have final scores\.$/);
    // Three lines of a window of 1366 pixels have that many letters.
    expect(headline(open).length).toBeLessThan(240);
    expect(promiseWords(open)).toContain("Only the scores of A, B, C, D and E are final.");
    expect(promiseWords({ ...board, programs_share: 0 })).toBe("");
  });
});

describe("the headline of a study of which people judged a part", () => {
  it("says how much is judged before it names who leads by what is not", () => {
    const board = { ...makeBoard(true), judged_questions: 30 };
    expect(headline(sure(board, { Chatty: [1, 1] }))).toMatch(
      /^People have judged 30 of 100 questions so far\. Answers to the other questions are scored by exact match with amended gold\. According to these decisions, Chatty leads: 80\.0% of 100 questions correct \(95% interval 75\.0 to 85\.0\)\./,
    );
  });

  it("counts questions where decisions are still to come, too", () => {
    const board = { ...makeBoard(false), judged_questions: 30 };
    expect(headline(board)).toMatch(
      /^Too early to say\. .* So far, 50% of each system’s answers are decided, on 30 of 100 q/,
    );
    expect(headline(makeBoard(false))).not.toContain("of 100 questions");
  });
});

describe("the headline while little is decided", () => {
  it("says what the first column is of and names nobody", () => {
    const board = makeBarelyDecided(0.05);
    expect(headline(board)).toMatch(
      /^People have decided 5% of the systems’ answers, on 30 of 100 questions\. The first column covers only these answers\. In “Amended gold,” exact match judges undecided answers\.$/,
    );
    expect(headline(sure(makeBarelyDecided(0.8), { Chatty: [1, 1] }))).toContain("Chatty leads");
  });
});

describe("the share that is decided", () => {
  it("is not called all while some are left", () => {
    expect([0.05, 0.998, 0.99999, 1].map(decidedWords)).toEqual(["5%", "99.8%", "nearly 100%", "100%"]);
    const rows = makeBoard(false).rows.map((row) => ({ ...row, decided_share: 0.998 }));
    expect(headline({ ...makeBoard(false), rows })).toMatch(/ So far, 99\.8% of each/);
  });
});

describe("a slope that is level", () => {
  it("is said of the ways of judging that it would go through, not of mean F1 beside them", () => {
    const board = makeBoard(true);
    const [exact, human] = board.columns;
    if (!exact || !human) throw new Error("The board lacks its columns.");
    const f1 = { ...exact, key: "token_f1", name: "Token F1", unit: "f1" as const };
    const words =
      "There is no chart because both systems have the same score by Exact match and Amended gold.";
    expect(levelWords(board, [exact, human], "score")).toBe(words);
    const columns = [exact, f1, human];
    expect(levelWords({ ...board, columns }, [exact, human], "score")).toBe(
      `${words} Mean F1 is not shown because it has a different unit.`,
    );
  });

  it("counts the systems where they are more than two", () => {
    const board = makeBoard(true);
    const rows = [...board.rows, ...board.rows.slice(0, 1)];
    expect(levelWords({ ...board, rows }, board.columns, "rank")).toMatch(
      /all 3 systems have the same rank by/,
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
    gain: makeFigure((after - before) / 100),
  });
  const found = (systems: ReturnType<typeof move>[], pending = 0) => ({
    signature: "",
    systems,
    pending,
    right_count: 0,
    wrong_count: 0,
    count: 0,
    before: 0,
    previous: null,
    next: null,
    turned: [],
  });

  it("names whom it moves most and least", () => {
    expect(turnedWords(found([move("A", 50, 49), move("B", 20, 80)]))).toBe(
      "The amended gold answers change scores by \u22121.0 (A) to +60.0 points (B).",
    );
  });

  it("gives the corrected gains where an audit corrects scores, and no others", () => {
    const board = makeBoard(true);
    const rows = board.rows.map((row) => ({
      ...row,
      scores: { ...row.scores, corrected: row.scores["human"] ?? null },
    }));
    expect(turnedWords(found([move("Strict", 50, 49), move("Chatty", 20, 70)]), { ...board, rows })).toBe(
      "After correction by the audit, people’s decisions change scores by +10.0 (Strict) to +60.0 points (Chatty).",
    );
  });

  it("compares nobody where there is one system", () => {
    expect(turnedWords(found([move("A", 50, 60)], 2))).toBe(
      "The amended gold answers change the score of A by +10.0 points. 2 system answers are undecided.",
    );
    expect(turnedWords(found([move("A", 50, 60)], 1))).toContain("1 system answer is undecided.");
  });

  it("says so where nothing changed, or nothing is there", () => {
    expect(turnedWords(found([move("A", 50, 50)]))).toBe(
      "The amended gold answers have not changed any score.",
    );
    expect(turnedWords(found([]))).toBe("");
  });
});

describe("systems without a rank", () => {
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

describe("the marks of the table", () => {
  const board = makeBoard(true);
  const baseline = board.columns.find(({ key }) => key === "exact_match") ?? null;

  it("are explained where they are", () => {
    expect(rankLegend(board, { columns: board.columns, baseline })).toMatch(
      /^“1 ▲3” means rank 1, three ranks higher than by exact match. ▼ means a lower/,
    );
    expect(rankLegend(board, { columns: board.columns, baseline: null })).toBe("");
  });

  it("are not where there are none", () => {
    expect(rankLegend({ rows: [] }, { columns: board.columns, baseline })).toBe("");
  });
});
