/** Columns that tables of judges beside people share: figures with their intervals, and errors one can picture. */
import type { ReactNode } from "react";
import { FigureCell, figureColumn, type Figures, type Look, LOOKS } from "../../components/figure";
import type { Column } from "../../components/table";
import type { CsvCell } from "../../lib/csv";
import { formatCount } from "../../lib/numbers";
import styles from "./run-list.module.css";

/** Answers by what people and a judge say. */
export type Counts = Readonly<Record<string, number>>;

/** What the board's rows and the parts of a study have in common. */
export interface Beside {
  readonly counts: Counts;
  readonly figures: Figures;
}

const sumOf = (counts: Counts, cells: readonly string[]) =>
  cells.reduce((sum, cell) => sum + (counts[cell] ?? 0), 0);

export const CELLS = ["tp", "fn", "fp", "tn", "unscored"] as const;
export const rowsOf = ({ counts }: Pick<Beside, "counts">) => sumOf(counts, CELLS);
/** On how many answers a judge gave a verdict: one it could not judge is no verdict. */
export const verdictsOf = ({ counts }: Pick<Beside, "counts">) => sumOf(counts, ["tp", "fn", "fp", "tn"]);

/** Both ends of an interval, or why there is none; nothing while it is being computed. */
export type Bounds = readonly number[] | string | null | undefined;

interface FoundBounds {
  readonly figures: Readonly<Record<string, readonly number[] | null>>;
  readonly words: Readonly<Record<string, string>>;
}

export const boundsIn = (found: FoundBounds | undefined, figure: string): Bounds =>
  found?.figures[figure] ?? found?.words[figure];

const endsOf = (bounds: Bounds) => (typeof bounds === "string" ? [] : (bounds ?? []));

export const { share: SHARE, coefficient: COEFFICIENT, difference: DIFFERENCE } = LOOKS;

interface FigureProps {
  readonly value: number | null;
  readonly bounds: Bounds;
  readonly words: string | undefined;
  readonly look: Look;
  /** What the number is printed in, such as a link. */
  readonly text?: ((text: string) => ReactNode) | undefined;
}

/** A figure whose reasons come in words; those that come as codes are `FigureCell`s. */
export function Figure({ value, bounds, words, look, text }: FigureProps) {
  const [low, high] = endsOf(bounds);
  const why = value === null ? words : typeof bounds === "string" ? bounds : undefined;
  return <FigureCell value={value} low={low} high={high} words={why} look={look} text={text} />;
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
    value: count,
  };
}

type Link<Row> = (row: Row, kind: "rejects" | "accepts", text: string) => ReactNode;

/** The two error rates as counts one can picture; `link` opens the answers behind one of them. */
export function errorColumns<Row extends Beside>(
  link: Link<Row> = (_row, _kind, text) => text,
): Column<Row>[] {
  return [
    figureColumn<Row>("rejects_right", { text: (row, text) => link(row, "rejects", text) }),
    figureColumn<Row>("accepts_wrong", { text: (row, text) => link(row, "accepts", text) }),
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

export function Soft({ children }: { readonly children: ReactNode }) {
  return <p className={styles["soft"]}>{children}</p>;
}
