/** The queue's keys of reasons, categories and rounds as words. */
import type { CategorySpec, DecisionCategory, WaitingReason } from "../../api/contract";

const QUEUE_REASONS = [
  { value: "disputed", name: "Raters differ" },
  { value: "cannot_judge", name: "A rater could not judge" },
  { value: "out_of_raters", name: "No rater left" },
  { value: "reopened", name: "Decision withdrawn" },
  { value: "conflict", name: "Decided, but a judge says otherwise" },
] as const;

export function reasonWords(reason: string): string {
  return QUEUE_REASONS.find(({ value }) => value === reason)?.name ?? "Waits for a decision";
}

/** The reason an address names, if there is such a reason. */
export function waitingReason(text: string | undefined): WaitingReason | undefined {
  return QUEUE_REASONS.find(({ value }) => value === text)?.value;
}

export interface Category {
  readonly value: DecisionCategory;
  readonly name: string;
  readonly key: string;
}

/** Why raters came to differ, each under a key of its own; the server says when each fits. */
export const ALL_CATEGORIES: readonly Category[] = [
  { value: "guideline", name: "Guidelines unclear", key: "g" },
  { value: "evidence", name: "Knowledge or evidence", key: "e" },
  { value: "granularity", name: "Borderline granularity", key: "n" },
  { value: "ambiguous_question", name: "Question ambiguous", key: "a" },
  { value: "time_dependent", name: "Depends on time", key: "t" },
  { value: "incorrect_gold", name: "Gold improper", key: "w" },
  { value: "rater_error", name: "Rater’s slip", key: "p" },
  { value: "other", name: "Other", key: "o" },
];

export function categoriesOf(specs: readonly CategorySpec[]): Category[] {
  return ALL_CATEGORIES.filter(({ value }) => specs.some(({ key }) => key === value));
}

export function categoryWords(value: string): string {
  return ALL_CATEGORIES.find((category) => category.value === value)?.name ?? value;
}

const ROUNDS: Readonly<Record<string, string>> = {
  replacement: "in place of another rater",
  tie_break: "asked in addition, without knowing why",
};

export function roundWords(round: string): string | null {
  return ROUNDS[round] ?? null;
}
