/** What people decided, as the agreement page says it. */
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { makeFigure } from "../../components/figure";
import { startAgreement } from "../../test/agreement-cast";
import { openApp } from "../../test/open-app";

describe("what was decided", () => {
  it("counts what was decided by label and by what settled it, before two annotators have judged, too", async () => {
    startAgreement({
      report: { items: 0 },
      decisions: [
        {
          label: "correct",
          name: "Correct",
          count: 30,
          share: makeFigure(0.75),
          sources: { unanimous: 25, adjudicated: 5 },
        },
        {
          label: "incorrect",
          name: "Incorrect",
          count: 10,
          share: makeFigure(0.25),
          sources: { unanimous: 10 },
        },
      ],
    });
    openApp("/nq/agreement");
    const table = await screen.findByRole("table", { name: "Decisions by label and source" });
    expect(within(table).getByRole("row", { name: /^Correct/ })).toHaveTextContent("3075.0%255");
    expect(within(table).getByRole("row", { name: /^Incorrect/ })).toHaveTextContent("1025.0%100");
    expect(screen.getByRole("button", { name: /Save as CSV: decisions/ })).toBeEnabled();
  });

  it("says how sure the shares of what was decided are, by label and by what settled it", async () => {
    const correct = makeFigure(0.75, { low: 0.6, high: 0.9 });
    const incorrect = makeFigure(0.25, { why: "too_few_questions" });
    startAgreement({
      decisions: [
        {
          label: "correct",
          name: "Correct",
          count: 30,
          share: correct,
          sources: { unanimous: 25, adjudicated: 5 },
        },
        { label: "incorrect", name: "Incorrect", count: 10, share: incorrect, sources: { unanimous: 10 } },
      ],
      sources: { unanimous: makeFigure(0.875, { low: 0.8, high: 0.95 }) },
    });
    openApp("/nq/agreement");
    const table = await screen.findByRole("table", { name: "Decisions by label and source" });
    expect(await within(table).findByText("60.0% to 90.0%")).toBeVisible();
    expect(within(table).getByRole("row", { name: /^Incorrect/ })).toHaveTextContent("no interval");
    const all = within(table).getByRole("row", { name: /^All decisions/ });
    expect(all).toHaveTextContent("87.5%, 35, 95% interval 80.0% to 95.0%");
  });
});
