/** A figure for every two of the same things, as a square; the deeper the color, the more alike they are. */
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useState } from "react";
import { LETTER_WIDTH, namesAxis, type Drawn, type Plot } from "../lib/chart-axes";
import styles from "./pair-grid.module.css";
import { ChartFrame } from "./plot-figure";
import { Sideways } from "./sideways";

interface Member {
  readonly key: string;
  readonly name: string;
}

export interface Square {
  /** From 0 to 1; what is beyond is as deep as the end. Null: without a color, and not in the picture. */
  readonly depth: number | null;
  readonly text: string;
  /** Told below the squares of the one that is pointed at, tapped or reached by keyboard. */
  readonly title?: string;
  /** On the page in place of the text, such as a link. */
  readonly content?: ReactNode;
  /** The content is a link, which takes the focus instead of the square. */
  readonly isLink?: boolean;
}

interface PairGridProps<Pair> {
  readonly title: string;
  /** Of how many, and in what the figures are told. */
  readonly note: ReactNode;
  /** What the rows and columns are: "System". */
  readonly of: string;
  readonly members: readonly Member[];
  /** Every two once, below the diagonal. */
  readonly isHalf?: boolean;
  readonly isUpright?: boolean;
  readonly pairs: readonly Pair[];
  readonly endsOf: (pair: Pair) => readonly [string, string];
  /** What is said of two who are no pair. */
  readonly missing: string;
  readonly squareOf: (pair: Pair, isBelow: boolean) => Square;
}

export function PairGrid<Pair>(props: PairGridProps<Pair>) {
  const { title, note, of, members, isHalf = false, isUpright, pairs, endsOf, missing } = props;
  const between = pairsByEnds(pairs, endsOf);
  const places = new Map(members.map(({ key }, at) => [key, at]));
  const rows = isHalf ? members.slice(1) : members;
  const columns = isHalf ? members.slice(0, -1) : members;
  const squareOf = (row: string, column: string): Square => {
    const isBelow = (places.get(row) ?? 0) > (places.get(column) ?? 0);
    if (row === column) return { ...NOTHING, title: "the same" };
    if (isHalf && !isBelow) return NOTHING;
    const pair = between(row, column);
    return pair ? props.squareOf(pair, isBelow) : { ...NOTHING, title: missing, content: "–" };
  };
  const [told, setTold] = useState("");
  const tell = (event: SyntheticEvent<HTMLElement>) => {
    const square = squareAt(event.target);
    if (square) setTold(square.dataset["told"] ?? "");
  };
  return (
    <ChartFrame
      title={title}
      note={note}
      draw={(plot, width) => drawSquares(plot, width, { of, rows, columns, squareOf })}
    >
      <Sideways label={title}>
        <table
          className={styles["grid"]}
          role="grid"
          onPointerOver={tell}
          onClick={tell}
          onFocus={(event) => {
            stayAt(event.target);
            tell(event);
          }}
          onKeyDown={moveByArrow}
        >
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <td />
              {columns.map(({ key, name }) => (
                <th key={key} scope="col">
                  {isUpright ? <span className={styles["upright"]}>{name}</span> : name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name }, at) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {columns.map((column, place) => (
                  <SquareCell
                    key={column.key}
                    square={squareOf(key, column.key)}
                    of={`${name}, ${column.name}`}
                    isFirst={at === 0 && place === 0}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Sideways>
      <p className={styles["told"]} aria-live="polite">
        {told}
      </p>
    </ChartFrame>
  );
}

const NOTHING: Square = { depth: null, text: "" };

interface SquareCellProps {
  readonly square: Square;
  /** Whose row and column it is in. */
  readonly of: string;
  /** The one that Tab reaches first; arrows lead on from there. */
  readonly isFirst: boolean;
}

function SquareCell({ square, of, isFirst }: SquareCellProps) {
  const { depth, text, title, content = text, isLink } = square;
  const color = `color-mix(in srgb, var(--chart-1) ${percentOf(depth ?? 0)}%, transparent)`;
  return (
    <td
      role="gridcell"
      data-told={title && `${of}: ${title}`}
      {...(!isLink && { tabIndex: isFirst ? 0 : -1 })}
      aria-label={text === "" ? title : undefined}
      style={{ backgroundColor: color }}
    >
      {content}
    </td>
  );
}

function squareAt(target: EventTarget): HTMLTableCellElement | null {
  return target instanceof Element ? target.closest("td[data-told]") : null;
}

/** Tab comes back to the square that it left. */
function stayAt(target: EventTarget): void {
  const square = squareAt(target);
  if (!square?.hasAttribute("tabindex")) return;
  for (const each of square.closest("table")?.querySelectorAll("td[tabindex='0']") ?? []) {
    each.setAttribute("tabindex", "-1");
  }
  square.setAttribute("tabindex", "0");
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function moveByArrow(event: KeyboardEvent<HTMLTableElement>): void {
  const step = STEPS[event.key];
  const square = squareAt(event.target);
  if (!step || !square) return;
  const row = square.parentElement as HTMLTableRowElement;
  const next = event.currentTarget.rows[row.rowIndex + step[0]]?.cells[square.cellIndex + step[1]];
  if (!next?.matches("td[tabindex]:not(:empty)")) return;
  event.preventDefault();
  next.focus();
}

interface Squares {
  readonly of: string;
  readonly rows: readonly Member[];
  readonly columns: readonly Member[];
  readonly squareOf: (row: string, column: string) => Square;
}

const ROW_HEIGHT = 28;
const MOST_ROOM = 150;
const EDGE = 12;

/** How deep the color of a square is, in percent of the full one: words on it stay legible. */
export function percentOf(depth: number): number {
  return Math.round(40 * Math.max(0, Math.min(1, depth)));
}

export function drawSquares(plot: Plot, width: number, { of, rows, columns, squareOf }: Squares): Drawn {
  const squares = rows.flatMap((row) =>
    columns.flatMap((column) => {
      const { depth, text } = squareOf(row.key, column.key);
      return depth === null ? [] : [{ row: row.key, column: column.key, depth, text }];
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
        lineWidth: (top - EDGE) / 13,
        textOverflow: "ellipsis",
      }),
      plot.cell(squares, {
        x: "column",
        y: "row",
        fill: "var(--chart-1)",
        fillOpacity: ({ depth }: { readonly depth: number }) => percentOf(depth) / 100,
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
