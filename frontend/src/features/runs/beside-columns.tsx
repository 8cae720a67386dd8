/** Columns that tables of judges beside people share: figures with their intervals, and errors one can picture. */
import { useQuery, type UseQueryOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { figureColumn, type Figures } from "../../components/figure";
import type { Column } from "../../components/table";
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

/** Points first, then the same reply with intervals: whichever is there is shown. */
export function useIntervals<Data>(
  ask: (intervals: boolean) => UseQueryOptions<Data, Error, Data, unknown[]>,
  enabled = true,
) {
  const query = useQuery({ ...ask(false), enabled });
  const bounded = useQuery({ ...ask(true), enabled: query.data !== undefined });
  return { query, bounded, data: bounded.data ?? query.data };
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

export function Soft({ children }: { readonly children: ReactNode }) {
  return <p className={styles["soft"]}>{children}</p>;
}
