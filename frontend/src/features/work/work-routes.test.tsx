import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { PlannedRater, WorkPlan } from "../../api/schema";
import { bodiesOf, FakeError, startFakeServer } from "../../test/fake-server";
import { BASE, makeSetup, QUALITY_PLAN } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

function makeRater(id: string, more: Partial<PlannedRater> = {}): PlannedRater {
  return {
    member_id: id,
    name: `Annotator ${id}`,
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
    raters_at_first: 2,
    shortage: "",
    raters: [makeRater("a"), makeRater("b")],
    events: [],
    ...more,
  };
}

/** What isolates names from the sentence around them. */
const ISOLATES = /[\u2068\u2069]/g;

async function change(name: string) {
  await userEvent.click(await screen.findByRole("button", { name: `Change ${name}` }));
}

/** Saves one sentence, and waits until it is closed. */
async function save(name: string) {
  const part = screen.getByRole("group", { name });
  await userEvent.click(within(part).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(part).not.toBeInTheDocument());
}

const LONG_AGO = "2026-01-01T10:00:00Z";
const WORK = "/api/projects/nq/work";

describe("the work page", () => {
  it("says at once that answers will wait for an annotator", async () => {
    const shortage = "140 answers will wait: each needs 3 annotators, but only 2 are available.";
    startFakeServer({ ...BASE, [`GET ${WORK}`]: makePlan({ shortage }) });
    openApp("/nq/work");
    expect(await screen.findByText(shortage)).toBeVisible();
  });

  it("does not ask to invite those for whom links are open", async () => {
    startFakeServer({
      ...BASE,
      [`GET ${WORK}`]: makePlan({
        shortage: "140 answers need 2 annotators each. Nobody is available yet.",
      }),
      "GET /api/projects/nq/setup": makeSetup({ annotators_present: 0, invited: 3, is_ready: false }),
    });
    openApp("/nq/work");
    expect(await screen.findByText("3 invited annotators have not joined yet.")).toBeVisible();
    expect(
      screen.getByText("2 annotators judge each answer. If they disagree, a third judges it."),
    ).toBeVisible();
    expect(screen.getByRole("link", { name: "Manage invitations" })).toHaveAttribute("href", "/nq/people");
    expect(screen.queryByRole("link", { name: /^Invite/ })).toBeNull();
  });

  it("says the plan in sentences", async () => {
    const raters = [makeRater("a", { answers_at_most: 40 }), makeRater("b")];
    const plan = makePlan({ raters, order: "seed", goes_first: ["hard", "q7"] });
    startFakeServer({
      ...BASE,
      [`GET ${WORK}`]: plan,
      "GET /api/projects/nq/protocol": { spec: { raters_per_answer: 2, tie_break: "third_rater" } },
    });
    openApp("/nq/work");
    const shown = [
      "2 annotators judge each answer; if they disagree, one more annotator judges it.",
      "Any annotator can get any question.",
      "Annotator a: up to 40 answers. Other annotators have no limit.",
      "All annotators get the questions in the same random order.",
      "Annotators get “hard” and “q7” first.",
      "Annotators start without a pilot.",
      "New annotators start without training.",
      "Known answers would be hidden in 1 in 20 sheets, but none are marked yet.",
      "Annotators never get the same sheet twice.",
      "There is no second pass: no questions are judged again by another annotator.",
    ];
    await screen.findByText(shown[0] ?? "");
    const lines = screen.getAllByRole("listitem").map((line) => line.textContent?.replaceAll(ISOLATES, ""));
    for (const words of shown) expect(lines.filter((line) => line?.includes(words))).toHaveLength(1);
  });

  it("saves named annotators with their part, and leaves the rest of the plan as it is", async () => {
    const raters = [makeRater("a", { answers_at_most: 40 }), makeRater("b")];
    const plan = makePlan({ raters, goes_first: ["hard"] });
    const calls = startFakeServer({ ...BASE, [`GET ${WORK}`]: plan, [`PUT ${WORK}`]: plan });
    openApp("/nq/work");
    await change("Assignment");
    await userEvent.click(screen.getByRole("radio", { name: "Selected annotators" }));
    expect(
      screen.getByText(/No annotators would judge\. Each answer needs 2\. Answers will wait/),
    ).toBeVisible();
    await userEvent.click(screen.getByRole("checkbox", { name: "Select Annotator b" }));
    await userEvent.type(screen.getByLabelText("Last question for Annotator b"), "3");
    await userEvent.selectOptions(screen.getByLabelText("Replacement for Annotator b"), "Annotator a");
    expect(screen.getByText(/in place of .*Annotator b.* \(questions 1–3\)/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(
      await screen.findByText("Work plan saved. The change takes effect with the next sheet."),
    ).toBeVisible();
    expect(bodiesOf(calls, "PUT")[0]).toMatchObject({
      sharing: "named",
      goes_first: ["hard"],
      raters: [
        { member_id: "a", takes_part: false, answers_at_most: 40 },
        { member_id: "b", takes_part: true, stand_in: "a", first_question: null, last_question: 3 },
      ],
    });
  });

  it("saves limits, order and what goes first each by itself", async () => {
    const calls = startFakeServer({ ...BASE, [`GET ${WORK}`]: makePlan(), [`PUT ${WORK}`]: makePlan() });
    openApp("/nq/work");
    await change("Limits");
    await userEvent.type(screen.getByLabelText("Maximum answers for Annotator a"), "40");
    await change("Priority");
    await userEvent.type(screen.getByLabelText("Priority (optional)"), "hard{Enter}q7");
    await save("Priority");
    await save("Limits");
    await change("Order");
    await userEvent.selectOptions(screen.getByLabelText("Question order"), "Random order");
    await save("Order");
    const [first, limits, order] = bodiesOf(calls, "PUT");
    expect(first).toMatchObject({ goes_first: ["hard", "q7"], raters: [{ answers_at_most: null }, {}] });
    expect(limits).toMatchObject({ goes_first: [], raters: [{ answers_at_most: 40 }, {}] });
    expect(order).toMatchObject({ order: "seed", raters: [{ answers_at_most: null }, {}] });
  });

  it("gives the focus to the first field, and back to the button when nothing is changed", async () => {
    startFakeServer({ ...BASE, [`GET ${WORK}`]: makePlan() });
    openApp("/nq/work");
    await change("Order");
    expect(screen.getByLabelText("Question order")).toHaveFocus();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.getByRole("button", { name: "Change Order" })).toHaveFocus();
    expect(screen.queryByLabelText("Question order")).not.toBeInTheDocument();
  });

  it("says why a plan cannot be", async () => {
    const refusal = new FakeError(400, "invalid", "Give at least one annotator a share above 0.");
    startFakeServer({ ...BASE, [`GET ${WORK}`]: makePlan(), [`PUT ${WORK}`]: refusal });
    openApp("/nq/work");
    await change("Assignment");
    await userEvent.click(screen.getByRole("radio", { name: "Random shares" }));
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Give at least one annotator a share above 0.",
    );
  });

  it("says that a training lacks answers before it is asked for", async () => {
    startFakeServer({ ...BASE, [`GET ${WORK}`]: makePlan() });
    openApp("/nq/work");
    await change("Training");
    await userEvent.click(screen.getByLabelText("Require training for new annotators"));
    const words = "No answers are marked for training. Mark at least 5.";
    expect(screen.getByText(words)).toBeVisible();
  });

  it("saves how work is checked as per cent of sheets, the rest as it is", async () => {
    const PLAN = "/api/projects/nq/quality-plan";
    const calls = startFakeServer({
      ...BASE,
      [`GET ${WORK}`]: makePlan(),
      [`PUT ${PLAN}`]: { ...QUALITY_PLAN, repeat_share: 0.07 },
    });
    openApp("/nq/work");
    await change("Repeated sheets");
    await userEvent.clear(screen.getByLabelText("Repeated sheets (%)"));
    await userEvent.type(screen.getByLabelText("Repeated sheets (%)"), "7");
    await save("Repeated sheets");
    const words = "Annotators judge 7 in 100 sheets again, at least 30 sheets and 24 hours later.";
    expect(await screen.findByText(words)).toBeVisible();
    expect(bodiesOf(calls, "PUT")[0]).toMatchObject({
      repeat_share: 0.07,
      known_share: 0.05,
      pass_share: 0.8,
    });
  });

  it("lists annotators with what they hold and have left", async () => {
    const held = { open_sheets: 2, held_answers: 5, judged_answers: 7, state: "paused" } as const;
    startFakeServer({ ...BASE, [`GET ${WORK}`]: makePlan({ raters: [makeRater("a", held)] }) });
    openApp("/nq/work");
    const table = await screen.findByRole("table", { name: "Work by annotator" });
    const row = within(table)
      .getByRole("rowheader", { name: /Annotator a ?Paused/ })
      .closest("tr");
    expect(row).toHaveTextContent(/7102 \(5 answers\)/);
  });

  it("takes back what lies in an annotator’s hands, and says in the history who did", async () => {
    const held = { open_sheets: 2, held_answers: 5, held_since: LONG_AGO, held_until: LONG_AGO };
    const event = {
      kind: "taken_back",
      rater: "Annotator a",
      by: "Lena",
      at: LONG_AGO,
      sheets: 2,
      answers: 5,
    };
    startFakeServer({
      ...BASE,
      [`GET ${WORK}`]: makePlan({ raters: [makeRater("a", held)] }),
      [`POST ${WORK}/raters/a/take-back`]: { ...makePlan(), events: [event] },
    });
    openApp("/nq/work");
    await userEvent.click(await screen.findByRole("button", { name: "Recall sheets from Annotator a" }));
    expect(await screen.findByText("Recalled 2 sheets from Annotator a.")).toBeVisible();
    expect(screen.getByText(/recalled 2 sheets \(5 answers\) from Annotator a/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /Take back/ })).not.toBeInTheDocument();
  });

  it("pauses an annotator, with a choice of what becomes of the sheets in hand", async () => {
    const calls = startFakeServer({
      ...BASE,
      [`GET ${WORK}`]: makePlan(),
      [`POST ${WORK}/raters/b/pause`]: makePlan(),
    });
    openApp("/nq/work");
    await userEvent.click(await screen.findByRole("button", { name: "Pause Annotator b" }));
    await userEvent.selectOptions(screen.getByLabelText("Open sheets"), "Recall now");
    expect(screen.getByText(/kept but do not count\. The other judgments count\.$/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Pause" }));
    expect(await screen.findByText("Annotator b is paused.")).toBeVisible();
    expect(bodiesOf(calls, "POST")[0]).toEqual({ takes_back: true });
  });

  it("lets a paused annotator go on", async () => {
    startFakeServer({
      ...BASE,
      [`GET ${WORK}`]: makePlan({ raters: [makeRater("a", { state: "paused" })] }),
      [`POST ${WORK}/raters/a/resume`]: makePlan(),
    });
    openApp("/nq/work");
    await userEvent.click(await screen.findByRole("button", { name: "Resume work for Annotator a" }));
    expect(await screen.findByText("Annotator a can receive work again.")).toBeVisible();
  });
});
