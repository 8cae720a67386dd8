/** How somebody stands in the training, in words. */
import type { Trainee } from "../../api/contract";

const STATES: Readonly<Record<Trainee["state"], string>> = {
  due: "not finished",
  failed: "not passed yet",
  passed: "passed",
  let_through: "let through",
};

export function traineeWords({ state }: Trainee): string {
  return STATES[state];
}
