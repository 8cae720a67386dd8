import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { type Call, startFakeServer } from "../../test/fake-server";
import { makeFigure } from "../../components/figure";
import { makeScore } from "../../test/figures";
import { BASE, makeBoard } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

function systems() {
  const table = screen.getByRole("table", { name: "Scores of systems for each way of judging" });
  return within(table)
    .getAllByRole("checkbox")
    .map((box) => box.getAttribute("aria-label"));
}

describe("the leaderboard", () => {
  it("starts with the best by people and sorts by a press on a heading", async () => {
    startFakeServer({ ...BASE, "GET /api/projects/nq/leaderboard": makeBoard(true) });
    const router = openApp("/nq/leaderboard");
    const table = await screen.findByRole("table", { name: "Scores of systems for each way of judging" });
    expect(systems()).toEqual(["Compare Chatty", "Compare Strict"]);
    await userEvent.click(within(table).getByRole("button", { name: /Exact match/ }));
    await waitFor(() => expect(systems()).toEqual(["Compare Strict", "Compare Chatty"]));
    expect(router.state.location.search).toEqual({ sort: "exact_match:descending" });
  });

  it("lists systems with too few judged answers last, until somebody chooses an order", async () => {
    const board = makeBoard(false);
    const rows = board.rows.map((row) =>
      row.label === "Chatty" ? { ...row, scores: { ...row.scores, human: makeScore(1, { n: 6 }) } } : row,
    );
    startFakeServer({ ...BASE, "GET /api/projects/nq/leaderboard": { ...board, rows } });
    openApp("/nq/leaderboard");
    const table = await screen.findByRole("table", { name: "Scores of systems for each way of judging" });
    expect(systems()).toEqual(["Compare Strict", "Compare Chatty"]);
    expect(within(table).getByRole("rowheader", { name: "Too few judged so far" })).toBeVisible();
    expect(screen.getByText(/Systems with fewer than 30 judged answers come last/)).toBeVisible();
    // The first press turns the order of its column round, the second asks for the highest score.
    for (const order of ["ascending", "descending"]) {
      await userEvent.click(within(table).getByRole("button", { name: /Amended gold/ }));
      await waitFor(() => expect(table.querySelector(`[aria-sort="${order}"]`)).not.toBeNull());
    }
    expect(systems()).toEqual(["Compare Chatty", "Compare Strict"]);
    expect(within(table).queryByRole("rowheader", { name: "Too few judged so far" })).toBeNull();
  });

  it("begins with a picture whose rows say their numbers on focus, hover and tap", async () => {
    startFakeServer({ ...BASE, "GET /api/projects/nq/leaderboard": makeBoard(true) });
    openApp("/nq/leaderboard");
    const chatty = await screen.findByRole("button", { name: "Numbers for Chatty" });
    const strict = screen.getByRole("button", { name: "Numbers for Strict" });
    expect(screen.getByRole("img", { name: "Scores and intervals: Amended gold" })).toBeInTheDocument();
    // The first row until another is asked for, and of that only what people found.
    expect(chatty).toHaveAccessibleDescription(/^Chatty\. Amended gold 80\.0%/);
    expect(chatty).not.toHaveAccessibleDescription(/Exact match/);
    // The room of the longest is held from the beginning, so that nothing below moves.
    const rooms = [...document.querySelectorAll("p[aria-hidden]")].map(({ textContent }) => textContent);
    expect(rooms).toContainEqual(expect.stringMatching(/^\w+\. Amended gold .* Exact match/));
    for (const [act, row] of [
      [() => strict.focus(), strict],
      [() => userEvent.hover(chatty), chatty],
      [() => userEvent.click(strict), strict],
    ] as const) {
      await act();
      await waitFor(() => expect(row).toHaveAttribute("aria-pressed", "true"));
    }
    expect(strict).toHaveAccessibleDescription(/^Strict\. Amended gold 70\.0%.* Exact match 60\.0%/);
  });

  it("keeps in the address whether ranks or scores are drawn", async () => {
    startFakeServer({ ...BASE, "GET /api/projects/nq/leaderboard": makeBoard(true) });
    const router = openApp("/nq/leaderboard?slope=score");
    expect(await screen.findByText("Score of each system (percent)")).toBeVisible();
    await userEvent.click(screen.getByRole("radio", { name: "Ranks" }));
    expect(await screen.findByText("Rank of each system (1 is best)")).toBeVisible();
    expect(router.state.location.search).toEqual({});
  });

  it("says the values of each line of the slopes to whoever reaches it by keyboard", async () => {
    startFakeServer({ ...BASE, "GET /api/projects/nq/leaderboard": makeBoard(true) });
    openApp("/nq/leaderboard");
    const lines = await screen.findByRole("list", { name: "Lines of the chart" });
    const line = within(lines).getByRole("button", { name: "Chatty" });
    act(() => line.focus());
    await waitFor(() => expect(line).toHaveAttribute("aria-pressed", "true"));
    expect(line).toHaveAccessibleDescription("Chatty. Exact match: rank 2; People: rank 1.");
    act(() => line.blur());
    await waitFor(() => expect(line).toHaveAttribute("aria-pressed", "false"));
  });

  it("has one column of ranks, each with its range where others may have it", async () => {
    const board = makeBoard(true);
    const ranks = { Chatty: [1, 1], Strict: [1, 2] } as const;
    const rows = board.rows.map((row) => {
      const [low, high] = ranks[row.label as keyof typeof ranks];
      const human = row.scores["human"];
      const rank = human && { ...human.rank, low, high };
      return human && rank ? { ...row, scores: { ...row.scores, human: { ...human, rank } } } : row;
    });
    startFakeServer({ ...BASE, "GET /api/projects/nq/leaderboard": { ...board, rows } });
    openApp("/nq/leaderboard");
    const table = await screen.findByRole("table", { name: "Scores of systems for each way of judging" });
    expect(within(table).getByRole("columnheader", { name: /^Rank/ })).toHaveTextContent("Rank Amended gold");
    expect(within(table).getByRole("row", { name: /Chatty/ })).toHaveTextContent(/^Chatty180\.0,/);
    expect(within(table).getByRole("row", { name: /Strict/ })).toHaveTextContent(/^Strict2, 1–270\.0,/);
    // Other ways of judging rank, too, and by how much people change that; both are folded away.
    expect(table).not.toHaveTextContent("▲");
    await userEvent.click(within(table).getByRole("button", { name: /Exact match/ }));
    await waitFor(() =>
      expect(within(table).getByRole("columnheader", { name: /^Rank/ })).toHaveTextContent(
        "Rank Exact match",
      ),
    );
  });

  it("says ranks and what changed them in each column where that is asked for", async () => {
    startFakeServer({ ...BASE, "GET /api/projects/nq/leaderboard": makeBoard(true) });
    const router = openApp("/nq/leaderboard");
    const details = await screen.findByRole("checkbox", { name: "Show ranks and details" });
    expect(screen.queryByText(/three ranks higher/)).toBeNull();
    await userEvent.click(details);
    const table = screen.getByRole("table", { name: "Scores of systems for each way of judging" });
    await waitFor(() => expect(within(table).getByRole("row", { name: /Chatty/ })).toHaveTextContent("▲"));
    expect(within(table).queryByRole("columnheader", { name: /^Rank/ })).toBeNull();
    expect(screen.getByText(/“1 ▲3” means rank 1, three ranks higher than by exact match\./)).toBeVisible();
    expect(router.state.location.search).toEqual({ details: "ranks" });
    await userEvent.click(details);
    await waitFor(() => expect(router.state.location.search).toEqual({}));
  });

  it("counts questions by system only where some answered fewer, who have no rank", async () => {
    const board = makeBoard(true);
    const rows = board.rows.map((row) =>
      row.label === "Strict"
        ? { ...row, n: 99, scores: { ...row.scores, human: makeScore(0.7, { n: 99 }) } }
        : row,
    );
    startFakeServer({ ...BASE, "GET /api/projects/nq/leaderboard": { ...board, rows } });
    openApp("/nq/leaderboard");
    const table = await screen.findByRole("table", { name: "Scores of systems for each way of judging" });
    expect(within(table).getByRole("columnheader", { name: "n" })).toBeVisible();
    expect(within(table).getByRole("row", { name: /Strict/ })).toHaveTextContent(
      /^Strictno rank: 99 of 100 questions–99/,
    );
  });

  it("shows the dashes of the slopes in their key where systems share a color", async () => {
    const board = makeBoard(true);
    const rows = ["A", "B", "C", "D", "E"].flatMap((label) =>
      board.rows.slice(0, 1).map((row) => ({ ...row, system: label, label })),
    );
    const server = {
      ...BASE,
      "GET /api/projects/nq/leaderboard": { ...board, rows: [...board.rows, ...rows] },
    };
    startFakeServer(server);
    openApp("/nq/leaderboard?slope=score");
    const lines = await screen.findByRole("list", { name: "Lines of the chart" });
    expect(lines.querySelectorAll("line[stroke-dasharray]")).toHaveLength(1);
  });

  it("shows the interval of a difference, never the one of the score it comes from", async () => {
    const board = makeBoard(true);
    const gain = makeFigure(0.6, { low: 0.5, high: 0.69 });
    const relative = makeFigure(3, { low: 2, high: 5 });
    const rows = board.rows.map((row) => {
      const human = row.scores["human"];
      if (row.system !== "Chatty" || !human) return row;
      return { ...row, scores: { ...row.scores, human: { ...human, gain, relative } } };
    });
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/leaderboard": ({ query }: Call) =>
        query.includes("compared=exact_match") ? { ...board, rows } : board,
    });
    openApp("/nq/leaderboard?compare=exact_match&columns=human");
    const table = await screen.findByRole("table", { name: "Scores of systems for each way of judging" });
    const chatty = within(table).getByRole("row", { name: /Chatty/ });
    await waitFor(() => expect(chatty).toHaveTextContent("+60.0, 95% interval +50.0 to +69.0"));
    const strict = within(table).getByRole("row", { name: /Strict/ });
    expect(strict).toHaveTextContent("+10.0");
    expect(strict).not.toHaveTextContent("interval");
    await userEvent.selectOptions(screen.getByLabelText("Show as"), "exact_match~relative");
    await waitFor(() => expect(chatty).toHaveTextContent("+300.0, 95% interval +200.0 to +500.0"));
  });

  it("says that scores of a few questions are counts", async () => {
    const board = makeBoard(true);
    startFakeServer({ ...BASE, "GET /api/projects/nq/leaderboard": { ...board, n_questions: 2 } });
    openApp("/nq/leaderboard");
    expect(await screen.findByText("Only 2 questions")).toBeVisible();
  });

  it("gives no rank by people and says why until all is decided", async () => {
    startFakeServer({ ...BASE, "GET /api/projects/nq/leaderboard": makeBoard(false) });
    openApp("/nq/leaderboard");
    expect(await screen.findByText(/So far, 50% of each system’s answers are decided/)).toBeVisible();
    expect(screen.getByRole("columnheader", { name: "Decided and range" })).toBeVisible();
    expect(screen.getByText("50.0–90.0")).toBeVisible();
    // Below the table, and below the slopes.
    expect(screen.getAllByText(makeBoard(false).signature)).toHaveLength(2);
  });

  it("highlights no leader and draws no change to people before the first decision", async () => {
    const board = makeBoard(false);
    const rows = board.rows.map((row) => ({ ...row, decided_share: 0 }));
    startFakeServer({ ...BASE, "GET /api/projects/nq/leaderboard": { ...board, rows } });
    openApp("/nq/leaderboard");
    expect(
      await screen.findByText(
        /^Too early to say\. The best system appears here when all answers are decided\./,
      ),
    ).toBeVisible();
    for (const row of await screen.findAllByRole("button", { name: /^Numbers for/ }))
      expect(row).toHaveAttribute("aria-pressed", "false");
    expect(screen.queryByText("50.0–90.0")).toBeNull();
    expect(
      screen.queryByRole("heading", { name: "Changes from exact match to people’s decisions" }),
    ).toBeNull();
    expect(screen.queryByRole("heading", { name: "Plan more labels" })).toBeNull();
  });

  it("puts two chosen systems into a sentence that can be shared", async () => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/leaderboard": makeBoard(true),
      "GET /api/projects/nq/leaderboard/pairs": {
        signature: "human|compared:systems two by two|seed:1",
        pairs: [
          {
            first: "Strict",
            second: "Chatty",
            rows: 100,
            difference: makeFigure(-0.1, { low: -0.16, high: -0.04 }),
            p_value: 0.01,
            is_distinguishable: true,
            first_only: 3,
            second_only: 13,
            mcnemar_p: 0.021,
          },
        ],
      },
    });
    openApp("/nq/leaderboard?pair=Strict~Chatty&columns=human");
    const [sentence] = await screen.findAllByText(/Amended gold: Chatty is 10.0 points above Strict/);
    expect(sentence).toBeVisible();
    expect(sentence).toHaveTextContent(
      "Only Chatty is correct on 13 questions, and only Strict on 3 (McNemar’s",
    );
    expect(screen.getByText("human|compared:systems two by two|seed:1")).toBeInTheDocument();
  });

  it("says how many pairs cannot be told apart, and lists them once it is opened", async () => {
    const pair = (first: string, second: string, is_distinguishable: boolean) => ({
      first,
      second,
      rows: 100,
      difference: makeFigure(-0.03, { low: -0.07, high: 0.01 }),
      p_value: 0.21,
      is_distinguishable,
      first_only: 3,
      second_only: 6,
      mcnemar_p: 0.5,
    });
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/leaderboard": makeBoard(true),
      "GET /api/projects/nq/leaderboard/pairs": {
        signature: "human|compared:systems two by two",
        pairs: [pair("Strict", "Chatty", false), pair("Strict", "Third", true)],
      },
    });
    openApp("/nq/leaderboard");
    expect(
      await screen.findByText(
        /^According to “Amended gold,” 1 of 2 pairs of systems does not differ significantly/,
      ),
    ).toBeVisible();
    await userEvent.click(screen.getByText("View pairs with a significant difference"));
    const apart = await screen.findByRole("table", {
      name: "Pairs with a significant difference by Amended gold",
    });
    expect(within(apart).getAllByRole("row")).toHaveLength(2);
    expect(within(apart).getByRole("row", { name: /Third/ })).toBeVisible();
    await userEvent.click(screen.getByText("View pairs without a significant difference"));
    const table = await screen.findByRole("table", {
      name: "Pairs without a significant difference by Amended gold",
    });
    expect(within(table).getAllByRole("row")).toHaveLength(2);
    expect(within(table).getByRole("row", { name: /Chatty and Strict/ })).toHaveTextContent(
      "+3.0, 95% interval −1.0 to +7.00.210100",
    );
    expect(screen.getAllByRole("button", { name: /Save as CSV: pairs-of-systems/ })[0]).toBeEnabled();
  });
});
