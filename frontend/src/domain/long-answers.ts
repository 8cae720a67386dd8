/** A remark where answers are so long that exact match says little of them. */
import { listOf } from "../lib/lists";
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
  return `Most answers by ${listOf(named)} are longer than gold answers, so exact match rejects even correct ones. For these systems, the gain over exact match reflects answer length more than amended gold.`;
}

function wordsOf(median: number): string {
  return `median ${formatFixedNumber(median, Number.isInteger(median) ? 0 : 1)} words`;
}
