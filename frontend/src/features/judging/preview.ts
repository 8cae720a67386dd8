/** A desk that hands out sheets of its own making and forgets what is done with them. */
import type { AnswerLine, Progress, Sheet, Work } from "../../api/contract";
import { Desk } from "./desk";
import type { SheetOperations } from "./desk-state";
import { createMemoryOutbox } from "./outbox";

export const PREVIEW_QUESTIONS = 3;
const FAR_AWAY = "2999-01-01T00:00:00Z";

/** A question as the preview shows it, with the answer by which more of it can be read. */
export interface PreviewQuestion {
  readonly text: string;
  readonly answers: readonly string[];
  readonly references: readonly string[];
  readonly source: string | null;
}

/** Shown where a project has no questions yet; made up by us. */
export const EXAMPLES: readonly PreviewQuestion[] = [
  {
    text: "which planet has the most moons",
    answers: ["Saturn", "Jupiter, as far as anybody knew in 2019", "the largest one"],
    references: ["Saturn"],
    source: null,
  },
  {
    text: "who wrote the novel middlemarch",
    answers: ["George Eliot", "Mary Ann Evans", "Jane Austen"],
    references: ["George Eliot"],
    source: null,
  },
  {
    text: "when did the berlin wall come down",
    answers: ["9 November 1989", "1989", "in the nineties"],
    references: ["9 November 1989", "November 1989"],
    source: null,
  },
];

/** The first questions with answers that the project has. */
export function questionsOf(lines: readonly AnswerLine[], limit: number): PreviewQuestion[] {
  const texts = [...new Set(lines.map((line) => line.question))].slice(0, PREVIEW_QUESTIONS);
  return texts.map((text) => {
    const own = lines.filter((line) => line.question === text);
    return {
      text,
      answers: own.slice(0, limit).map((line) => line.answer),
      references: [],
      source: own[0]?.id ?? null,
    };
  });
}

type Asked = Pick<Sheet, "checks" | "checks_first"> & { readonly goldShown: boolean };

export function previewSheets(questions: readonly PreviewQuestion[], asked: Asked): Sheet[] {
  return questions.map((question, number) => ({
    id: `preview-${number}`,
    version: 1,
    is_pilot: false,
    asks_again: "",
    question: {
      id: `preview-question-${number}`,
      text: question.text,
      references: asked.goldShown ? [...question.references] : null,
      flags: [],
    },
    checks: asked.checks,
    checks_first: asked.checks_first,
    answers: question.answers.map((text, place) => ({ id: `preview-${number}-${place}`, text })),
    lease_expires_at: FAR_AWAY,
    draft: null,
  }));
}

function inMemory(sheets: readonly Sheet[]): SheetOperations {
  let done: { readonly sheet: Sheet; readonly draft: Sheet["draft"] }[] = [];
  const work = (): Promise<Work> => {
    const open = sheets.filter(({ id }) => !done.some(({ sheet }) => sheet.id === id));
    const progress: Progress = {
      judged_questions: done.length,
      judged_answers: done.reduce((count, { sheet }) => count + sheet.answers.length, 0),
      left_questions: open.length,
      median_seconds: null,
      can_undo: done.length > 0,
    };
    return Promise.resolve({
      sheets: open,
      progress,
      nothing_left: open.length === 0,
      guidelines_unread: "",
      in_pilot: false,
    });
  };
  const close = (id: string, draft: Sheet["draft"]) => {
    const sheet = sheets.find((each) => each.id === id);
    if (sheet) done = [...done, { sheet, draft }];
    return work();
  };
  return {
    next: work,
    submit: (id, { answers, checks }) => close(id, { answers, checks } as Sheet["draft"]),
    skip: (id) => close(id, null),
    undo: async () => {
      const last = done.at(-1);
      done = done.slice(0, -1);
      const reply = await work();
      const others = reply.sheets.filter(({ id }) => id !== last?.sheet.id);
      return last ? { ...reply, sheets: [{ ...last.sheet, draft: last.draft }, ...others] } : reply;
    },
  };
}

export function createPreviewDesk(sheets: readonly Sheet[]): Desk {
  return new Desk(inMemory(sheets), createMemoryOutbox());
}
