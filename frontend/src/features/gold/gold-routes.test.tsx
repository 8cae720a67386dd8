/** The gold ledger, as a lead reads it. */
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Ledger } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const LEDGER: Ledger = {
  summary: { original: 2, added: 1, removed: 0, version: "amended-1" },
  judged_gold: {
    judged: 0,
    rejected: 0,
    share: makeFigure(null, { why: "nothing_counted" }),
  },
  conflict_count: 1,
  conflicts: [
    {
      question: "who",
      question_id: "q1",
      accepted: "abraham",
      accepted_id: "a1",
      rejected: "Abraham",
      rejected_id: "a2",
    },
  ],
  count: 0,
  page: 1,
  page_count: 1,
  changes: [],
};

describe("the gold page", () => {
  it("names equal answers that people decided differently, with the way to both", async () => {
    startFakeServer({ ...BASE, "GET /api/projects/nq/gold": LEDGER });
    openApp("/nq/gold");
    expect(await screen.findByText("1 answer rejected, an equal one accepted")).toBeVisible();
    expect(screen.getByRole("link", { name: "abraham" })).toHaveAttribute("href", "/nq/answers/a1");
    expect(screen.getByRole("link", { name: "Abraham" })).toHaveAttribute("href", "/nq/answers/a2");
  });
});
