/** A figure for every two of the same things, as a square; the deeper the color, the more alike they are. */
import { Fragment, type ReactNode, useRef } from "react";
import { drawSquares, percentOf, type Squares } from "../lib/pair-grid-chart";
import { ChartDownload } from "./chart-download";
import chartStyles from "./plot-figure.module.css";
import styles from "./pair-grid.module.css";

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
        <strong>{title}</strong> <span className={chartStyles["note"]}>{note}</span>
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
