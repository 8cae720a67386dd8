/** By how many points a system has moved, with the interval once it is there. */
import { BoundedNumber } from "../../components/bounded-number";
import type { Column } from "../../components/table";
import { formatDifference } from "../../lib/numbers";
import type { GainOf } from "./gains";

export function pointsColumn<Row extends { readonly system: string }>(
  pointsOf: (row: Row) => number | null,
  gainOf: (system: string) => ReturnType<GainOf>,
): Column<Row> {
  return {
    key: "points",
    header: "Points",
    align: "end",
    cell: (row) => (
      <BoundedNumber
        text={formatDifference(pointsOf(row))}
        interval={gainOf(row.system)?.interval}
        format={formatDifference}
        words={gainWords(gainOf(row.system), "interval")}
      />
    ),
    value: pointsOf,
  };
}

/** Why a gain that there is has no interval. */
export function gainWords(
  gain: ReturnType<GainOf>,
  of: "interval" | "relative_interval",
): string | undefined {
  const value = of === "interval" ? gain?.difference : gain?.relative;
  return typeof value === "number" && gain?.[of] === null ? gain.words : undefined;
}
