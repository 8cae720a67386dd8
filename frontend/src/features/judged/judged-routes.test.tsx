import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { PastPage, PastSheet } from "../../api/schema";
import { FakeError, startFakeServer } from "../../test/fake-server";
import { BASE as LEADS, PROJECT } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const JUDGED = "/api/projects/nq/judged";
const EDIT = `${JUDGED}/s1/answers/a1/edit`;
const BASE = { ...LEADS, "GET /api/projects/nq": { ...PROJECT, role: "annotator" } };

const SHEET: PastSheet = {
  id: "s1",
  question: { id: "q1", text: "who sings", references: null, passages: null, flags: [] },
  checks: [{ text: "Could it have several answers?", answer: false }],
  answers: [
    {
      id: "a1",
      text: "Dave Gahan",
      said: {
        label: "correct",
        comment: "stage name",
        evidence_url: "https://example.org/dave",
        evidence_quote: "",
        judged_at: "2026-05-04T08:00:00Z",
      },
      decided: null,
    },
  ],
  handed_in_at: "2026-05-04T08:00:00Z",
};

function pageOf(...sheets: PastSheet[]): PastPage {
  return { count: sheets.length, before: 0, previous: null, next: null, sheets };
}

describe("an annotator's own judgments", () => {
  it("show what was said, and follow evidence without telling where from", async () => {
    startFakeServer({ ...BASE, [`GET ${JUDGED}`]: pageOf(SHEET) });
    openApp("/nq/judged");
    expect(await screen.findByRole("heading", { name: "who sings" })).toBeVisible();
    expect(screen.getByText("stage name")).toBeVisible();
    expect(screen.getByText("Could it have several answers?")).toBeVisible();
    const link = screen.getByRole("link", { name: "https://example.org/dave" });
    expect(link).toHaveAttribute("rel", "noreferrer noopener");
  });

  it("say how a person decided, and why, where annotators may read that", async () => {
    const [answer] = SHEET.answers;
    const decided = { label: "incorrect", words: "A namesake sang it." };
    const answers = answer
      ? [
          { ...answer, decided },
          { ...answer, id: "a2", text: "Martin Gore" },
        ]
      : [];
    startFakeServer({ ...BASE, [`GET ${JUDGED}`]: pageOf({ ...SHEET, answers }) });
    openApp("/nq/judged");
    await screen.findByRole("heading", { name: "who sings" });
    const [first, second] = screen.getAllByRole("listitem").slice(-2);
    expect(first).toHaveTextContent(/Correct.*Decided: Incorrect.*A namesake sang it\./);
    expect(second).toHaveTextContent("Martin Gore");
    expect(second).not.toHaveTextContent("Decided");
  });

  it("show a long answer cut, and whole when it is asked for", async () => {
    const [answer] = SHEET.answers;
    const answers = answer ? [{ ...answer, text: "He sings. ".repeat(40) }] : [];
    startFakeServer({ ...BASE, [`GET ${JUDGED}`]: pageOf({ ...SHEET, answers }) });
    openApp("/nq/judged");
    const button = await screen.findByRole("button", { name: "Show full answer" });
    expect(button).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(button);
    expect(screen.getByRole("button", { name: "Show less" })).toHaveAttribute("aria-expanded", "true");
  });

  it("are changed with what was seen, so that another tab's change is not lost", async () => {
    const calls = startFakeServer({
      ...BASE,
      [`GET ${JUDGED}`]: pageOf(SHEET),
      [`POST ${EDIT}`]: SHEET.answers[0]?.said,
    });
    openApp("/nq/judged");
    await userEvent.click(await screen.findByRole("button", { name: "Change your judgment of Dave Gahan" }));
    const dialog = within(screen.getByRole("dialog"));
    await userEvent.click(dialog.getByRole("radio", { name: "Incorrect" }));
    await userEvent.clear(dialog.getByLabelText("Comment"));
    await userEvent.type(dialog.getByLabelText("Comment"), "a namesake");
    await userEvent.click(dialog.getByRole("button", { name: "Change" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(calls.find((call) => call.path === EDIT)?.body).toEqual({
      label: "incorrect",
      comment: "a namesake",
      evidence_url: "https://example.org/dave",
      evidence_quote: "",
      seen_at: "2026-05-04T08:00:00Z",
    });
  });

  it("say in words that it is too late, and keep what was written", async () => {
    const words = "A lead has since decided this answer, so you can no longer change your judgment.";
    startFakeServer({
      ...BASE,
      [`GET ${JUDGED}`]: pageOf(SHEET),
      [`POST ${EDIT}`]: new FakeError(409, "conflict", words),
    });
    openApp("/nq/judged");
    await userEvent.click(await screen.findByRole("button", { name: /Change your judgment/ }));
    await userEvent.type(screen.getByLabelText("Comment"), ", he says");
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Change" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(words);
    expect(screen.getByLabelText("Comment")).toHaveValue("stage name, he says");
  });

  it("are searched by words of the question, which the address keeps", async () => {
    startFakeServer({ ...BASE, [`GET ${JUDGED}`]: pageOf(SHEET) });
    const router = openApp("/nq/judged");
    await userEvent.type(await screen.findByLabelText("Search your questions"), "sings{Enter}");
    await waitFor(() => expect(router.state.location.search).toMatchObject({ search: "sings" }));
  });

  it("say what will be here while there are none", async () => {
    startFakeServer({ ...BASE, [`GET ${JUDGED}`]: pageOf() });
    openApp("/nq/judged");
    expect(await screen.findByText("No judgments yet")).toBeVisible();
  });
});
