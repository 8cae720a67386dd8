/** Pairs of systems by one way of judging, as plain values. */
import type { SystemsPair } from "../../api/contract";
import { countOf, formatCount } from "../../lib/numbers";

/** Two systems that cannot be told apart, the one ahead first; with its difference and interval so. */
export interface OpenPair {
  readonly key: string;
  readonly ahead: string;
  readonly behind: string;
  readonly questions: number;
  readonly difference: number;
  readonly interval: readonly number[] | null;
  readonly p: number | null;
  readonly words: string;
}

/** Those that share questions and that Holm's correction leaves indistinguishable, the least sure last. */
export function openPairs(pairs: readonly SystemsPair[]): readonly OpenPair[] {
  return pairs
    .filter(({ is_distinguishable }) => !is_distinguishable)
    .flatMap(({ difference, ...pair }) => (difference === null ? [] : [turned({ ...pair, difference })]))
    .toSorted((a, b) => (a.p ?? 1) - (b.p ?? 1) || b.difference - a.difference || (a.key < b.key ? -1 : 1));
}

function turned({
  first,
  second,
  difference,
  interval,
  p_value,
  questions,
  words,
}: SystemsPair & { readonly difference: number }): OpenPair {
  const key = `${first} ${second}`;
  const shared = { key, questions, p: p_value, words };
  if (difference >= 0) return { ...shared, ahead: first, behind: second, difference, interval };
  const [low, high] = interval ?? [];
  const mirrored = low === undefined || high === undefined ? null : [-high, -low];
  return { ...shared, ahead: second, behind: first, difference: -difference, interval: mirrored };
}

/** How many of how many, and by what. */
export function openPairsWords(pairs: readonly SystemsPair[], way: string): string {
  const compared = pairs.filter(({ difference }) => difference !== null);
  const open = openPairs(pairs).length;
  if (compared.length === 0) return `By ${way} no two systems share a question.`;
  const all = countOf(compared.length, "pair");
  if (open === 0)
    return `By ${way} all of ${all} of systems can be told apart, after correction for so many (Holm).`;
  return `By ${way} ${formatCount(open)} of ${all} of systems cannot be told apart, after correction for so many (Holm, at 5 %). Differences, in points, and their intervals are over the questions both answered.`;
}

/** A line a pair, of all: the file may be wanted for those that can be told apart, too. */
export function pairsCsv(pairs: readonly SystemsPair[], way: string) {
  return pairs.map((pair) => ({
    first: pair.first,
    second: pair.second,
    judged_by: way,
    questions: pair.questions,
    difference: pair.difference,
    low: pair.interval?.[0],
    high: pair.interval?.[1],
    p_holm: pair.p_value,
    distinguishable: pair.is_distinguishable ? "yes" : "no",
    first_only: pair.first_only,
    second_only: pair.second_only,
    mcnemar_p: pair.mcnemar_p,
  }));
}

/** "< 0.001", or "0.021" behind `sign`. */
export function probabilityWords(value: number, sign = ""): string {
  return value < 0.001 ? "< 0.001" : `${sign}${value.toFixed(3)}`;
}
