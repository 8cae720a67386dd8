import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { KnownAnswer, QualityPlan, Training, TrainingFeedback } from "../../api/schema";
import { bodiesOf, FakeError, startFakeServer } from "../../test/fake-server";
import { makeSheet, makeWork } from "../../test/judging-cast";
import { BASE, PROJECT, QUALITY_PLAN } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const ROOT = "/api/projects/nq";

const DUE: Training = {
  state: "due",
  pass_share: 0.8,
  attempt: 1,
  done: 0,
  total: 2,
  sheet: {
    question_id: "q1",
    question: "who wrote it",
    references: null,
    passages: null,
    answers: [
      { id: "a1", text: "Ann" },
      { id: "a2", text: "Bob" },
    ],
  },
  result: null,
};

const FAILED: Training = {
  ...DUE,
  state: "failed",
  done: 0,
  sheet: null,
  result: { right: 1, total: 2, is_passed: false },
};

function told(training: Training): TrainingFeedback {
  const item = { id: "a1", text: "Ann", label: "correct", known_label: "correct", is_right: true };
  return {
    feedback: [
      { ...item, explanation: "Her name is on the cover." },
      { ...item, id: "a2", text: "Bob", known_label: "incorrect", is_right: false, explanation: "" },
    ],
    training,
  };
}

const ANNOTATOR = {
  ...BASE,
  [`GET ${ROOT}`]: { ...PROJECT, role: "annotator" },
  [`GET ${ROOT}/training`]: DUE,
};
const REFUSED = new FakeError(403, "forbidden", "A short training comes first.", {}, "training_due");

const PLAN: QualityPlan = {
  ...QUALITY_PLAN,
  is_training: true,
  trainees: [
    {
      member_id: "m1",
      name: "Nora",
      pseudonym: "R-1",
      attempts: 2,
      right: 3,
      total: 5,
      state: "failed",
    },
  ],
};

const KNOWN: KnownAnswer = {
  id: "k1",
  answer: "a1",
  text: "Ann",
  question: "who wrote it",
  use: "training",
  label: "correct",
  explanation: "Her name is on the cover.",
  marked_by: "Lena",
  marked_at: "2026-11-21T10:00:00Z",
};

describe("the training", () => {
  it("is judged by keys, says what is right and why, and leads on to the work", async () => {
    let isTrained = false;
    const calls = startFakeServer({
      ...ANNOTATOR,
      [`POST ${ROOT}/sheets/next`]: () => (isTrained ? makeWork([makeSheet("s1")]) : REFUSED),
      [`POST ${ROOT}/training/answers`]: () => told({ ...DUE, state: "passed", sheet: null }),
    });
    openApp("/nq/judge");
    expect(await screen.findByRole("heading", { name: "who wrote it" })).toBeVisible();
    expect(screen.getByText(/label at least 80% of the answers correctly/)).toBeVisible();
    await userEvent.keyboard("1");
    expect(screen.getByRole("button", { name: /1 left, then check/ })).toBeVisible();
    await userEvent.keyboard("1{Enter}");
    expect(await screen.findByText("Her name is on the cover.")).toBeVisible();
    expect(screen.getByText("Incorrect label")).toBeVisible();
    expect(calls.find((call) => call.path.endsWith("/answers"))?.body).toEqual({
      question_id: "q1",
      answers: [
        { id: "a1", label: "correct" },
        { id: "a2", label: "correct" },
      ],
    });
    isTrained = true;
    await userEvent.click(screen.getByRole("button", { name: /Start judging/ }));
    expect(await screen.findByRole("heading", { name: "question s1" })).toBeVisible();
  });

  it("lets somebody who did not pass try again", async () => {
    startFakeServer({
      ...ANNOTATOR,
      [`GET ${ROOT}/training`]: FAILED,
      [`POST ${ROOT}/sheets/next`]: REFUSED,
      [`POST ${ROOT}/training/again`]: { ...DUE, attempt: 2 },
    });
    openApp("/nq/judge");
    expect(await screen.findByText(/You labeled 1 of 2 answers correctly. You need 80%/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { name: "who wrote it" })).toBeVisible();
    expect(screen.getByText(/attempt 2/)).toBeVisible();
  });
});

describe("known answers", () => {
  it("are listed, drawn by seed and taken back", async () => {
    const calls = startFakeServer({
      ...BASE,
      [`GET ${ROOT}/known-answers`]: [KNOWN],
      [`GET ${ROOT}/quality-plan`]: PLAN,
      [`POST ${ROOT}/known-answers/draw`]: [KNOWN],
      [`DELETE ${ROOT}/known-answers/k1`]: null,
    });
    openApp("/nq/work/known-answers");
    const table = await screen.findByRole("region", { name: "Known answers" });
    expect(within(table).getByRole("link", { name: "Ann" })).toHaveAttribute("href", "/nq/answers/a1");
    await userEvent.click(screen.getByRole("button", { name: "Sample answers" }));
    expect(await screen.findByText("Added 1 known answer.")).toBeVisible();
    expect(calls.find((call) => call.path.endsWith("/draw"))?.body).toEqual({
      use: "hidden",
      number: 20,
      seed: 1,
      only_unanimous: true,
    });
    await userEvent.click(screen.getByRole("button", { name: /Remove/ }));
    const dialog = screen.getByRole("dialog");
    await userEvent.click(within(dialog).getByRole("button", { name: "Remove" }));
    expect(bodiesOf(calls, "DELETE")).not.toEqual([]);
  });

  it("get an explanation after they were drawn", async () => {
    const calls = startFakeServer({
      ...BASE,
      [`GET ${ROOT}/known-answers`]: [{ ...KNOWN, explanation: "" }],
      [`GET ${ROOT}/quality-plan`]: PLAN,
      [`POST ${ROOT}/known-answers`]: KNOWN,
    });
    openApp("/nq/work/known-answers");
    await userEvent.click(await screen.findByRole("button", { name: /Add explanation/ }));
    const dialog = screen.getByRole("dialog");
    await userEvent.type(within(dialog).getByLabelText(/Explanation/), "By the atlas.");
    await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(
      calls.find(({ method, path }) => method === "POST" && path.endsWith("/known-answers"))?.body,
    ).toEqual({ answer: KNOWN.answer, use: KNOWN.use, label: KNOWN.label, explanation: "By the atlas." });
  });

  it("show who has passed the training; a lead lets somebody through", async () => {
    startFakeServer({
      ...BASE,
      [`GET ${ROOT}/known-answers`]: [],
      [`GET ${ROOT}/quality-plan`]: PLAN,
      [`POST ${ROOT}/trainees/m1/let-through`]: {
        ...PLAN,
        trainees: PLAN.trainees.map((trainee) => ({ ...trainee, state: "let_through" })),
      },
    });
    openApp("/nq/work/known-answers");
    const row = await screen.findByRole("row", { name: /Nora/ });
    expect(row).toHaveTextContent("not passed yet");
    expect(row).toHaveTextContent("3 of 5");
    await userEvent.click(within(row).getByRole("button", { name: /Waive training/ }));
    expect(await screen.findByText("Nora can start judging.")).toBeVisible();
    expect(screen.getByRole("row", { name: /Nora/ })).toHaveTextContent("waived");
  });
});
