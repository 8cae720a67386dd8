/** The gold list, as a lead reads it. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { GoldChange, GoldQuestion, GoldQuestions, Ledger } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { bodiesOf, type Call, startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";
import { savedLines } from "../../test/saved-lines";

const JUDGED = { judged: 0, rejected: 0, share: makeFigure(null, { why: "nothing_counted" }) };
const LIST = "GET /api/projects/nq/gold/questions";

const CHANGE: GoldChange = {
  id: "c1",
  question: "who",
  question_id: "q1",
  answer_id: "a1",
  action: "added",
  text: "honest abe",
  kind: "string",
  reason: "a nickname",
  rule: "amend",
  by: "Lena",
  at: "2026-05-04T08:00:00Z",
  undone_at: null,
  undone_by: "",
  undo_reason: "",
  group: "",
};

const QUESTION: GoldQuestion = {
  id: "q1",
  question: "who",
  dataset: "NQ",
  answers: [
    { text: "Lincoln", is_pattern: false, is_added: false, is_removed: false },
    { text: "Abraham", is_pattern: false, is_added: false, is_removed: true },
    { text: "honest abe", is_pattern: false, is_added: true, is_removed: false },
  ],
  changes: [CHANGE],
  proposals: 2,
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
};

function makeList(questions: readonly GoldQuestion[], more: Partial<GoldQuestions> = {}): GoldQuestions {
  return {
    counts: { original: 2, added: 1, removed: 1 },
    judged_gold: JUDGED,
    conflict_count: 0,
    count: questions.length,
    before: 0,
    previous: null,
    next: null,
    questions: [...questions],
    ...more,
  };
}

const LEDGER: Ledger = {
  summary: { original: 2, added: 1, removed: 0, version: "amended-1" },
  judged_gold: JUDGED,
  conflict_count: 0,
  conflicts: [],
  count: 1,
  before: 0,
  previous: null,
  next: null,
  changes: [CHANGE],
};

describe("the gold page", () => {
  it("lists questions with what is on their lists, what was added and removed", async () => {
    startFakeServer({ ...BASE, [LIST]: makeList([QUESTION]) });
    openApp("/nq/gold");
    const heading = await screen.findByRole("heading", { level: 2, name: "who" });
    const entry = heading.closest("li");
    expect(entry).toHaveTextContent(/Lincoln.*Removed: Abraham.*Added: honest abe/);
    expect(screen.getByRole("link", { name: "2 proposals" })).toHaveAttribute(
      "href",
      "/nq/gold/proposals?question=q1",
    );
    expect(screen.getByText("2 original gold answers, 1 answer added, 1 answer removed.")).toBeVisible();
  });

  it("is saved whole, a line for each gold answer and one for a question without any", async () => {
    const bare = { ...QUESTION, id: "q2", question: "why", answers: [], conflicts: [], changes: [] };
    const calls = startFakeServer({
      ...BASE,
      [LIST]: ({ query: asked }: Call) => {
        const query = new URLSearchParams(asked);
        const isSecond = query.get("limit") === "1000" && query.get("cursor") === "c2";
        return makeList(isSecond ? [bare] : [QUESTION], {
          count: 2,
          before: isSecond ? 1 : 0,
          next: isSecond ? null : "c2",
        });
      },
    });
    openApp("/nq/gold?show=changed&cursor=c9");
    await screen.findByRole("heading", { level: 2, name: "who" });
    expect(await savedLines("gold-answers")).toEqual([
      "id,question,data_set,gold_answer,status,is_pattern",
      "q1,who,NQ,Lincoln,imported,0",
      "q1,who,NQ,Abraham,removed,0",
      "q1,who,NQ,honest abe,added,0",
      "q2,why,NQ,,,",
    ]);
    expect(calls.at(-1)?.query).toBe("?cursor=c2&show=changed&limit=1000");
  });

  it("asks for what is searched and chosen, which the address keeps", async () => {
    const calls = startFakeServer({
      ...BASE,
      [LIST]: makeList([QUESTION]),
      "GET /api/projects/nq/filters": { datasets: ["NQ", "TQA"] },
    });
    const router = openApp("/nq/gold?cursor=c3");
    await userEvent.type(await screen.findByLabelText("Search questions and gold answers"), "abe{Enter}");
    await userEvent.selectOptions(screen.getByLabelText("Show"), "Changed since import");
    await userEvent.selectOptions(await screen.findByLabelText("Data set"), "TQA");
    await waitFor(() =>
      expect(router.state.location.search).toEqual({ search: "abe", show: "changed", dataset: "TQA" }),
    );
    await waitFor(() => expect(calls.at(-1)?.query).toBe("?show=changed&search=abe&dataset=TQA"));
  });

  it("names equal answers that people decided differently, with the way to both", async () => {
    startFakeServer({ ...BASE, [LIST]: makeList([QUESTION], { conflict_count: 1 }) });
    const router = openApp("/nq/gold");
    expect(await screen.findByText("1 answer with conflicting decisions")).toBeVisible();
    expect(screen.getByRole("link", { name: "abraham" })).toHaveAttribute("href", "/nq/answers/a1");
    expect(screen.getByRole("link", { name: "Abraham" })).toHaveAttribute("href", "/nq/answers/a2");
    await userEvent.click(screen.getByRole("button", { name: "Show conflicts" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ show: "conflicting" }));
  });

  it("says why a list changed, and undoes it with a reason", async () => {
    const calls = startFakeServer({
      ...BASE,
      [LIST]: makeList([QUESTION]),
      "POST /api/projects/nq/gold/c1/undo": CHANGE,
    });
    openApp("/nq/gold?question=q1");
    expect(await screen.findByText(/“a nickname”/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Undo: honest abe" }));
    const dialog = within(screen.getByRole("dialog"));
    await userEvent.type(dialog.getByLabelText("Reason"), "wrong person");
    await userEvent.click(dialog.getByRole("button", { name: "Undo change" }));
    await waitFor(() => expect(bodiesOf(calls, "POST")).toEqual([{ reason: "wrong person" }]));
  });

  it("says that nothing matches, with the way back to all", async () => {
    startFakeServer({ ...BASE, [LIST]: makeList([]) });
    const router = openApp("/nq/gold?search=zzz");
    expect(await screen.findByText("No matching questions")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Show all questions" }));
    await waitFor(() => expect(router.state.location.search).toEqual({}));
  });

  it("lists all changes by date", async () => {
    startFakeServer({ ...BASE, [LIST]: makeList([QUESTION]), "GET /api/projects/nq/gold": LEDGER });
    openApp("/nq/gold");
    await userEvent.click(await screen.findByRole("radio", { name: "Changes by date" }));
    expect(await screen.findByRole("heading", { name: "May 4, 2026" })).toBeVisible();
    expect(screen.getByRole("link", { name: "who" })).toHaveAttribute("href", "/nq/gold?question=q1");
  });
});
