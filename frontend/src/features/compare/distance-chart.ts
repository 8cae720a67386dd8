/** The chart of distances: a judge a line, a point. */
import { type Drawn, namedRows, type Plot, tickSpacing } from "../../lib/chart-axes";
import type { Evaluator } from "../../api/schema";

export function drawDistances(plot: Plot, width: number, evaluators: readonly Evaluator[]): Drawn {
  const { frame, axis, dy } = namedRows(plot, width, "Judge", evaluators);
  const points = evaluators.map(({ key, distance }) => ({ key, distance: 100 * (distance.value ?? 0) }));
  return plot.plot({
    ...frame,
    x: {
      label: "Distance from people (points)",
      labelArrow: "none",
      labelAnchor: "center",
      grid: true,
      nice: true,
      zero: true,
      tickSpacing: tickSpacing(width),
    },
    marks: [
      axis,
      plot.ruleY(points, {
        y: "key",
        x1: 0,
        x2: "distance",
        dy,
        stroke: "var(--chart-muted)",
        strokeWidth: 4,
      }),
      plot.dot(points, { y: "key", x: "distance", dy, r: 5, fill: "var(--chart-1)", stroke: "var(--paper)" }),
    ],
  });
}
