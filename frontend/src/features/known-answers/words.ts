/** Uses of known answers, and how somebody stands in the training, in words. */
import type { KnownAnswer, Trainee } from "../../api/contract";

export const USES = [
  { value: "hidden", name: "Hidden among the work" },
  { value: "training", name: "For training" },
] as const;

export function wordsOfUse(use: KnownAnswer["use"]): string {
  return USES.find(({ value }) => value === use)?.name ?? use;
}

const STATES: Readonly<Record<Trainee["state"], string>> = {
  due: "not finished",
  failed: "not passed yet",
  passed: "passed",
  let_through: "let through",
};

export function traineeWords({ state }: Trainee): string {
  return STATES[state];
}
