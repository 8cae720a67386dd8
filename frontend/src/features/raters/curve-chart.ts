/** The curve of a rater's agreement: a point a period, with its interval. */
import { type Drawn, OVER_SCALE, type Plot } from "../../lib/chart-axes";
import type { RaterDetail } from "../../api/schema";

type Period = RaterDetail["periods"][number];

const HEIGHT = 232;

export function drawCurve(plot: Plot, width: number, periods: readonly Period[]): Drawn {
  const points = periods.map(({ agreement }, index) => ({
    part: index + 1,
    value: 100 * (agreement.value ?? 0),
    low: 100 * (agreement.low ?? 0),
    high: 100 * (agreement.high ?? 0),
  }));
  const low = Math.min(...points.map((point) => point.low));
  return plot.plot({
    width,
    height: HEIGHT,
    marginLeft: 40,
    marginBottom: 40,
    marginTop: OVER_SCALE,
    x: {
      label: "Part of this annotator’s work, in order",
      ticks: points.map(({ part }) => part),
      tickFormat: "d",
      inset: 16,
    },
    y: { label: "↑ Agreement (%)", domain: [Math.max(0, Math.floor(low / 10) * 10 - 10), 100], grid: true },
    marks: [
      plot.ruleX(points, { x: "part", y1: "low", y2: "high", stroke: "var(--chart-muted)", strokeWidth: 3 }),
      plot.line(points, { x: "part", y: "value", stroke: "var(--chart-1)", strokeWidth: 2 }),
      plot.dot(points, { x: "part", y: "value", r: 4, fill: "var(--chart-1)", stroke: "var(--paper)" }),
    ],
  });
}
