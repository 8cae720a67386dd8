/** Whether a judge may take a person's place, in a sentence. */
import type { Replacement, Replacements } from "../../../api/schema";
import { countOf, formatPoints } from "../../../lib/numbers";

export const ANSWERS: Readonly<Record<Replacement["replaces"], string>> = {
  yes: "Yes",
  no: "No",
  chance: "No",
  few_votes: "Not enough votes",
};

type Test = Pick<Replacements, "epsilon" | "judges">;

/** Why a judge may or may not, as the end of a sentence that began with the answer. */
export function reasonOf(judge: Replacement, { epsilon, judges }: Test): string {
  const raters = judge.raters.length;
  const behind = `${formatPoints(epsilon, 0)} points behind`;
  switch (judge.replaces) {
    case "yes":
      return `it is surely less than ${behind} ${judge.won} of ${countOf(raters, "rater")}`;
    case "no":
      return `it is surely less than ${behind} only ${judge.won} of ${countOf(raters, "rater")}, and half of them are needed`;
    case "chance":
      return `it is less than ${behind} ${judge.won} of ${countOf(raters, "rater")} by its own tests, but only ${judge.won_together} where the tests of all ${countOf(judges.length, "judge")} are corrected together, as whoever picks one of many must`;
    case "few_votes":
      return fewWords(raters, judge.compared);
  }
}

function fewWords(raters: number, compared: number): string {
  if (compared === 0) return "it has judged no answer that two raters judged";
  const enough = raters === 0 ? "none" : `only ${raters}`;
  return `${enough} of ${countOf(compared, "rater")} shared 30 answers with another rater and this judge, and three are needed`;
}
