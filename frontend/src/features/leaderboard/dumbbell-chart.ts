/** The dumbbell chart: each system's score by two ways of judging, and the way between them. */
import { type Drawn, namedRows, type Plot, tickSpacing } from "../../lib/chart-axes";
import type { LeaderboardColumn, SystemRow, Score } from "../../api/schema";

export interface Dumbbell {
  readonly system: string;
  readonly label: string;
  readonly from: Score;
  readonly to: Score;
}

/** Systems with a score by both, the best by the second first. */
export function dumbbells(rows: readonly SystemRow[], from: string, to: string): Dumbbell[] {
  return rows
    .flatMap(({ system, label, scores }) => {
      const [first, second] = [scores[from], scores[to]];
      return first && second ? [{ system, label, from: first, to: second }] : [];
    })
    .sort((a, b) => b.to.value - a.to.value || a.label.localeCompare(b.label, "en"));
}

/** What a column can be set beside: the other ways of judging in the same unit, people first. */
export function comparable(
  columns: readonly LeaderboardColumn[],
  from: LeaderboardColumn,
): LeaderboardColumn[] {
  return columns
    .filter(({ key, unit }) => key !== from.key && unit === from.unit)
    .toSorted((a, b) => Number(b.kind === "human") - Number(a.kind === "human"));
}

/** The scale's ends, at least ten points apart, so that equal scores are no scale of nothing. */
export function percentDomain(points: readonly { readonly percent: number }[]): [number, number] {
  const values = points.map(({ percent }) => percent);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const lack = Math.max(0, 10 - (high - low)) / 2;
  const start = Math.max(0, Math.min(low - lack, 90));
  return [start, Math.min(100, Math.max(high + lack, start + 10))];
}

interface DumbbellChart {
  readonly pairs: readonly Dumbbell[];
  readonly from: string;
  readonly to: string;
}

export function drawDumbbells(plot: Plot, width: number, { pairs, from, to }: DumbbellChart): Drawn {
  const systems = pairs.map(({ system, label }) => ({ key: system, name: label }));
  const { frame, axis, dy } = namedRows(plot, width, "System", systems);
  const points = pairs.flatMap(({ system, from: first, to: second }) => [
    { system, way: from, percent: first.value * 100 },
    { system, way: to, percent: second.value * 100 },
  ]);
  const rows = pairs.map((pair) => ({
    system: pair.system,
    x1: pair.from.value * 100,
    x2: pair.to.value * 100,
  }));
  return plot.plot({
    ...frame,
    x: {
      label: "Score in percent",
      domain: percentDomain(points),
      grid: true,
      nice: true,
      labelAnchor: "center",
      tickSpacing: tickSpacing(width),
    },
    // Told apart by shape too: an open ring before, a full dot after.
    color: { domain: [from, to], range: ["var(--chart-2)", "var(--chart-1)"] },
    marks: [
      axis,
      plot.ruleY(rows, { y: "system", x1: "x1", x2: "x2", dy, stroke: "var(--chart-muted)", strokeWidth: 2 }),
      plot.dot(
        points.filter(({ way }) => way === from),
        { x: "percent", y: "system", dy, r: 5, stroke: "way", fill: "var(--paper)", strokeWidth: 2 },
      ),
      plot.dot(
        points.filter(({ way }) => way === to),
        { x: "percent", y: "system", dy, r: 5, fill: "way" },
      ),
    ],
  });
}
