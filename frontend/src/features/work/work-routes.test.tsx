import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { PlannedRater, WorkPlan } from "../../api/schema";
import { bodiesOf, FakeError, startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

function makeRater(id: string, more: Partial<PlannedRater> = {}): PlannedRater {
  return {
    member_id: id,
    name: `Rater ${id}`,
    pseudonym: `R-${id}`,
    state: "active",
    is_unblinded: false,
    takes_part: false,
    stand_in: "",
    first_question: null,
    last_question: null,
    share: 0,
    answers_at_most: null,
    questions_at_most: null,
    open_sheets: 0,
    held_answers: 0,
    held_since: null,
    held_until: null,
    judged_answers: 0,
    judged_questions: 0,
    left_answers: 10,
    ...more,
  };
}

function makePlan(more: Partial<WorkPlan> = {}): WorkPlan {
  return {
    sharing: "everyone",
    order: "imported",
    goes_first: [],
    questions: 5,
    raters_per_answer: 2,
    shortage: "",
    raters: [makeRater("a"), makeRater("b")],
    events: [],
    ...more,
  };
}

const LONG_AGO = "2026-01-01T10:00:00Z";
const WORK = "/api/projects/nq/work";

describe("the work page", () => {
  it("says at once that answers will wait for want of raters", async () => {
    const shortage = "3 raters are needed for each answer, only 2 take part: 140 answers will wait.";
    startFakeServer({ ...BASE, [`GET ${WORK}`]: makePlan({ shortage }) });
    openApp("/nq/work");
    expect(await screen.findByText(shortage)).toBeVisible();
  });

  it("saves named raters with their part and their limit", async () => {
    const calls = startFakeServer({ ...BASE, [`GET ${WORK}`]: makePlan(), [`PUT ${WORK}`]: makePlan() });
    openApp("/nq/work");
    await userEvent.click(await screen.findByRole("radio", { name: "Named raters" }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Rater b judges" }));
    await userEvent.type(screen.getByLabelText("Last question of Rater b"), "3");
    await userEvent.selectOptions(screen.getByLabelText("Who judges the part of Rater b"), "Rater a");
    await userEvent.type(screen.getByLabelText("Maximum answers of Rater a"), "40");
    await userEvent.type(screen.getByLabelText("First (optional)"), "hard{Enter}q7");
    await userEvent.click(screen.getByRole("button", { name: "Save plan" }));
    expect(await screen.findByText("Saved. The plan applies from the next sheet.")).toBeVisible();
    expect(bodiesOf(calls, "PUT")[0]).toMatchObject({
      sharing: "named",
      goes_first: ["hard", "q7"],
      raters: [
        { member_id: "a", takes_part: false, answers_at_most: 40 },
        { member_id: "b", takes_part: true, stand_in: "a", first_question: null, last_question: 3 },
      ],
    });
  });

  it("says why a plan cannot be", async () => {
    const refusal = new FakeError(400, "invalid", "Give at least one rater a share above 0.");
    startFakeServer({ ...BASE, [`GET ${WORK}`]: makePlan(), [`PUT ${WORK}`]: refusal });
    openApp("/nq/work");
    await userEvent.click(await screen.findByRole("radio", { name: "Random shares" }));
    await userEvent.click(screen.getByRole("button", { name: "Save plan" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Give at least one rater a share above 0.");
  });

  it("lists raters with what they hold and have left", async () => {
    const raters = [makeRater("a", { open_sheets: 2, judged_answers: 7, state: "paused" })];
    startFakeServer({ ...BASE, [`GET ${WORK}`]: makePlan({ raters }) });
    openApp("/nq/work");
    const table = await screen.findByRole("table", { name: "Raters and their part" });
    const row = within(table)
      .getByRole("rowheader", { name: /Rater a ?Paused/ })
      .closest("tr");
    expect(row).toHaveTextContent(/2710$/);
  });

  it("takes back what lies in a rater’s hands, and says in the history who did", async () => {
    const held = { open_sheets: 2, held_answers: 5, held_since: LONG_AGO, held_until: LONG_AGO };
    const event = { kind: "taken_back", rater: "Rater a", by: "Lena", at: LONG_AGO, sheets: 2, answers: 5 };
    startFakeServer({
      ...BASE,
      [`GET ${WORK}`]: makePlan({ raters: [makeRater("a", held)] }),
      [`POST ${WORK}/raters/a/take-back`]: { ...makePlan(), events: [event] },
    });
    openApp("/nq/work");
    await userEvent.click(await screen.findByRole("button", { name: "Recall the sheets of Rater a" }));
    expect(await screen.findByText("2 sheets of Rater a recalled.")).toBeVisible();
    expect(screen.getByText(/took back 2 sheets with 5 answers from Rater a/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /Take back/ })).not.toBeInTheDocument();
  });

  it("pauses a rater, with a choice of what becomes of the sheets in hand", async () => {
    const calls = startFakeServer({
      ...BASE,
      [`GET ${WORK}`]: makePlan(),
      [`POST ${WORK}/raters/b/pause`]: makePlan(),
    });
    openApp("/nq/work");
    await userEvent.click(await screen.findByRole("button", { name: "Pause Rater b" }));
    await userEvent.selectOptions(screen.getByLabelText("Open sheets"), "are taken back at once");
    expect(screen.getByText(/kept but not counted\.$/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Pause" }));
    expect(await screen.findByText("Rater b is paused.")).toBeVisible();
    expect(bodiesOf(calls, "POST")[0]).toEqual({ takes_back: true });
  });

  it("lets a paused rater go on", async () => {
    startFakeServer({
      ...BASE,
      [`GET ${WORK}`]: makePlan({ raters: [makeRater("a", { state: "paused" })] }),
      [`POST ${WORK}/raters/a/resume`]: makePlan(),
    });
    openApp("/nq/work");
    await userEvent.click(await screen.findByRole("button", { name: "Let Rater a go on" }));
    expect(await screen.findByText("Rater a is given work again.")).toBeVisible();
  });
});
