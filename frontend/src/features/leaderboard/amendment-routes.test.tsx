/** Original and amended gold, as a lead reads it. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Amendments, BeyondExactMatch, SystemMove } from "../../api/schema";
import { type Call, FakeError, startFakeServer } from "../../test/fake-server";
import { makeFigure } from "../../components/figure";
import { BASE, makeBoard } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const BOARD = "GET /api/projects/nq/leaderboard";
const AMENDMENTS = "GET /api/projects/nq/leaderboard/amendments";

/** The board, with gains over exact match once they are asked for. */
const replyBoard = ({ query }: Call) => {
  const board = makeBoard(true);
  if (!query.includes("compared=exact_match")) return board;
  const rows = board.rows.map((row) => {
    const human = row.scores["human"];
    const gain = makeFigure(0.6, { low: 0.5, high: 0.69 });
    const relative = makeFigure(3, { low: 2, high: 5 });
    return human ? { ...row, scores: { ...row.scores, human: { ...human, gain, relative } } } : row;
  });
  return { ...board, rows };
};

const refuseIntervals =
  (points: unknown) =>
  ({ query }: Call) =>
    query.includes("intervals=true") ? new FakeError(500, "broken", "Something went wrong.") : points;

function makeMove(label: string, before: number, after: number, turned_wrong: number): SystemMove {
  const gain = makeFigure((after - before) / 100, { low: 0.51, high: 0.68 });
  const turned_right = after - before + turned_wrong;
  return { system: label, label, n: 100, before, after, turned_right, turned_wrong, gain };
}

const FOUND: Amendments = {
  signature: "amendments|gold:original to amended|seed:1",
  systems: [makeMove("Strict", 60, 70, 1), makeMove("Chatty", 20, 80, 0)],
  pending: 0,
  right_count: 1,
  wrong_count: 0,
  count: 1,
  before: 0,
  previous: null,
  next: null,
  turned: [
    {
      question: "q1",
      question_text: "who sings in depeche mode",
      answer: "a1",
      text: "Dave Gahan",
      is_right: true,
      systems: ["Strict", "Chatty"],
      changes: ["g1"],
    },
  ],
};

const BEYOND_ADDRESS = "GET /api/projects/nq/leaderboard/beyond";

function makeBeyond(key: string, rejected: number, definite: number, possible: number) {
  const share = (count: number) => {
    if (rejected === 0) return makeFigure(null, { why: "nothing_sampled" });
    return makeFigure(count / rejected, { low: count / rejected - 0.01, high: count / rejected + 0.01 });
  };
  const figures = {
    definitely: share(definite),
    possibly: share(possible),
    either: share(definite + possible),
  };
  return { key, name: key, counts: { rejected, decided: rejected, definite, possible }, figures };
}

const BEYOND: BeyondExactMatch = {
  weighed: false,
  has_possible: true,
  signature: "human|rejected:exact_match",
  systems: [makeBeyond("Strict", 40, 10, 4), makeBeyond("Chatty", 80, 60, 2)],
  predictions: makeBeyond("All systems", 120, 70, 6),
  answers: makeBeyond("Each distinct answer once", 100, 50, 6),
};

const NO_BEYOND: BeyondExactMatch = {
  ...BEYOND,
  systems: [],
  predictions: makeBeyond("All systems", 0, 0, 0),
  answers: makeBeyond("Each distinct answer once", 0, 0, 0),
};

describe("before and after", () => {
  it("opens with whom it moves most, and every answer opens its history and its place in the ledger", async () => {
    const replies = { [AMENDMENTS]: FOUND, [BEYOND_ADDRESS]: BEYOND };
    startFakeServer({ ...BASE, [BOARD]: replyBoard, ...replies });
    openApp("/nq/leaderboard/amendments");
    expect(
      await screen.findByText(/The amended gold answers change scores by .* to \+60.0 points \(Chatty\)/),
    ).toBeVisible();
    const turned = screen.getByRole("table", {
      name: "Answers that became correct or incorrect through amendment",
    });
    expect(within(turned).getByRole("link", { name: /Dave Gahan/ })).toHaveAttribute(
      "href",
      "/nq/answers/a1",
    );
    expect(within(turned).getByRole("link", { name: "added" })).toHaveAttribute(
      "href",
      "/nq/gold?question=q1",
    );
    const drawn = await screen.findByRole("table", { name: "Changes from Exact match to Amended gold" });
    const chatty = within(drawn).getByRole("row", { name: /Chatty/ });
    expect(chatty).toHaveTextContent("+60.0, 95% interval +50.0 to +69.0");
    expect(chatty).toHaveTextContent("+300, 95% interval +200 to +500");
    expect(chatty).toHaveTextContent("80 of 100, 95% interval");
    const moves = screen.getByRole("table", { name: "Changed answers by system" });
    expect(within(moves).getByRole("row", { name: /Chatty/ })).toHaveTextContent("interval +51.0 to +68.0");
    // Two tables have gains of one system: each says over what, where phones show it.
    const secondOf = (table: HTMLElement) => within(table).getAllByRole("columnheader")[1];
    expect(secondOf(moves)).toHaveTextContent("Gain from amendment (points)");
    expect(secondOf(drawn)).toHaveTextContent("Gain over Exact match (points)");
    expect(screen.getAllByText(/Differences cover only questions with both scores/)).toHaveLength(1);
    // Of moves and of answers that turned; of the scores before and after, which are the leaderboard's.
    expect(screen.getAllByText(FOUND.signature)).toHaveLength(2);
    expect(screen.getAllByText(makeBoard(true).signature)).toHaveLength(1);
    expect(screen.getAllByText(BEYOND.signature)).toHaveLength(1);
  });

  it("shows the points where their intervals could not be computed, and says so", async () => {
    startFakeServer({
      ...BASE,
      [BOARD]: refuseIntervals(makeBoard(true)),
      [AMENDMENTS]: refuseIntervals(FOUND),
      [BEYOND_ADDRESS]: BEYOND,
    });
    openApp("/nq/leaderboard/amendments");
    const drawn = await screen.findByRole("table", { name: "Changes from Exact match to Amended gold" });
    expect(within(drawn).getByRole("row", { name: /Strict/ })).toHaveTextContent(/^Strict\+10\.0.*–$/);
    const failures = () =>
      screen.getAllByText(/Intervals for differences could not be computed. Reload the page to try again/);
    await waitFor(() => expect(failures()).toHaveLength(2));
  });

  it("gives one gain of a system where an audit corrects scores, and says of shares that they are weighted", async () => {
    const board = makeBoard(true);
    const corrected = {
      ...board,
      programs_share: 0.4,
      columns: board.columns.map((column) =>
        column.key === "human" ? { ...column, key: "corrected", name: "Corrected by the audit" } : column,
      ),
      rows: board.rows.map((row) => ({
        ...row,
        scores: { ...row.scores, human: null, corrected: row.scores["human"] ?? null },
      })),
    };
    startFakeServer({
      ...BASE,
      [BOARD]: corrected,
      [AMENDMENTS]: FOUND,
      [BEYOND_ADDRESS]: { ...BEYOND, weighed: true },
    });
    openApp("/nq/leaderboard/amendments");
    expect(
      await screen.findByText(/After correction by the audit, people’s decisions change scores by/),
    ).toBeVisible();
    expect(
      await screen.findByRole("table", { name: "Changes from Exact match to Corrected by the audit" }),
    ).toBeVisible();
    const moves = screen.getByRole("table", { name: "Changed answers by system" });
    expect(within(moves).queryByRole("columnheader", { name: /Gain/ })).toBeNull();
    expect(screen.getByText(/These are plain counts of answers that match a gold answer/)).toBeVisible();
    expect(
      screen.getByText(/People would accept an estimated .* so they do not match the counts\./),
    ).toBeVisible();
  });

  it("says that exact match stands in for people only of the score in which it does", async () => {
    const board = { ...makeBoard(true), judged_questions: 34 };
    const asked = board.columns.map((column) => {
      const isHuman = column.key === "human";
      return isHuman
        ? { ...column, key: "human_decided", gold: "", name: "People, decided answers" }
        : column;
    });
    const rows = board.rows.map((row) => ({
      ...row,
      scores: { ...row.scores, human_decided: row.scores["human"] ?? null },
    }));
    startFakeServer({
      ...BASE,
      [BOARD]: { ...board, columns: [...board.columns, ...asked.slice(1)], rows },
      [AMENDMENTS]: FOUND,
      [BEYOND_ADDRESS]: BEYOND,
    });
    openApp("/nq/leaderboard/amendments");
    const choice = await screen.findByLabelText("Compare with");
    expect(
      screen.getByText(/^People have judged 34 of .* scored by exact match with amended gold\.$/),
    ).toBeVisible();
    await userEvent.selectOptions(choice, "People, decided answers");
    expect(await screen.findByText(/^People have judged 34 of [\d,]+ questions so far\.$/)).toBeVisible();
    expect(screen.queryByText(/scored by exact match with amended gold/)).toBeNull();
  });

  it("asks for the answers of one system", async () => {
    const calls = startFakeServer({
      ...BASE,
      [BOARD]: makeBoard(true),
      [AMENDMENTS]: FOUND,
      [BEYOND_ADDRESS]: BEYOND,
    });
    const router = openApp("/nq/leaderboard/amendments");
    await userEvent.selectOptions(await screen.findByLabelText("Answers from"), "Strict");
    expect(router.state.location.search).toEqual({ system: "Strict" });
    expect(calls.some(({ query }) => query.includes("system=Strict"))).toBe(true);
  });

  it("says what it needs before there are answers, and that nothing turned yet", async () => {
    const found = { ...FOUND, systems: [] };
    startFakeServer({
      ...BASE,
      [BOARD]: makeBoard(true),
      [AMENDMENTS]: found,
      [BEYOND_ADDRESS]: NO_BEYOND,
    });
    openApp("/nq/leaderboard/amendments");
    expect(await screen.findByText("Changes to the gold list appear here")).toBeVisible();
  });

  it("says that nothing has turned yet", async () => {
    const none = { ...FOUND, count: 0, turned: [], pending: 7 };
    startFakeServer({ ...BASE, [BOARD]: makeBoard(false), [AMENDMENTS]: none, [BEYOND_ADDRESS]: NO_BEYOND });
    openApp("/nq/leaderboard/amendments");
    expect(await screen.findByText(/No answer has changed yet, and 7 system answers/)).toBeVisible();
  });

  it("says what people accept of the answers that exact match rejects", async () => {
    startFakeServer({
      ...BASE,
      [BOARD]: makeBoard(true),
      [AMENDMENTS]: FOUND,
      [BEYOND_ADDRESS]: BEYOND,
    });
    openApp("/nq/leaderboard/amendments");
    expect(
      await screen.findByText(
        /Exact match rejects 100 distinct answers\. People have decided all of them\. Of those, they labeled 50.0%/,
      ),
    ).toBeVisible();
    const table = screen.getByRole("table", {
      name: /^People’s decisions on answers that exact match rejects/,
    });
    expect(
      within(table)
        .getAllByRole("rowheader")
        .map((cell) => cell.textContent),
    ).toEqual(["Strict", "Chatty", "All systems", "Each distinct answer once"]);
    expect(within(table).getByRole("row", { name: /Strict/ })).toHaveTextContent(
      "404025.0, 95% interval 24.0 to 26.0",
    );
    // What the page's first sentence sums up comes first, the long lists last.
    await screen.findByRole("heading", { name: "Changed answers by system" });
    expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      "Changed answers by system",
      "Scores before and after people’s decisions",
      "Answers that people accept but exact match rejects",
      "Changed answers",
    ]);
  });

  it("shows the answers of a study without systems, in one column where labels are two", async () => {
    startFakeServer({
      ...BASE,
      [BOARD]: makeBoard(true),
      [AMENDMENTS]: { ...FOUND, systems: [] },
      [BEYOND_ADDRESS]: {
        ...BEYOND,
        has_possible: false,
        systems: [],
        answers: { ...BEYOND.answers, figures: { accepted: makeFigure(0.5) } },
      },
    });
    openApp("/nq/leaderboard/amendments");
    expect(await screen.findByText(/and accepted 50.0% of those/)).toBeVisible();
    expect(screen.getByRole("columnheader", { name: "People accept (%)" })).toBeVisible();
    expect(screen.queryByText("Changes to the gold list appear here")).toBeNull();
  });
});
