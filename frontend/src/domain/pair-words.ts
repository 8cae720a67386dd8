/** Two by two: systems by one way of judging, or judges beside people, as plain values. */
import type { ComparedPair } from "../api/schema";
import type { Figure } from "../components/figure";
import { countOf, formatCount } from "../lib/numbers";

/** What two have in common: systems questions, judges answers. */
export type Unit = "question" | "answer";

/** Two with rows in common, the one ahead first; with its difference and interval so. */
export interface TurnedPair {
  readonly key: string;
  readonly ahead: string;
  readonly behind: string;
  readonly rows: number;
  readonly difference: Figure & { readonly value: number };
  readonly p: number | null;
  readonly isDistinguishable: boolean;
  /** Rows that one alone has right; null of means of scores. */
  readonly aheadOnly: number | null;
  readonly behindOnly: number | null;
  readonly mcnemarP: number | null;
}

/** Those that share rows, the least sure last. */
export function turnedPairs(pairs: readonly ComparedPair[]): readonly TurnedPair[] {
  return pairs
    .flatMap(turned)
    .toSorted(
      (a, b) =>
        (a.p ?? 1) - (b.p ?? 1) || b.difference.value - a.difference.value || (a.key < b.key ? -1 : 1),
    );
}

/** Of these, those that Holm's correction leaves indistinguishable. */
export function openPairs(pairs: readonly ComparedPair[]): readonly TurnedPair[] {
  return turnedPairs(pairs).filter(({ isDistinguishable }) => !isDistinguishable);
}

function turned(pair: ComparedPair): TurnedPair[] {
  const { first, second, difference, first_only, second_only } = pair;
  const { value, low, high, why } = difference;
  if (value === null) return [];
  const shared = {
    key: `${first} ${second}`,
    rows: pair.rows,
    p: pair.p_value,
    isDistinguishable: pair.is_distinguishable,
    mcnemarP: pair.mcnemar_p,
  };
  if (value >= 0)
    return [
      {
        ...shared,
        ahead: first,
        behind: second,
        difference: { ...difference, value },
        aheadOnly: first_only,
        behindOnly: second_only,
      },
    ];
  return [
    {
      ...shared,
      ahead: second,
      behind: first,
      difference: { value: -value, low: high && -high, high: low && -low, why },
      aheadOnly: second_only,
      behindOnly: first_only,
    },
  ];
}

/** Of systems: how many of how many, and by what. */
export function openPairsWords(pairs: readonly ComparedPair[], way: string): string {
  const compared = pairs.filter(({ difference }) => difference.value !== null);
  const open = openPairs(pairs).length;
  if (compared.length === 0) return `By ${way} no two systems share a question.`;
  const all = countOf(compared.length, "pair");
  if (open === 0)
    return `By ${way} all of ${all} of systems can be told apart, after correction for so many (Holm).`;
  return `By ${way} ${formatCount(open)} of ${all} of systems cannot be told apart, after correction for so many (Holm, at 5 %). Differences, in points, and their intervals are over the questions both answered.`;
}

/** Of judges: how many can be told apart, and over what. */
export function judgePairsWords(pairs: readonly ComparedPair[]): string {
  const compared = pairs.filter(({ difference }) => difference.value !== null);
  if (compared.length === 0) return "No two judges have verdicts on the same decided answers.";
  const sure = compared.filter(({ is_distinguishable }) => is_distinguishable).length;
  return `${formatCount(sure)} of ${countOf(compared.length, "pair")} of judges can be told apart, after correction for so many (Holm, at 5 %). Differences, in points, are of how often each says what people decided, over the answers that people decided and both scored; intervals are over questions.`;
}

/** A line a pair, of all: the file may be wanted for those that can be told apart, too. */
export function pairsCsv(
  pairs: readonly ComparedPair[],
  way: string,
  unit: Unit,
  nameOf = (key: string) => key,
) {
  return pairs.map((pair) => ({
    first: nameOf(pair.first),
    second: nameOf(pair.second),
    judged_by: way,
    [`${unit}s`]: pair.rows,
    difference: pair.difference.value,
    low: pair.difference.low,
    high: pair.difference.high,
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
