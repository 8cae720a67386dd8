/** What the alternative annotator test found of a judge, as boards say it. */
import type { Replacement } from "../api/schema";
import { countOf, formatPoints } from "../lib/numbers";

/** Of how many raters the test needs votes on the same answers. */
export const FEWEST_RATERS = 3;

/**
 * What a protocol with so few raters for each answer may never tell; empty where it has enough. Two for each
 * answer are enough where three take turns.
 */
export function untestableWords(raters: number | string): string {
  // Not a number yet, while somebody types.
  if (typeof raters === "string" || raters < 1 || raters >= FEWEST_RATERS) return "";
  const test = "test later whether a judge can replace an annotator (alternative annotator test)";
  if (raters === 1)
    return `With one annotator for each answer, you cannot ${test}. The test needs at least ${FEWEST_RATERS} annotators who judge the same answers. Tie-break votes do not count. You also cannot measure how much annotators agree.`;
  return `To ${test}, you need at least ${FEWEST_RATERS} annotators who judge the same answers, so ${raters} annotators in all are too few. Tie-break votes do not count.`;
}

interface Tested {
  readonly replaces: Exclude<Replacement["replaces"], "few_votes">;
  /** Of the raters, those than whom the judge is worse by less than ε. */
  readonly won: number;
  readonly raters: number;
  /** Of how many that holds once the tests of all judges are corrected together. */
  readonly together?: string;
}

/** Why the judge may replace a rater or may not, as the end of a sentence. */
export function behindWords(found: Tested, epsilon: number): string {
  const {
    replaces,
    won,
    raters,
    together = "fewer than half after correction for testing all judges",
  } = found;
  const behind = (count: string) =>
    `it trails an annotator by significantly less than ${formatPoints(epsilon, 0)} points in ${count} of ${countOf(raters, "comparison")}`;
  switch (replaces) {
    case "yes":
      return behind(`${won}`);
    case "no":
      return `${behind(`only ${won}`)}, and at least half are required`;
    case "chance":
      return `${behind(`${won}`)} before correction, but in ${together}`;
  }
}
