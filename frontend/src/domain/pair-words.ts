/** Two by two: systems by one way of judging, or judges beside people, as plain values. */
import type { ComparedPair } from "../api/schema";
import type { Figure } from "../components/figure";
import { countOf, formatCount } from "../lib/numbers";

/** What two have in common: systems questions, judges answers. */
export type Unit = "question" | "answer";

/** A pair with the one ahead first, and with its difference and interval so. */
export interface Pair {
  readonly key: string;
  readonly ahead: string;
  readonly behind: string;
  readonly difference: Figure;
  /** Rows that one alone has right; null of means of scores. */
  readonly aheadOnly: number | null;
  readonly behindOnly: number | null;
  /** As it came. */
  readonly of: ComparedPair;
}

/** Those that share rows, the least sure last. */
export function turnedPairs(pairs: readonly ComparedPair[]): readonly Pair[] {
  const valueOf = ({ difference }: Pair) => difference.value ?? 0;
  return pairsOf(pairs)
    .filter(({ difference }) => difference.value !== null)
    .toSorted(
      (a, b) =>
        (a.of.p_value ?? 1) - (b.of.p_value ?? 1) || valueOf(b) - valueOf(a) || (a.key < b.key ? -1 : 1),
    );
}

/** Of these, those that Holm's correction leaves indistinguishable. */
export function openPairs(pairs: readonly ComparedPair[]): readonly Pair[] {
  return turnedPairs(pairs).filter(({ of }) => !of.is_distinguishable);
}

export function pairsOf(pairs: readonly ComparedPair[]): readonly Pair[] {
  return pairs.map((of) => {
    const { first, second, difference, first_only, second_only } = of;
    const key = `${first} ${second}`;
    const { value, low, high } = difference;
    if (value === null || value >= 0)
      return {
        key,
        of,
        ahead: first,
        behind: second,
        difference,
        aheadOnly: first_only,
        behindOnly: second_only,
      };
    return {
      key,
      of,
      ahead: second,
      behind: first,
      difference: { ...difference, value: -value, low: high && -high, high: low && -low },
      aheadOnly: second_only,
      behindOnly: first_only,
    };
  });
}

/** Of systems: how many of how many, and by what. */
export function openPairsWords(pairs: readonly ComparedPair[], way: string): string {
  const compared = pairs.filter(({ difference }) => difference.value !== null);
  const open = openPairs(pairs).length;
  if (compared.length === 0) return `No two systems have scores from “${way}” on the same question.`;
  const all = countOf(compared.length, "pair");
  const left = pairs.length - compared.length;
  const rest = left === 0 ? "" : ` ${countOf(left, "other pair")} cannot be compared yet.`;
  if (compared.length === 1) {
    const two = `According to “${way},” the two systems${left === 0 ? "" : " that can be compared"}`;
    return open === 0
      ? `${two} differ significantly (at the 5% level).${rest}`
      : `${two} do not differ significantly (at the 5% level). Chance alone could explain this difference.${rest}`;
  }
  if (open === 0)
    return `According to “${way},” all ${all} of systems${left === 0 ? "" : " that can be compared"} differ significantly (Holm-corrected, at the 5% level).${rest}`;
  return `According to “${way},” ${formatCount(open)} of ${all} of systems ${open === 1 ? "does" : "do"} not differ significantly (Holm-corrected, at the 5% level). Chance alone could explain ${open === 1 ? "this difference" : "these differences"}.${rest}`;
}

/** Of judges: how many can be told apart, and over what. */
export function judgePairsWords(pairs: readonly ComparedPair[]): string {
  const compared = pairs.filter(({ difference }) => difference.value !== null);
  if (compared.length === 0) return "No two judges have verdicts on the same decided answers.";
  const sure = compared.filter(({ is_distinguishable }) => is_distinguishable).length;
  const how =
    compared.length === 1
      ? `The two judges${pairs.length === 1 ? "" : " that can be compared"} ${sure === 1 ? "differ" : "do not differ"} significantly (at the 5% level).`
      : `${formatCount(sure)} of ${countOf(compared.length, "pair")} of judges ${sure === 1 ? "differs" : "differ"} significantly (Holm-corrected, at the 5% level).`;
  return `${how} Differences are in points of agreement with people, on answers that people decided and both judges scored. Intervals are computed over questions.`;
}

/** "< 0.001", or "0.021" behind `sign`. */
export function probabilityWords(value: number, sign = ""): string {
  return value < 0.001 ? "< 0.001" : `${sign}${value.toFixed(3)}`;
}
