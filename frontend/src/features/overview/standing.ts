/** The overview's answer in one sentence. */
import type { Overview } from "../../api/schema";
import { countOf, formatCount } from "../../lib/numbers";

export function standingWords(overview: Overview): string {
  if (overview.answers === 0 && overview.left_out === 0) return "Nothing has been imported yet.";
  const size = `${countOf(overview.answers, "distinct answer")} to ${questionsWords(overview)}`;
  const leftOut = `${unaskedWords(overview)}${leftOutWords(overview.left_out)}`;
  if (isAllDecided(overview))
    return `${overview.answers === 1 ? "The only answer is" : `All ${size} are`} decided.${leftOut}`;
  const decided = decidedOf(overview);
  return `${formatCount(decided)} of ${size} ${decided === 1 ? "is" : "are"} decided.${leftOut}`;
}

/** Whether no answer is left that people could decide. */
export function isAllDecided(overview: Pick<Overview, "answers" | "stages">): boolean {
  return decidedOf(overview) >= overview.answers;
}

export function decidedOf({ stages }: Pick<Overview, "stages">): number {
  return stages.find(({ key }) => key === "decided")?.count ?? 0;
}

/** "301 of 3,610 questions" where nobody judges answers to the others. */
function questionsWords({ asked_questions, questions }: Overview): string {
  const all = countOf(questions, "question");
  return asked_questions < questions ? `${formatCount(asked_questions)} of ${all}` : all;
}

function unaskedWords({ asked_questions, questions }: Overview): string {
  return asked_questions < questions ? " The other questions have no answer for people to judge." : "";
}

function leftOutWords(count: number): string {
  return count === 0 ? "" : ` Annotators excluded ${countOf(count, "question")} from all scores.`;
}
