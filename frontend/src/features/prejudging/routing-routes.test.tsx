import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { RoutingReplay, RoutingState } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { bodiesOf } from "../../test/fake-server";
import { LEARNED, openPrejudging } from "../../test/prejudging-cast";

const OFF: RoutingState = { runs: [LEARNED], why_not: "", judged: 200, rules: [], figures: null };

const ROW = {
  labels_an_answer: 1.25,
  fixed: 2.14,
  stopped_share: 0.8,
  same_share: makeFigure(0.984, { low: 0.97, high: 0.995 }),
};

const REPLAY: RoutingReplay = {
  run: "a",
  audit_share: 0.05,
  answers: 200,
  why_not: "",
  rows: [
    { ...ROW, threshold: null },
    { ...ROW, threshold: 0.9, labels_an_answer: 1.4 },
  ],
  signature: "routing|of:answers judged in full",
};

const ON: RoutingState = {
  ...OFF,
  rules: [
    {
      id: "r",
      number: 1,
      text: "one annotator and Learned judge, at least 90% sure",
      run: "a",
      signature: "judge:learned",
      threshold: 0.9,
      audit_share: 0.05,
      state: "on",
      weighed: 300,
      stopped: 240,
      started_by: "Lea Lead",
      started_at: "2026-01-01T00:00:00Z",
      ended_by: "",
      ended_at: null,
      reason: "",
    },
  ],
  figures: {
    weighed: 300,
    open: 2,
    labels: 370,
    labels_an_answer: 1.233,
    stopped: 240,
    stopped_share: 0.8,
    drawn: 14,
    decided: 12,
    changed: 1,
    error: makeFigure(0.083, { low: 0.01, high: 0.25 }),
    residual: makeFigure(0.067, { low: 0.01, high: 0.2 }),
    signature: "routing|of:answers routed",
  },
};

function open(routing: RoutingState) {
  return openPrejudging({
    "GET /api/projects/nq/prejudging/routing": routing,
    "GET /api/projects/nq/prejudging/routing/replay": REPLAY,
    "POST /api/projects/nq/prejudging/routing": ON,
    "POST /api/projects/nq/prejudging/routing/r/end": OFF,
  });
}

describe("routing", () => {
  it("is tried on the study before it is switched on", async () => {
    const calls = open(OFF);
    expect(await screen.findByText(/1\.40 labels per answer instead of 2\.14/)).toBeVisible();
    expect(screen.getByText(/At most 3\.0% of the answers/)).toBeVisible();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Minimum confidence" }), "");
    await userEvent.click(screen.getByRole("button", { name: "Turn on routing" }));
    expect(bodiesOf(calls, "POST")).toEqual([{ run: "a", threshold: null, audit_share: 0.05 }]);
  });

  it("begins with a judge that states probabilities", async () => {
    const exact = {
      ...LEARNED,
      id: "e",
      judge: "exact_match",
      name: "Exact match",
      sureness: "score",
    } as const;
    open({ ...OFF, runs: [exact, LEARNED] });
    expect(await screen.findByRole("combobox", { name: "Judge" })).toHaveDisplayValue(/^Learned judge/);
  });

  it("is not switched on with a share that is none", async () => {
    open(OFF);
    const share = await screen.findByRole("textbox", { name: "Routing audit share (%)" });
    await screen.findByRole("button", { name: "Turn on routing" });
    await userEvent.clear(share);
    expect(share).toBeInvalid();
    expect(screen.getByRole("button", { name: "Turn on routing" })).toBeDisabled();
  });

  it("says why it cannot be switched on yet", async () => {
    open({ ...OFF, why_not: "First, people must judge 12 more answers under the full protocol." });
    expect(await screen.findByText(/12 more answers/)).toBeVisible();
  });

  it("shows what it saved, what the audit found, and is undone with a reason", async () => {
    const calls = open(ON);
    expect(await screen.findByText(/1\.23 labels per answer so far\. 80\.0% were settled/)).toBeVisible();
    expect(
      screen.getByText(/the final label differs from the first annotator’s on 1 of 12 answers/),
    ).toBeVisible();
    expect(screen.getByText(/At most 20\.0% of all routed answers/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: /^Undo/ }));
    const dialog = screen.getByRole("dialog");
    await userEvent.type(within(dialog).getByRole("textbox", { name: "Reason" }), "It errs.");
    await userEvent.click(within(dialog).getByRole("button", { name: "Undo routing" }));
    expect(bodiesOf(calls, "POST")).toEqual([{ gives_back: true, reason: "It errs." }]);
  });
});
