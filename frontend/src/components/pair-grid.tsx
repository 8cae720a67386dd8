/** A figure for every two of the same things, as a square; the deeper the color, the more alike they are. */
import { Fragment, type ReactNode, useRef } from "react";
import { namesAxis, type Drawn, type Plot } from "../lib/chart-axes";
import styles from "./pair-grid.module.css";
import { ChartDownload } from "./plot-figure";
import chartStyles from "./plot-figure.module.css";

interface PairGridProps extends Squares {
  readonly title: string;
  /** Of how many, and in what the figures are told. */
  readonly note: ReactNode;
  readonly isUpright?: boolean;
  /** A `PairCell` or another cell, for the members of a row and a column. */
  readonly cell: (row: string, column: string) => ReactNode;
}

export function PairGrid({ title, note, isUpright, cell, ...squares }: PairGridProps) {
  const place = useRef<HTMLDivElement>(null);
  return (
    <figure className={chartStyles["chart"]}>
      <figcaption className={chartStyles["caption"]}>
        <strong>{title}</strong> <span className="soft">{note}</span>
      </figcaption>
      {/* A region that scrolls must be reachable by keyboard. */}
      <div ref={place} className={styles["scroll"]} role="region" aria-label={title} tabIndex={0}>
        <table className={styles["grid"]}>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <td />
              {squares.columns.map(({ key, name }) => (
                <th key={key} scope="col">
                  {isUpright ? <span className={styles["upright"]}>{name}</span> : name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {squares.rows.map(({ key, name }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {squares.columns.map((column) => (
                  <Fragment key={column.key}>{cell(key, column.key)}</Fragment>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ChartDownload label={title} draw={(plot, width) => drawSquares(plot, width, squares)} place={place} />
    </figure>
  );
}

interface PairCellProps {
  /** From 0 to 1; what is beyond is as deep as the end. */
  readonly depth: number;
  readonly title?: string;
  readonly children: ReactNode;
}

export function PairCell({ depth, title, children }: PairCellProps) {
  return (
    <td
      title={title}
      style={{ backgroundColor: `color-mix(in srgb, var(--chart-1) ${percentOf(depth)}%, transparent)` }}
    >
      {children}
    </td>
  );
}

interface Member {
  readonly key: string;
  readonly name: string;
}

/** depth: from 0 to 1; what is beyond is as deep as the end. */
export interface Square {
  readonly depth: number;
  readonly text: string;
}

interface Squares {
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

export function drawSquares(plot: Plot, width: number, { of, rows, columns, squareOf }: Squares): Drawn {
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

export function pairsByEnds<Pair>(
  pairs: readonly Pair[],
  endsOf: (pair: Pair) => readonly [string, string],
): (one: string, other: string) => Pair | undefined {
  const found = new Map(pairs.map((pair) => [pairKey(...endsOf(pair)), pair]));
  return (one, other) => found.get(pairKey(one, other)) ?? found.get(pairKey(other, one));
}

// Names may hold spaces, but no line breaks.
function pairKey(one: string, other: string): string {
  return `${one}\n${other}`;
}
