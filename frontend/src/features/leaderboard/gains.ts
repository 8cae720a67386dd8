/** What systems gain from one way of judging to another, as plain values. */
import type { SystemGain, SystemMove } from "../../api/schema";
import type { Dumbbell } from "./dumbbell-chart";

/** Finds a system's gain in a column; nothing while that is computed, or where it is undefined. */
export type GainOf = (column: string, system: string) => SystemGain | undefined;

export function gainFinder(found: readonly SystemGain[] | undefined): GainOf {
  const columns = new Map<string, Map<string, SystemGain>>();
  for (const gain of found ?? []) {
    const own = columns.get(gain.column) ?? new Map<string, SystemGain>();
    columns.set(gain.column, own.set(gain.system, gain));
  }
  return (column, system) => columns.get(column)?.get(system);
}

interface Computed {
  readonly isPending: boolean;
  readonly isError: boolean;
}

/** What stands beside a table of differences. */
export function gainsWords({ isPending, isError }: Computed): string {
  if (isPending) return "Intervals of the differences are being computed …";
  if (isError) return "The intervals of the differences could not be computed.";
  return "Intervals are of 95 %. Differences are over the questions that both ways have judged, so that they may differ from the scores beside them.";
}

/** The difference over the questions both have judged; none of different ones before it is computed. */
export function difference({ from, to }: Dumbbell, gain: SystemGain | undefined): number | null {
  return from.n === to.n ? to.value - from.value : (gain?.difference ?? null);
}

/** The difference as a share of the score it starts from. */
export function relative({ from, to }: Dumbbell, gain: SystemGain | undefined): number | null {
  if (from.n !== to.n) return gain?.relative ?? null;
  return from.value === 0 ? null : (to.value - from.value) / from.value;
}

export function beforeAfterCsv(pair: Dumbbell, before: string, after: string, gain: SystemGain | undefined) {
  const { system, label, from, to } = pair;
  return {
    system,
    label,
    ...scoreCells(before, from),
    ...scoreCells(after, to),
    difference: difference(pair, gain),
    "difference low": gain?.interval?.[0],
    "difference high": gain?.interval?.[1],
    relative: relative(pair, gain),
    "relative low": gain?.relative_interval?.[0],
    "relative high": gain?.relative_interval?.[1],
  };
}

function scoreCells(name: string, { value, correct, n, low, high }: Dumbbell["from"]) {
  return {
    [name]: value,
    [`${name} right`]: correct,
    [`${name} n`]: n,
    [`${name} low`]: low,
    [`${name} high`]: high,
  };
}

export function moved({ n, before, after }: SystemMove): number {
  return (after - before) / n;
}

export function moveCsv(move: SystemMove, gain: SystemGain | undefined) {
  const { system, label, n, before, after, turned_right, turned_wrong } = move;
  return {
    system,
    label,
    n,
    before,
    after,
    turned_right,
    turned_wrong,
    difference: moved(move),
    difference_low: gain?.interval?.[0],
    difference_high: gain?.interval?.[1],
  };
}
