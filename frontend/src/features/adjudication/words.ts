/** The queue's keys of reasons, categories and rounds as words. */
import type { DecisionCategory, WaitingReason } from "../../api/contract";

export const QUEUE_REASONS = [
  { value: "all", name: "All" },
  { value: "disputed", name: "Raters differ" },
  { value: "cannot_judge", name: "Could not judge" },
  { value: "out_of_raters", name: "No rater left" },
] as const;

export function reasonWords(reason: string): string {
  return QUEUE_REASONS.find(({ value }) => value === reason)?.name ?? "Waits for a decision";
}

/** The reason an address names, if there is such a reason. */
export function waitingReason(text: string | undefined): WaitingReason | undefined {
  const known = QUEUE_REASONS.find(({ value }) => value === text)?.value;
  return known === "all" ? undefined : known;
}

export interface Category {
  readonly value: DecisionCategory;
  readonly name: string;
  readonly key: string;
}

/** Why a decision fell as it did, each under a key of its own. */
export const ALL_CATEGORIES: readonly Category[] = [
  { value: "guideline", name: "Guideline settles it", key: "g" },
  { value: "evidence", name: "Evidence settles it", key: "e" },
  { value: "granularity", name: "Granularity", key: "n" },
  { value: "ambiguous_question", name: "Ambiguous question", key: "a" },
  { value: "time_dependent", name: "Depends on time", key: "t" },
  { value: "incorrect_gold", name: "Gold is wrong", key: "w" },
  { value: "rater_error", name: "Rater’s slip", key: "x" },
  { value: "other", name: "Other", key: "o" },
];

export function categoriesOf(known: readonly string[]): Category[] {
  return ALL_CATEGORIES.filter(({ value }) => known.includes(value));
}

export function categoryWords(value: string): string {
  return ALL_CATEGORIES.find((category) => category.value === value)?.name ?? value;
}

const ROUNDS: Readonly<Record<string, string>> = {
  replacement: "in place of another rater",
  tie_break: "broke the tie, without knowing it",
};

export function roundWords(round: string): string | null {
  return ROUNDS[round] ?? null;
}
