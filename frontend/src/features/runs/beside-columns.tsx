/** Columns that tables of judges beside people share: figures with their intervals, and errors one can picture. */
import type { ReactNode } from "react";
import { IntervalBar } from "../../components/interval-bar";
import type { Column } from "../../components/table";
import { formatCoefficient, formatCount, formatDifference, formatPoints } from "../../lib/numbers";
import styles from "./run-list.module.css";
import { wronged } from "./wronged";

/** What the board's rows and the parts of a study have in common. */
export interface Beside {
  readonly tp: number;
  readonly fn: number;
  readonly fp: number;
  readonly tn: number;
  readonly unscored: number;
  readonly accuracy_all: number | null;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  readonly macro_f1: number | null;
  readonly cohen_kappa: number | null;
  readonly gwet_ac1: number | null;
  readonly words: Readonly<Record<string, string>>;
}

export type Bounds = readonly number[] | null | undefined;

export const rowsOf = ({ tp, fn, fp, tn, unscored }: Beside) => tp + fn + fp + tn + unscored;
const rejectsOf = ({ fn, tp }: Beside) => wronged(fn, tp);
const acceptsOf = ({ fp, tn }: Beside) => wronged(fp, tn);

interface Look {
  readonly format: (value: number) => string;
  /** The ends of the scale the interval is drawn on. */
  readonly from: number;
  readonly to: number;
}

export const SHARE: Look = { format: (value) => formatPoints(value), from: 0, to: 1 };
export const COEFFICIENT: Look = { format: (value) => formatCoefficient(value), from: -1, to: 1 };
export const DIFFERENCE: Look = { format: (value) => formatDifference(value), from: -0.5, to: 0.5 };
export const MULTIPLE: Look = { format: (value) => `${formatCoefficient(value, 1)} ×`, from: 0, to: 10 };

interface FigureProps {
  readonly value: number | null;
  readonly bounds: Bounds;
  readonly words: string | undefined;
  readonly look: Look;
}

/** A value with its interval; a dash that says why where there is none. */
export function Figure({ value, bounds, words, look }: FigureProps) {
  if (value === null)
    return <span title={words}>–{words && <span className="visually-hidden"> {words}</span>}</span>;
  const [low, high] = bounds ?? [];
  if (low === undefined || high === undefined) return look.format(value);
  return (
    <IntervalBar
      value={value}
      low={low}
      high={high}
      from={look.from}
      to={look.to}
      text={look.format(value)}
      description={`95 % interval ${look.format(low)} to ${look.format(high)}`}
    />
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

export function sizeColumn<Row extends Beside>(header: string): Column<Row> {
  return {
    key: "n",
    header,
    align: "end",
    cell: (row) => formatCount(rowsOf(row)),
    sortBy: rowsOf,
  };
}

/** The two error rates as counts one can picture; `link` opens the answers behind one of them. */
export function errorColumns<Row extends Beside>(
  link: (row: Row, kind: "rejects" | "accepts", text: string) => ReactNode = (_row, _kind, text) => text,
): Column<Row>[] {
  return [
    {
      key: "rejects",
      header: "Rejects of 100 right",
      align: "end",
      cell: (row) => link(row, "rejects", formatPoints(rejectsOf(row), 0)),
      sortBy: rejectsOf,
    },
    {
      key: "accepts",
      header: "Accepts of 100 wrong",
      align: "end",
      cell: (row) => link(row, "accepts", formatPoints(acceptsOf(row), 0)),
      sortBy: acceptsOf,
    },
  ];
}

export function Soft({ children }: { readonly children: ReactNode }) {
  return <p className={styles["soft"]}>{children}</p>;
}
