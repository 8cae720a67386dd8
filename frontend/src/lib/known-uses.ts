/** What known answers are used for, in words. */

export const USES = [
  { value: "hidden", name: "Hidden among the work" },
  { value: "training", name: "For training" },
] as const;

export type Use = (typeof USES)[number]["value"];

export function wordsOfUse(use: Use): string {
  return USES.find(({ value }) => value === use)?.name ?? use;
}
