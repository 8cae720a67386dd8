/** The slope chart: how each system's rank or score changes from way to way of judging. */
import type * as PlotLibrary from "@observablehq/plot";
import type { LeaderboardColumn, LeaderboardRow } from "../../api/contract";
import { formatCount, formatPoints } from "../../lib/numbers";

export type Measure = "rank" | "score";

export interface SlopePoint {
  readonly system: string;
  readonly label: string;
  readonly key: string;
  readonly way: string;
  readonly value: number;
  readonly text: string;
}

/**
 * The columns from exact match to people, in between the other judges in the order of the table.
 * Judging against amended gold repeats the human column and F1 has another unit, so both stay out.
 */
export function slopeColumns(
  columns: readonly LeaderboardColumn[],
  human: LeaderboardColumn | null,
): LeaderboardColumn[] {
  const judges = columns.filter(
    ({ kind, gold, unit }) => kind === "judge" && gold !== "amended" && unit !== "f1",
  );
  return human ? [...judges, human] : judges;
}

export function slopePoints(
  rows: readonly LeaderboardRow[],
  columns: readonly LeaderboardColumn[],
  measure: Measure,
): SlopePoint[] {
  return rows.flatMap((row) =>
    columns.flatMap((column) => {
      const score = row.scores[column.key];
      const value = measure === "rank" ? score?.rank : score?.value;
      if (value === undefined || value === null) return [];
      const text = measure === "rank" ? formatCount(value) : formatPoints(value);
      return [{ system: row.system, label: row.label, key: column.key, way: column.name, value, text }];
    }),
  );
}

interface SlopeChart {
  readonly points: readonly SlopePoint[];
  readonly columns: readonly LeaderboardColumn[];
  readonly measure: Measure;
  readonly highlighted: readonly string[];
}

/** Lines that rise from the first to the last column are blue, falling ones rust, level ones gray. */
function colorsOf(
  points: readonly SlopePoint[],
  { columns, measure, highlighted }: SlopeChart,
): Map<string, string> {
  const colors = new Map<string, string>();
  for (const system of new Set(points.map((point) => point.system))) {
    const own = points.filter((point) => point.system === system);
    const first = own.find(({ key }) => key === columns[0]?.key)?.value;
    const last = own.find(({ key }) => key === columns.at(-1)?.key)?.value;
    const gain = first === undefined || last === undefined ? 0 : measure === "rank" ? first - last : 0;
    const moved = Math.abs(gain) >= 2;
    const color = gain > 0 ? "var(--chart-1)" : "var(--chart-2)";
    const isDimmed = highlighted.some(Boolean) ? !highlighted.includes(system) : !moved;
    colors.set(system, isDimmed ? "var(--chart-muted)" : moved ? color : "var(--chart-1)");
  }
  return colors;
}

/** Labels that would print over each other are moved apart, in the units of the scale. */
export function spread(values: readonly number[], gap: number): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const placed = [...values];
  let last = -Infinity;
  for (const { value, index } of order) {
    last = Math.max(value, last + gap);
    placed[index] = last;
  }
  return placed;
}

export function drawSlope(
  plot: typeof PlotLibrary,
  width: number,
  chart: SlopeChart,
): HTMLElement | SVGElement {
  const { points, columns, measure } = chart;
  const isNarrow = width < 480;
  const height = 400;
  const margins = {
    marginLeft: isNarrow ? 34 : 140,
    marginRight: isNarrow ? 112 : 140,
    marginTop: 44,
    marginBottom: 12,
  };
  const values = points.map(({ value }) => value);
  const domain =
    measure === "rank" ? [Math.max(...values) + 0.4, 0.6] : [Math.min(...values), Math.max(...values)];
  const colors = colorsOf(points, chart);
  const colorOf = (point: SlopePoint) => colors.get(point.system) ?? "currentColor";
  const perPixel = Math.abs((domain[1] ?? 1) - (domain[0] ?? 0)) / (height - 56);
  return plot.plot({
    width,
    height,
    ...margins,
    x: { type: "point", domain: columns.map(({ name }) => name), axis: null, padding: 0.02 },
    y: { domain, axis: null },
    marks: [
      plot.axisX({
        anchor: "top",
        label: null,
        tickSize: 0,
        lineWidth: isNarrow ? 5 : 8,
        fill: "var(--ink-soft)",
      }),
      plot.ruleX(
        columns.map(({ name }) => name),
        { stroke: "var(--line)" },
      ),
      plot.line(points, {
        x: "way",
        y: "value",
        z: "system",
        stroke: colorOf,
        strokeWidth: 2,
        curve: "bump-x",
      }),
      plot.dot(points, { x: "way", y: "value", r: 3.5, fill: colorOf, stroke: "var(--paper)" }),
      ...(isNarrow ? [] : [endLabels(plot, chart, "start", perPixel)]),
      endLabels(plot, chart, "end", perPixel),
      plot.tip(
        points,
        plot.pointer({
          x: "way",
          y: "value",
          title: (d: SlopePoint) => `${d.label}\n${d.way}: ${d.text}`,
          fill: "var(--paper-raised)",
          stroke: "var(--line-strong)",
        }),
      ),
    ],
  });
}

function endLabels(plot: typeof PlotLibrary, chart: SlopeChart, end: "start" | "end", perPixel: number) {
  const column = end === "start" ? chart.columns[0] : chart.columns.at(-1);
  const own = chart.points.filter(({ key }) => key === column?.key);
  const places = spread(
    own.map(({ value }) => value),
    perPixel * 14,
  );
  return plot.text(
    own.map((point, index) => ({ ...point, place: places[index] ?? point.value })),
    {
      x: "way",
      y: "place",
      text: (point: SlopePoint) =>
        end === "start" ? `${point.label}  ${point.text}` : `${point.text}  ${point.label}`,
      textAnchor: end === "start" ? "end" : "start",
      dx: end === "start" ? -9 : 9,
      fill: "var(--ink)",
      fontSize: 11.5,
    },
  );
}
