/** Sheets and replies that the tests of the judging page are written with. */
import type { BlindSheet, Progress, ProjectDetail, Work } from "../api/schema";
import { PROJECT, SESSION } from "./lead-cast";

/** The lead's project, as one who judges reads it. */
export const STUDY: ProjectDetail = { ...PROJECT, role: "annotator", unblinded: false };

export const BASE = { "GET /api/session": SESSION, "GET /api/projects/nq": STUDY };

export function makeSheet(id: string, answers = 2, more: Partial<BlindSheet> = {}): BlindSheet {
  return {
    id,
    version: 1,
    is_pilot: false,
    question: { id: `q-${id}`, text: `question ${id}`, references: null, passages: null, flags: [] },
    asks_again: "",
    checks: [],
    checks_first: false,
    answers: Array.from({ length: answers }, (_, index) => ({
      id: `${id}-${index}`,
      text: `answer ${id} ${index}`,
    })),
    lease_expires_at: "2999-01-01T00:00:00Z",
    draft: null,
    ...more,
  };
}

export const PROGRESS: Progress = {
  judged_questions: 0,
  judged_answers: 0,
  left_questions: 3,
  median_seconds: null,
  can_undo: false,
};

export function makeWork(sheets: readonly BlindSheet[], progress: Partial<Progress> = {}): Work {
  return {
    sheets: [...sheets],
    progress: { ...PROGRESS, ...progress },
    nothing_left: sheets.length === 0,
    guidelines_unread: "",
    in_pilot: false,
  };
}
