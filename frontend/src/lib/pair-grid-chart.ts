/** A figure for every two of the same things, drawn as a picture: squares the deeper, the more alike. */
import type * as PlotLibrary from "@observablehq/plot";
import { namesAxis } from "./chart-axes";

export interface Member {
  readonly key: string;
  readonly name: string;
}

/** depth: from 0 to 1; what is beyond is as deep as the end. */
export interface Square {
  readonly depth: number;
  readonly text: string;
}

export interface Squares {
  /** What the rows and columns are: "System". */
  readonly of: string;
  readonly rows: readonly Member[];
  readonly columns: readonly Member[];
  /** Null where the picture stays white. */
  readonly squareOf: (row: string, column: string) => Square | null;
}

const ROW_HEIGHT = 28;
const LETTER_WIDTH = 6.2;
const MOST_ROOM = 150;
const EDGE = 12;

/** How deep the color of a square is, in percent of the full one: words on it stay legible. */
export function percentOf(depth: number): number {
  return Math.round(40 * Math.max(0, Math.min(1, depth)));
}

export function drawSquares(
  plot: typeof PlotLibrary,
  width: number,
  { of, rows, columns, squareOf }: Squares,
): HTMLElement | SVGElement {
  const squares = rows.flatMap((row) =>
    columns.flatMap((column) => {
      const square = squareOf(row.key, column.key);
      return square === null ? [] : [{ row: row.key, column: column.key, ...square }];
    }),
  );
  const [left, top] = [roomFor(rows), roomFor(columns)];
  const names = new Map([...rows, ...columns].map(({ key, name }) => [key, name]));
  const nameOf = (key: string) => names.get(key) ?? key;
  return plot.plot({
    width,
    height: top + rows.length * ROW_HEIGHT + EDGE,
    marginLeft: left,
    marginTop: top,
    marginRight: EDGE,
    marginBottom: EDGE,
    x: { domain: columns.map(({ key }) => key), padding: 0.04 },
    y: { domain: rows.map(({ key }) => key), padding: 0.08 },
    opacity: { type: "identity" },
    marks: [
      namesAxis(plot, { label: of, room: left, nameOf }),
      plot.axisX({
        anchor: "top",
        label: null,
        tickFormat: nameOf,
        tickSize: 0,
        tickRotate: -90,
        // A name of more than its room ends in an ellipsis.
        lineWidth: (top - EDGE) / 11,
        textOverflow: "ellipsis",
      }),
      plot.cell(squares, {
        x: "column",
        y: "row",
        fill: "var(--chart-1)",
        fillOpacity: ({ depth }: Square) => percentOf(depth) / 100,
      }),
      plot.text(squares, { x: "column", y: "row", text: "text", fill: "currentColor" }),
    ],
  });
}

function roomFor(members: readonly Member[]): number {
  const longest = Math.max(1, ...members.map(({ name }) => name.length));
  return Math.min(longest * LETTER_WIDTH, MOST_ROOM) + 2 * EDGE;
}
