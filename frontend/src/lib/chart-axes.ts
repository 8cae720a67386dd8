/** What charts share: the names of their axes, and lines that stay legible over what they cross. */
import type * as PlotLibrary from "@observablehq/plot";

export type Plot = typeof PlotLibrary;
export type Drawn = HTMLElement | SVGElement;

/** Under words and thin lines, so that what they cross does not swallow them. */
export const HALO = { stroke: "var(--paper)", strokeWidth: 4 } as const;

/** Room over a chart for the name of its left axis. */
export const AXIS_NAME_HEIGHT = 18;

const TEXT_HEIGHT = 11;

interface NamesAxis {
  /** What the names are of, such as "System". */
  readonly label: string;
  /** The width that the names have; longer ones end in an ellipsis. */
  readonly room: number;
  readonly nameOf?: (key: string) => string;
}

/** The left axis of a chart with a named row each. */
export function namesAxis(plot: Plot, { label, room, nameOf = (key) => key }: NamesAxis) {
  return plot.axisY({
    label,
    labelAnchor: "top",
    labelArrow: "none",
    tickFormat: nameOf,
    tickSize: 0,
    lineWidth: (room - 12) / TEXT_HEIGHT,
    textOverflow: "ellipsis",
  });
}
