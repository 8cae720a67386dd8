/** A remark where answers are so long that exact match says little of them. */
import { formatFixedNumber } from "../lib/numbers";

interface Answers {
  readonly label: string;
  readonly median_words: number;
  readonly has_long_answers: boolean;
}

const NAMED = 4;

/** Whose step from exact match is to be read with care; empty where answers are short. */
export function longAnswersWords(systems: readonly Answers[]): string {
  const long = systems.filter(({ has_long_answers }) => has_long_answers);
  if (long.length === 0) return "";
  const named = long.slice(0, NAMED).map(({ label, median_words }) => `${label} (${wordsOf(median_words)})`);
  if (long.length > NAMED) named.push(`${String(long.length - NAMED)} more`);
  return `Answers of ${joined(named)} are mostly longer than gold answers, so exact match rejects even the right ones: a step from exact match tells more of their length than of amendment.`;
}

/** The same of one system that was named before. */
export function longAnswersRemark(answers: Omit<Answers, "label">): string {
  if (!answers.has_long_answers) return "";
  return `Its answers are long (${wordsOf(answers.median_words)}), and exact match rejects even the right ones: the gain tells more of their length than of amendment.`;
}

function wordsOf(median: number): string {
  return `median ${formatFixedNumber(median, Number.isInteger(median) ? 0 : 1)} words`;
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`;
}
