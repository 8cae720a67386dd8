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
/** Of a row whose name stands over its marks, and that name. */
const STACKED_HEIGHT = 44;
const NAME_HEIGHT = 18;
/** For the numbers and the name of the lower axis. */
export const BELOW = 44;
/** Narrower charts have the names of their rows over the marks, which get the whole width. */
export const NARROW = 480;

interface RowsLook {
  readonly isStacked?: boolean;
  /** What the marks of each row take beyond one line of them. */
  readonly more?: number;
}

/** How high a chart with so many named rows is, and where each row begins and ends in it. */
export function rowsLayout(count: number, { isStacked = false, more = 0 }: RowsLook = {}) {
  const row = (isStacked ? STACKED_HEIGHT : ROW_HEIGHT) + more;
  return { height: AXIS_NAME_HEIGHT + count * row + BELOW, top: AXIS_NAME_HEIGHT, row };
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

interface RowsOptions extends Pick<RowsLook, "more"> {
  /** Kept free at the right end of each name's line. */
  readonly free?: number;
}

/** A chart with a named row each: its frame, the axis of the names, and how far below a row's middle its marks are. */
export function namedRows(
  plot: Plot,
  width: number,
  label: string,
  rows: readonly Named[],
  { more = 0, free = 0 }: RowsOptions = {},
) {
  const isStacked = width < NARROW;
  if (isStacked) return stackedRows(plot, width, label, rows, { more, free });
  const names = new Map(rows.map(({ key, name }) => [key, name]));
  const marginLeft = roomForNames([...names.values()], width);
  return {
    dy: 0,
    nameDy: 0,
    isStacked,
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

/** The same with each name on a line of its own over its marks. */
function stackedRows(
  plot: Plot,
  width: number,
  label: string,
  rows: readonly Named[],
  { more, free }: Required<RowsOptions>,
) {
  const { height, row } = rowsLayout(rows.length, { isStacked: true, more });
  const nameDy = NAME_HEIGHT / 2 - row / 2 + 2;
  const axis = plot.axisY({
    label,
    labelAnchor: "top",
    labelArrow: "none",
    anchor: "left",
    textAnchor: "start",
    tickFormat: (key: string) => rows.find((each) => each.key === key)?.name ?? key,
    tickSize: 0,
    tickPadding: 0,
    insetLeft: 0,
    dx: -STACKED_MARGIN + 4,
    dy: nameDy,
    lineWidth: (width - free - 8) / TEXT_HEIGHT,
    textOverflow: "ellipsis",
  });
  return {
    // The marks have what the name leaves of the row; the first of their lines is in its upper part.
    dy: (NAME_HEIGHT - more) / 2,
    nameDy,
    isStacked: true,
    frame: {
      width,
      height,
      marginLeft: STACKED_MARGIN,
      marginRight: STACKED_MARGIN,
      marginTop: AXIS_NAME_HEIGHT,
      marginBottom: BELOW,
      y: { domain: rows.map(({ key }) => key), label: null },
    },
    axis,
  };
}

/** So that the numbers at the ends of the scale are whole. */
const STACKED_MARGIN = 16;

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
