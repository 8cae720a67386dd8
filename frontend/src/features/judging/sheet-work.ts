/** What a rater has done on a sheet so far, as pure functions over plain values. */
import { useCallback, useState } from "react";
import type { BlindAnswer, BlindCheck, BlindSheet, Draft, DraftAnswer } from "../../api/schema";
import { readDraft, writeDraft } from "./desk";

interface AnswerWork {
  readonly label: string | null;
  readonly comment: string;
  readonly evidenceUrl: string;
  readonly evidenceQuote: string;
}

export interface SheetWork {
  readonly answers: Readonly<Record<string, AnswerWork>>;
  readonly checks: Readonly<Record<string, boolean>>;
  /** The row that keys act on. */
  readonly row: number;
  /** Time spent before this page was loaded. */
  readonly seconds: number;
}

/** A line of the sheet that wants one choice: a check about the question, or an answer. */
export type Row =
  | { readonly kind: "check"; readonly id: string; readonly check: BlindCheck }
  | { readonly kind: "answer"; readonly id: string; readonly answer: BlindAnswer };

const UNTOUCHED: AnswerWork = { label: null, comment: "", evidenceUrl: "", evidenceQuote: "" };

export const EMPTY_WORK: SheetWork = { answers: {}, checks: {}, row: 0, seconds: 0 };

export function answerWork(work: SheetWork, answerId: string): AnswerWork {
  return work.answers[answerId] ?? UNTOUCHED;
}

/** The work that the server remembers of a sheet that was taken back. */
export function workFromDraft(draft: Draft): SheetWork {
  const answers = draft.answers.map((answer): [string, AnswerWork] => [
    answer.id,
    {
      label: answer.label,
      comment: answer.comment,
      evidenceUrl: answer.evidence_url,
      evidenceQuote: answer.evidence_quote,
    },
  ]);
  return { ...EMPTY_WORK, answers: Object.fromEntries(answers), checks: draft.checks };
}

/** Whether a yes to a check has made judging the answers pointless. */
export function answersAreSkipped(sheet: BlindSheet, work: SheetWork): boolean {
  return sheet.checks.some((check) => check.skips_answers && work.checks[check.key] === true);
}

/** The checks that want an answer: a yes that skips the answers skips the checks that follow, too. */
function checksOf(sheet: BlindSheet, work: SheetWork): readonly BlindCheck[] {
  const last = sheet.checks.findIndex((check) => check.skips_answers && work.checks[check.key] === true);
  return last < 0 ? sheet.checks : sheet.checks.slice(0, last + 1);
}

/** Whether the protocol wants the checks answered before it shows the answers, and they are not. */
export function answersAreHeldBack(sheet: BlindSheet, work: SheetWork): boolean {
  return sheet.checks_first && checksOf(sheet, work).some((check) => work.checks[check.key] === undefined);
}

/** The rows that want a choice now: checks first, and only those while nothing else is to be seen. */
export function rowsOf(sheet: BlindSheet, work: SheetWork): Row[] {
  const checks = checksOf(sheet, work).map((check): Row => ({ kind: "check", id: check.key, check }));
  if (answersAreSkipped(sheet, work) || answersAreHeldBack(sheet, work)) return checks;
  return [...checks, ...sheet.answers.map((answer): Row => ({ kind: "answer", id: answer.id, answer }))];
}

function isAnswered(work: SheetWork, row: Row): boolean {
  if (row.kind === "check") return work.checks[row.id] !== undefined;
  return answerWork(work, row.id).label !== null;
}

export function isComplete(sheet: BlindSheet, work: SheetWork): boolean {
  return rowsOf(sheet, work).every((row) => isAnswered(work, row));
}

export function openCount(sheet: BlindSheet, work: SheetWork): number {
  return rowsOf(sheet, work).filter((row) => !isAnswered(work, row)).length;
}

export function moveTo(sheet: BlindSheet, work: SheetWork, row: number): SheetWork {
  const last = rowsOf(sheet, work).length - 1;
  return { ...work, row: Math.max(0, Math.min(last, row)) };
}

/** The next row that wants a choice, round the end; where none does, the row stays. */
function nextOpenRow(sheet: BlindSheet, work: SheetWork, from: number): number {
  const rows = rowsOf(sheet, work);
  const order = rows.map((_, step) => (from + 1 + step) % rows.length);
  const open = order.find((index) => {
    const row = rows[index];
    return row !== undefined && !isAnswered(work, row);
  });
  return open ?? Math.min(from, rows.length - 1);
}

export function changeAnswer(work: SheetWork, answerId: string, change: Partial<AnswerWork>): SheetWork {
  const changed = { ...answerWork(work, answerId), ...change };
  return { ...work, answers: { ...work.answers, [answerId]: changed } };
}

function chosen(work: SheetWork, row: Row, choice: string): SheetWork {
  if (row.kind === "answer") return changeAnswer(work, row.id, { label: choice });
  return { ...work, checks: { ...work.checks, [row.id]: choice === "yes" } };
}

/** Makes the choice on a row; `advance` then moves to the next row that wants one. */
export function choose(
  sheet: BlindSheet,
  work: SheetWork,
  rowId: string,
  choice: string,
  advance: boolean,
): SheetWork {
  const index = rowsOf(sheet, work).findIndex((row) => row.id === rowId);
  const row = rowsOf(sheet, work)[index];
  if (row === undefined) return work;
  const next = { ...chosen(work, row, choice), row: index };
  return advance ? { ...next, row: nextOpenRow(sheet, next, index) } : next;
}

function answerJudgment(sheet: BlindSheet, work: SheetWork, answerId: string): DraftAnswer {
  const { label, comment, evidenceUrl, evidenceQuote } = answerWork(work, answerId);
  return {
    id: answerId,
    label: answersAreSkipped(sheet, work) ? null : label,
    skip_reason: "",
    comment: comment.trim(),
    evidence_url: evidenceUrl.trim(),
    evidence_quote: evidenceQuote.trim(),
  };
}

/** What is handed in. */
export function judgmentsOf(sheet: BlindSheet, work: SheetWork): Draft {
  const checks = checksOf(sheet, work).map((check): [string, boolean] => [
    check.key,
    work.checks[check.key] ?? false,
  ]);
  return {
    answers: sheet.answers.map((answer) => answerJudgment(sheet, work, answer.id)),
    checks: Object.fromEntries(checks),
  };
}

/** A draft of this browser is newer than what the server remembers. */
function startingWork(sheet: BlindSheet | null): SheetWork {
  if (sheet === null) return EMPTY_WORK;
  const work = readDraft(sheet.id) ?? (sheet.draft ? workFromDraft(sheet.draft) : EMPTY_WORK);
  // The sheet may have fewer answers than when the draft was kept.
  return moveTo(sheet, work, work.row);
}

export function useSheetWork(
  sheet: BlindSheet | null,
): [SheetWork, (change: (work: SheetWork) => SheetWork) => void] {
  const [held, setHeld] = useState(() => ({ sheet, work: startingWork(sheet) }));
  let current = held;
  if (held.sheet?.id !== sheet?.id) {
    current = { sheet, work: startingWork(sheet) };
    setHeld(current);
  }
  const update = useCallback(
    (change: (work: SheetWork) => SheetWork) => {
      setHeld((before) => {
        const work = change(before.work);
        if (before.sheet) writeDraft(before.sheet.id, work);
        return { ...before, work };
      });
    },
    [setHeld],
  );
  return [current.work, update];
}

const SEARCH_ADDRESS = "https://duckduckgo.com/";

function searchAddress(question: string, answer: string | null): string {
  const words = [question, answer ?? ""].join(" ").trim().replaceAll(/\s+/g, " ").slice(0, 300);
  return `${SEARCH_ADDRESS}?${new URLSearchParams({ q: words }).toString()}`;
}

/** The search engine learns neither where the question comes from nor gets a handle on this page. */
export function openSearch(question: string, answer: string | null): void {
  window.open(searchAddress(question, answer), "_blank", "noopener,noreferrer");
}
