/** What charts share: the names of their axes, and lines that stay legible over what they cross. */
import type * as PlotLibrary from "@observablehq/plot";

export type Plot = typeof PlotLibrary;
export type Drawn = HTMLElement | SVGElement;

/** Under words and thin lines, so that what they cross does not swallow them. */
export const HALO = { stroke: "var(--paper)", strokeWidth: 4 } as const;

/** Room over a chart for the name of its left axis. */
export const AXIS_NAME_HEIGHT = 20;

/** Room between the numbers of a scale: a narrow chart has four or five, not the library's two, a wide one ten. */
export function tickSpacing(width: number): number {
  return Math.max(44, width / 12);
}

/** Over charts whose left scale ends at the top: the name of the axis stands clear of the last number. */
export const OVER_SCALE = 32;

const TEXT_HEIGHT = 13;
/** What a letter of a name takes, about. */
export const LETTER_WIDTH = 7;
/** These are wider than most by about so much. */
const WIDE = /[\p{Lu}\p{N}mw]/gu;
const WIDER = 2;
/** Between names and rows, and left of the names. */
const BESIDE_NAMES = 12;
const SPARE = 6;
const ROW_HEIGHT = 28;
/** For the numbers and the name of the lower axis. */
const BELOW = 44;

/** How high a chart with so many named rows is, and where each row begins and ends in it. */
export function rowsLayout(count: number) {
  return { height: AXIS_NAME_HEIGHT + count * ROW_HEIGHT + BELOW, top: AXIS_NAME_HEIGHT, row: ROW_HEIGHT };
}

function widthOf(words: string): number {
  return words.length * LETTER_WIDTH + (words.match(WIDE)?.length ?? 0) * WIDER;
}

/** Names of systems have few spaces, and break behind what joins their parts. */
const PARTS = /[^\s\-_/.:]+[\s\-_/.:]*|[\s\-_/.:]+/gu;

/** Words on one line where that has room for them, else on two; what these have no room for is cut by the chart. */
export function inLines(words: string, room: number): string {
  if (widthOf(words) <= room) return words;
  const byParts = fill(words.match(PARTS) ?? [], room);
  const isWhole = byParts !== "" && widthOf(words.slice(byParts.length)) <= room;
  const first = isWhole ? byParts : fill([...words], room);
  return `${first.trimEnd()}\n${words.slice(first.length).trimStart()}`;
}

/** As many of the parts as fit. */
function fill(parts: readonly string[], room: number): string {
  let filled = "";
  for (const part of parts) {
    if (widthOf((filled + part).trimEnd()) > room) break;
    filled += part;
  }
  return filled;
}

/** What whole names take left of a chart's rows; never so much that too little of the chart is left. */
export function roomForNames(names: readonly string[], width: number): number {
  const widths = names.map(widthOf);
  return Math.min(Math.max(0, ...widths) + SPARE + BESIDE_NAMES, width * 0.42);
}

interface Named {
  readonly key: string;
  readonly name: string;
}

/** A chart with a named row each: its frame, and the axis of the names. */
export function namedRows(plot: Plot, width: number, label: string, rows: readonly Named[]) {
  const names = new Map(rows.map(({ key, name }) => [key, name]));
  const marginLeft = roomForNames([...names.values()], width);
  return {
    frame: {
      width,
      height: rowsLayout(rows.length).height,
      marginLeft,
      marginTop: AXIS_NAME_HEIGHT,
      marginBottom: BELOW,
      y: { domain: [...names.keys()], label: null },
    },
    axis: namesAxis(plot, { label, room: marginLeft, nameOf: (key) => names.get(key) ?? key }),
  };
}

interface NamesAxis {
  /** What the names are of, such as "System". */
  readonly label: string;
  /** The width that the names have; longer ones take two lines. */
  readonly room: number;
  readonly nameOf?: (key: string) => string;
}

/** Whether a name beside the rows takes two lines. */
export function hasLongNames(names: readonly string[], room: number): boolean {
  return names.some((name) => widthOf(name) > room - BESIDE_NAMES);
}

/** The left axis of a chart with a named row each. */
export function namesAxis(plot: Plot, { label, room, nameOf = (key) => key }: NamesAxis) {
  return plot.axisY({
    label,
    labelAnchor: "top",
    labelArrow: "none",
    tickFormat: (key: string) => inLines(nameOf(key), room - BESIDE_NAMES),
    tickSize: 0,
    lineWidth: (room - BESIDE_NAMES) / TEXT_HEIGHT,
    textOverflow: "ellipsis",
  });
}
