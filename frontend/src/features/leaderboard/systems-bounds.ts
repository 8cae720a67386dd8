/** Between what the shares of systems beside each other lie: nothing while that is computed, or undefined. */
import type { SystemsBoard, SystemsIntervals } from "../../api/schema";
import { pairsByEnds } from "../../components/pair-grid";

export type Bounds = readonly number[] | null | undefined;
type Pair = SystemsBoard["pairs"][number];
type Coverage = SystemsBoard["systems"][number];
export type PairMeasure = "agreement" | "oracle";

export interface SystemBounds {
  readonly ofPair: (one: string, other: string, measure: PairMeasure) => Bounds;
  readonly ofSystem: (system: string, figure: "coverage" | "right") => Bounds;
  readonly rightBy: readonly Bounds[];
  readonly oracle: Bounds;
}

export function systemBounds(found: SystemsIntervals | undefined): SystemBounds {
  const between = pairsByEnds(found?.pairs ?? [], ({ first, second }) => [first, second]);
  const systems = new Map(found?.systems.map(({ system, figures }) => [system, figures]));
  return {
    ofPair: (one, other, measure) => between(one, other)?.figures[measure],
    ofSystem: (system, figure) => systems.get(system)?.[figure],
    rightBy: found?.right_by ?? [],
    oracle: found?.oracle,
  };
}

export function pairCsv({ first, second, questions, agreement, oracle }: Pair, bounds: SystemBounds) {
  const agreeing = bounds.ofPair(first, second, "agreement");
  const together = bounds.ofPair(first, second, "oracle");
  return {
    first,
    second,
    questions,
    agreement,
    agreement_low: agreeing?.[0],
    agreement_high: agreeing?.[1],
    right_together: oracle,
    right_together_low: together?.[0],
    right_together_high: together?.[1],
  };
}

/** A row a number of systems, then one for any of them. */
export function rightByCsv(
  { right_by: counts, answered_by_all: all, oracle }: SystemsBoard,
  bounds: SystemBounds,
) {
  const rows = counts.map((questions, systems) => ({
    right_by: String(systems),
    questions,
    share: questions / all,
    share_low: bounds.rightBy[systems]?.[0],
    share_high: bounds.rightBy[systems]?.[1],
  }));
  if (oracle === null) return rows;
  const [low, high] = bounds.oracle ?? [];
  const any = { right_by: "any", questions: all - (counts[0] ?? 0), share: oracle };
  return [...rows, { ...any, share_low: low, share_high: high }];
}

export function coverageCsv({ system, answered, right }: Coverage, questions: number, bounds: SystemBounds) {
  const coverage = bounds.ofSystem(system, "coverage");
  const rights = bounds.ofSystem(system, "right");
  return {
    system,
    questions,
    answered,
    answered_low: coverage?.[0],
    answered_high: coverage?.[1],
    right,
    right_low: rights?.[0],
    right_high: rights?.[1],
  };
}
