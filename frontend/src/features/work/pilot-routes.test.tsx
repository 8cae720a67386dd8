import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Pilot, WorkPlan } from "../../api/schema";
import { bodiesOf, startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const LONG_AGO = "2026-01-01T10:00:00Z";
const PILOTS = "/api/projects/nq/work/pilots";
const PLAN: WorkPlan = {
  sharing: "everyone",
  order: "imported",
  goes_first: [],
  questions: 5,
  raters_per_answer: 2,
  raters_at_first: 2,
  shortage: "",
  raters: [],
  events: [],
};
const PILOT: Pilot = {
  id: "p",
  questions: 2,
  seed: null,
  begun_by: "Lena",
  begun_at: LONG_AGO,
  ended_by: "",
  ended_at: null,
  outcome: "",
  raters: [
    { member_id: "a", name: "Annotator a", judged: 4, left: 0 },
    { member_id: "b", name: "Annotator b", judged: 1, left: 3 },
  ],
};
const OPEN = { untouched_questions: 3, pilots: [PILOT] };

describe("the pilot on the work page", () => {
  it("is begun with questions drawn by a seed", async () => {
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/work": PLAN,
      [`GET ${PILOTS}`]: { untouched_questions: 5, pilots: [] },
      [`POST ${PILOTS}`]: OPEN,
    });
    openApp("/nq/work");
    await userEvent.click(await screen.findByRole("button", { name: "Set up pilot" }));
    const count = screen.getByLabelText("Number of questions");
    await userEvent.clear(count);
    await userEvent.type(count, "2");
    await userEvent.selectOptions(screen.getByLabelText("Selection"), "seed");
    await userEvent.click(screen.getByRole("button", { name: "Start pilot" }));
    expect(await screen.findByRole("table", { name: "Annotators in the pilot" })).toBeVisible();
    expect(bodiesOf(calls, "POST")[0]).toEqual({ questions: 2, seed: 1 });
  });

  it.each([
    [[], "A pilot needs questions that have answers to judge"],
    [
      [{ ...PILOT, outcome: "again" as const, ended_at: LONG_AGO }],
      "Another pilot needs questions that have answers",
    ],
  ])("is not offered where there are no questions for one, and the page says so", async (pilots, words) => {
    startFakeServer({
      ...BASE,
      "GET /api/projects/nq/work": PLAN,
      [`GET ${PILOTS}`]: { untouched_questions: 0, pilots },
    });
    openApp("/nq/work");
    const sentence = await screen.findByText((text) => text.startsWith(words));
    expect(sentence).toHaveTextContent("that no annotator has received yet. This project has none.");
    expect(screen.queryByRole("button", { name: "Set up pilot" })).toBeNull();
  });

  it("is ended after saying what becomes of its questions, and who is not done", async () => {
    const ended = { ...PILOT, outcome: "left_out" as const, ended_at: LONG_AGO, ended_by: "Lena" };
    const calls = startFakeServer({
      ...BASE,
      "GET /api/projects/nq/work": PLAN,
      [`GET ${PILOTS}`]: OPEN,
      [`POST ${PILOTS}/end`]: { untouched_questions: 3, pilots: [ended] },
    });
    openApp("/nq/work");
    await userEvent.click(await screen.findByRole("button", { name: "End pilot and exclude its questions" }));
    const dialog = screen.getByRole("dialog", { name: "End the pilot?" });
    expect(dialog).toHaveTextContent("1 annotator has not finished.");
    await userEvent.click(
      within(dialog).getByRole("button", { name: "End pilot and exclude its questions" }),
    );
    expect(bodiesOf(calls, "POST")[0]).toEqual({ outcome: "left_out" });
  });
});
