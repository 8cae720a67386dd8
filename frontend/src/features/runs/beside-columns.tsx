/** Columns that tables of judges beside people share: figures with their intervals, and errors one can picture. */
import type { ReactNode } from "react";
import { IntervalBar } from "../../components/interval-bar";
import type { Column } from "../../components/table";
import type { CsvCell } from "../../lib/csv";
import { formatCoefficient, formatCount, formatDifference, formatPoints } from "../../lib/numbers";
import styles from "./run-list.module.css";
import { wronged } from "./wronged";

interface Cells {
  readonly tp: number;
  readonly fn: number;
  readonly fp: number;
  readonly tn: number;
  readonly unscored: number;
}

/** What the board's rows and the parts of a study have in common. */
export interface Beside extends Cells {
  /** What the counts stand for, where programs settled answers; all shares are of these. */
  readonly weighed?: Cells;
  readonly accuracy_all: number | null;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  readonly macro_f1: number | null;
  readonly cohen_kappa: number | null;
  readonly gwet_ac1: number | null;
  readonly words: Readonly<Record<string, string>>;
}

/** Both ends of an interval, or why there is none; nothing while it is being computed. */
export type Bounds = readonly number[] | string | null | undefined;

interface FoundBounds {
  readonly figures: Readonly<Record<string, readonly number[] | null>>;
  readonly words: Readonly<Record<string, string>>;
}

export const boundsIn = (found: FoundBounds | undefined, figure: string): Bounds =>
  found?.figures[figure] ?? found?.words[figure];

const endsOf = (bounds: Bounds) => (typeof bounds === "string" ? [] : (bounds ?? []));

export const rowsOf = ({ tp, fn, fp, tn, unscored }: Cells) => tp + fn + fp + tn + unscored;
/** On how many answers a judge gave a verdict: one it could not judge is no verdict. */
export const verdictsOf = ({ tp, fn, fp, tn }: Cells) => tp + fn + fp + tn;
export const cellsOf = (row: Beside): Cells => row.weighed ?? row;

export function rejectsOf(row: Beside): number | null {
  const { fn, tp } = cellsOf(row);
  return wronged(fn, tp);
}

export function acceptsOf(row: Beside): number | null {
  const { fp, tn } = cellsOf(row);
  return wronged(fp, tn);
}

interface Look {
  readonly format: (value: number) => string;
  /** The ends of the scale the interval is drawn on. */
  readonly from: number;
  readonly to: number;
}

export const SHARE: Look = { format: (value) => formatPoints(value), from: 0, to: 1 };
/** Of a hundred, as whole ones. */
const COUNT: Look = { format: (value) => formatPoints(value, 0), from: 0, to: 1 };
export const COEFFICIENT: Look = { format: (value) => formatCoefficient(value), from: -1, to: 1 };
export const DIFFERENCE: Look = { format: (value) => formatDifference(value), from: -0.5, to: 0.5 };
export const MULTIPLE: Look = { format: (value) => `${formatCoefficient(value, 1)} ×`, from: 0, to: 10 };

interface FigureProps {
  readonly value: number | null;
  readonly bounds: Bounds;
  readonly words: string | undefined;
  readonly look: Look;
  /** What the number is printed in, such as a link. */
  readonly text?: (text: string) => ReactNode;
}

/** A value with its interval; a dash that says why where there is none. */
export function Figure({ value, bounds, words, look, text = (plain) => plain }: FigureProps) {
  if (value === null)
    return (
      <span title={words}>
        {text("–")}
        {words && <span className="visually-hidden"> {words}</span>}
      </span>
    );
  if (typeof bounds === "string") return <Unbounded text={text(look.format(value))} words={bounds} />;
  const [low, high] = endsOf(bounds);
  if (low === undefined || high === undefined) return text(look.format(value));
  return (
    <IntervalBar
      value={value}
      low={low}
      high={high}
      from={look.from}
      to={look.to}
      text={text(look.format(value))}
      description={`95 % interval ${look.format(low)} to ${look.format(high)}`}
    />
  );
}

/** A value that has no interval, and why. */
function Unbounded({ text, words }: { readonly text: ReactNode; readonly words: string }) {
  const why = `no interval: ${words}`;
  return (
    <span title={why}>
      {text}
      <span className="visually-hidden">, {why}</span>
    </span>
  );
}

interface FigureColumn<Row> {
  readonly key: string;
  readonly header: string;
  readonly headerTitle?: string;
  readonly value: (row: Row) => number | null;
  readonly bounds?: (row: Row) => Bounds;
  readonly look: Look;
}

export function figureColumn<Row extends { readonly words: Readonly<Record<string, string>> }>({
  key,
  header,
  headerTitle,
  value,
  bounds,
  look,
}: FigureColumn<Row>): Column<Row> {
  return {
    key,
    header,
    ...(headerTitle && { headerTitle }),
    align: "end",
    cell: (row) => <Figure value={value(row)} bounds={bounds?.(row)} words={row.words[key]} look={look} />,
    sortBy: value,
  };
}

export function sizeColumn<Row extends Beside>(
  header: string,
  count: (row: Row) => number = rowsOf,
): Column<Row> {
  return {
    key: "n",
    header,
    align: "end",
    cell: (row) => formatCount(count(row)),
    sortBy: count,
  };
}

type Link<Row> = (row: Row, kind: "rejects" | "accepts", text: string) => ReactNode;

/** The two error rates as counts one can picture; `link` opens the answers behind one of them. */
export function errorColumns<Row extends Beside>(
  boundsOf: (row: Row, figure: string) => Bounds,
  link: Link<Row> = (_row, _kind, text) => text,
): Column<Row>[] {
  return [
    {
      key: "rejects",
      header: "Rejects of 100 right",
      align: "end",
      cell: (row) => (
        <Figure
          value={rejectsOf(row)}
          bounds={boundsOf(row, "rejects_right")}
          words={undefined}
          look={COUNT}
          text={(text) => link(row, "rejects", text)}
        />
      ),
      sortBy: rejectsOf,
    },
    {
      key: "accepts",
      header: "Accepts of 100 wrong",
      align: "end",
      cell: (row) => (
        <Figure
          value={acceptsOf(row)}
          bounds={boundsOf(row, "accepts_wrong")}
          words={undefined}
          look={COUNT}
          text={(text) => link(row, "accepts", text)}
        />
      ),
      sortBy: acceptsOf,
    },
  ];
}

/** While intervals are on their way the figures stand alone; where they do not come it is said. */
export function Computing({ query }: { readonly query: IntervalsQuery }) {
  if (query.isError) return <Soft>The intervals could not be computed.</Soft>;
  return query.isPending && <Soft>Intervals are being computed …</Soft>;
}

interface IntervalsQuery {
  readonly isPending: boolean;
  readonly isError: boolean;
}

/** Figures with both ends of their intervals, as cells of a row of a file. */
export function csvFigures(
  values: Readonly<Record<string, number | null>>,
  boundsOf: (figure: string) => Bounds,
): Readonly<Record<string, CsvCell>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, CsvCell][] => {
      const [low, high] = endsOf(boundsOf(name));
      return [
        [name, value],
        [`${name}_low`, low],
        [`${name}_high`, high],
      ];
    }),
  );
}

/** These figures of a row, by name. */
export function pick<Name extends string>(
  row: Readonly<Record<Name, number | null>>,
  names: readonly Name[],
): Readonly<Record<string, number | null>> {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

export function Soft({ children }: { readonly children: ReactNode }) {
  return <p className={styles["soft"]}>{children}</p>;
}
