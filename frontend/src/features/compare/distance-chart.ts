/** The chart of distances: a judge a line, a point. */
import { AXIS_NAME_HEIGHT, namesAxis, type Drawn, type Plot } from "../../lib/chart-axes";
import type { Evaluator } from "../../api/schema";

const ROW_HEIGHT = 28;
const LETTER_WIDTH = 6.2;

export function chartHeight(count: number): number {
  return count * ROW_HEIGHT + 48 + AXIS_NAME_HEIGHT;
}

export function drawDistances(plot: Plot, width: number, evaluators: readonly Evaluator[]): Drawn {
  const names = new Map(evaluators.map(({ key, name }) => [key, name]));
  const longest = Math.max(...evaluators.map(({ name }) => name.length));
  const points = evaluators.map(({ key, distance }) => ({
    key,
    distance: 100 * (distance.value ?? 0),
  }));
  const marginLeft = Math.min(longest * LETTER_WIDTH + 14, width * 0.45);
  return plot.plot({
    width,
    height: chartHeight(evaluators.length),
    marginLeft,
    marginTop: AXIS_NAME_HEIGHT,
    marginBottom: 40,
    x: {
      label: "Mean distance from people, points",
      labelAnchor: "center",
      grid: true,
      nice: true,
      zero: true,
    },
    y: { domain: points.map(({ key }) => key), label: null },
    marks: [
      namesAxis(plot, { label: "Judge", room: marginLeft, nameOf: (key) => names.get(key) ?? key }),
      plot.ruleY(points, { y: "key", x1: 0, x2: "distance", stroke: "var(--chart-muted)", strokeWidth: 4 }),
      plot.dot(points, { y: "key", x: "distance", r: 5, fill: "var(--chart-1)", stroke: "var(--paper)" }),
    ],
  });
}
