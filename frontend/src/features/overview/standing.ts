/** The overview's facts as sentences and links. */
import type { Overview } from "../../api/contract";
import type { Stage } from "../../components/stage-bar";
import { countOf, formatCount } from "../../lib/numbers";
import { formatDuration } from "../../lib/time";

/** Where a stage's answers can be looked at. */
const PAGE_OF_STAGE: Readonly<Record<string, string>> = { disputed: "queue" };

export function stagesWithLinks(slug: string, stages: Overview["stages"]): Stage[] {
  return stages.map((stage) => ({
    ...stage,
    href: `/${slug}/${PAGE_OF_STAGE[stage.key] ?? `answers?state=${stage.key}`}`,
  }));
}

/** The page's answer in one sentence. */
export function standingWords(overview: Overview): string {
  if (overview.answers === 0 && overview.left_out === 0) return "Nothing has been imported yet.";
  const size = `${countOf(overview.answers, "answer")} to ${questionsWords(overview)}`;
  const leftOut = `${unaskedWords(overview)}${leftOutWords(overview.left_out)}`;
  if (isAllDecided(overview)) return `All ${size} are decided.${leftOut}`;
  const rest = forecastWords(overview.forecast_seconds);
  return `${formatCount(decidedOf(overview))} of ${size} are decided${rest}.${leftOut}`;
}

/** Whether no answer is left that people could decide. */
export function isAllDecided(overview: Overview): boolean {
  return decidedOf(overview) >= overview.answers;
}

function decidedOf({ stages }: Pick<Overview, "stages">): number {
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
  return count === 0 ? "" : ` Raters took ${countOf(count, "question")} out of every score.`;
}

function forecastWords(seconds: number | null): string {
  return seconds === null ? "" : `; at this pace about ${formatDuration(seconds)} of work is left`;
}
