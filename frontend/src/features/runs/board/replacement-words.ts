/** Whether a judge may take a person's place, in a sentence. */
import type { Replacement, Replacements } from "../../../api/schema";
import { behindWords, FEWEST_RATERS } from "../../../domain/rater-test";
import { countOf } from "../../../lib/numbers";

export const ANSWERS: Readonly<Record<Replacement["replaces"], string>> = {
  yes: "Yes",
  no: "No",
  chance: "No",
  few_votes: "Not enough votes",
};

type Test = Pick<Replacements, "epsilon" | "judges">;

/** Why a judge may or may not, as the end of a sentence that began with the answer. */
export function reasonOf(judge: Replacement, { epsilon, judges }: Test): string {
  const { replaces, won, won_together, compared } = judge;
  const raters = judge.raters.length;
  if (replaces === "few_votes") return fewWords(raters, compared);
  const together = `only ${won_together} after correction for testing all ${countOf(judges.length, "judge")}`;
  return behindWords({ replaces, won, raters, together }, epsilon);
}

/** Why no judge can be tested here, whatever it says: nothing where enough raters' votes count. */
export function votesWords(found: Pick<Replacements, "raters" | "tie_breakers">): string | null {
  const { raters, tie_breakers: breakers } = found;
  if (raters >= FEWEST_RATERS) return null;
  const none = raters === 0;
  const others = `${countOf(breakers, none ? "annotator" : "more annotator")} only broke ties. Tie-break votes do not count, because they are cast only when annotators disagree.`;
  return `The test needs ${FEWEST_RATERS} annotators who judged the same answers, but ${none ? "none" : `only ${raters}`} did. ${breakers > 0 ? others : ""}`.trim();
}

/** What lets the test run; nothing where the protocol asks for enough raters already. */
export function protocolWords({ raters_per_answer: asked }: Pick<Replacements, "raters_per_answer">) {
  if (asked >= FEWEST_RATERS) return null;
  return `The protocol asks for ${countOf(asked, "annotator")} per answer. To run the test, set “Annotators per answer” to ${FEWEST_RATERS}.`;
}

function fewWords(raters: number, compared: number): string {
  if (compared === 0) return "it has no verdicts on answers that two annotators judged";
  if (compared < FEWEST_RATERS)
    return `the votes of only ${countOf(compared, "annotator")} count, and 3 are required`;
  const enough = raters === 0 ? "none" : `only ${raters}`;
  return `${enough} of ${countOf(compared, "annotator")} ${raters === 1 ? "has" : "have"} judged at least 30 answers that this judge and another annotator have also judged, and 3 such annotators are required`;
}
