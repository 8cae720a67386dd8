/** How many questions so many systems have right, as bars. */
import type * as PlotLibrary from "@observablehq/plot";
import { AXIS_NAME_HEIGHT, namesAxis } from "../../lib/chart-axes";

interface RightByBar {
  readonly name: string;
  readonly share: number;
  readonly low: number | null;
  readonly high: number | null;
}

const ROW_HEIGHT = 22;
const ROOM = 110;

export function drawRightBy(
  plot: typeof PlotLibrary,
  width: number,
  bars: readonly RightByBar[],
): HTMLElement | SVGElement {
  const bounded = bars.filter(({ low, high }) => low !== null && high !== null);
  return plot.plot({
    width,
    height: bars.length * ROW_HEIGHT + AXIS_NAME_HEIGHT + 56,
    marginLeft: ROOM,
    marginTop: AXIS_NAME_HEIGHT + 8,
    x: { label: "Share of questions (percent)", labelArrow: "none", grid: true, nice: true, zero: true },
    y: { domain: bars.map(({ name }) => name) },
    marks: [
      namesAxis(plot, { label: "Systems that are right", room: ROOM }),
      plot.barX(bars, { x: "share", y: "name", fill: "var(--chart-1)", fillOpacity: 0.5 }),
      plot.ruleY(bounded, { x1: "low", x2: "high", y: "name", stroke: "var(--ink)" }),
    ],
  });
}
