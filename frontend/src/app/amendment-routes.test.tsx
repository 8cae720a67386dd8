/** Before and after amendment, as a lead reads it. */
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Amendments } from "../api/contract";
import { startFakeServer } from "../test/fake-server";
import { BASE, makeBoard } from "../test/lead-cast";
import { openApp } from "../test/open-app";

const BOARD = "GET /api/projects/nq/leaderboard";
const AMENDMENTS = "GET /api/projects/nq/leaderboard/amendments";

const FOUND: Amendments = {
  systems: [
    { system: "Strict", label: "Strict", n: 100, before: 60, after: 70, turned_right: 11, turned_wrong: 1 },
    { system: "Chatty", label: "Chatty", n: 100, before: 20, after: 80, turned_right: 60, turned_wrong: 0 },
  ],
  pending: 0,
  right_count: 1,
  wrong_count: 0,
  count: 1,
  page: 1,
  page_count: 1,
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

describe("before and after", () => {
  it("opens with whom it moves most, and every answer opens its history and its place in the ledger", async () => {
    startFakeServer({ ...BASE, [BOARD]: makeBoard(true), [AMENDMENTS]: FOUND });
    openApp("/nq/leaderboard/amendments");
    expect(await screen.findByText(/Amendment moves Chatty most, by \+60.0 points/)).toBeVisible();
    const turned = screen.getByRole("table", { name: "Answers that amendment turned right or wrong" });
    expect(within(turned).getByRole("link", { name: /Dave Gahan/ })).toHaveAttribute(
      "href",
      "/nq/answers/a1",
    );
    expect(within(turned).getByRole("link", { name: "added" })).toHaveAttribute(
      "href",
      "/nq/gold?question=q1",
    );
    const drawn = await screen.findByRole("table", { name: "From Exact match to Amended gold" });
    expect(within(drawn).getByRole("row", { name: /Chatty/ })).toHaveTextContent("20.080.0+60.0300");
  });

  it("asks for the answers of one system", async () => {
    const calls = startFakeServer({ ...BASE, [BOARD]: makeBoard(true), [AMENDMENTS]: FOUND });
    const router = openApp("/nq/leaderboard/amendments");
    await userEvent.selectOptions(await screen.findByLabelText("Of"), "Strict");
    expect(router.state.location.search).toEqual({ system: "Strict" });
    expect(calls.some(({ query }) => query.includes("system=Strict"))).toBe(true);
  });

  it("says what it needs before there are answers, and that nothing turned yet", async () => {
    startFakeServer({ ...BASE, [BOARD]: makeBoard(true), [AMENDMENTS]: { ...FOUND, systems: [] } });
    openApp("/nq/leaderboard/amendments");
    expect(await screen.findByText("What people change will be seen here")).toBeVisible();
  });

  it("says that nothing has turned yet", async () => {
    const none = { ...FOUND, count: 0, turned: [], pending: 7 };
    startFakeServer({ ...BASE, [BOARD]: makeBoard(false), [AMENDMENTS]: none });
    openApp("/nq/leaderboard/amendments");
    expect(await screen.findByText(/No answer has turned yet; 7 answers of systems/)).toBeVisible();
  });
});
