/** A figure for every two of the same things, as a square; the deeper the color, the more alike they are. */
import { Fragment, type ReactNode } from "react";
import styles from "./pair-grid.module.css";

interface Member {
  readonly key: string;
  readonly name: string;
}

interface PairGridProps {
  readonly caption: string;
  readonly isCaptionShown?: boolean;
  readonly isUpright?: boolean;
  readonly rows: readonly Member[];
  readonly columns: readonly Member[];
  /** A `PairCell` or another cell, for the members of a row and a column. */
  readonly cell: (row: string, column: string) => ReactNode;
}

export function PairGrid({ caption, isCaptionShown, isUpright, rows, columns, cell }: PairGridProps) {
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className={styles["scroll"]} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles["grid"]}>
        <caption className={isCaptionShown ? undefined : "visually-hidden"}>{caption}</caption>
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
          {rows.map(({ key, name }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {columns.map((column) => (
                <Fragment key={column.key}>{cell(key, column.key)}</Fragment>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PairCellProps {
  /** From 0 to 1; what is beyond is as deep as the end. */
  readonly depth: number;
  readonly title?: string;
  readonly children: ReactNode;
}

export function PairCell({ depth, title, children }: PairCellProps) {
  const percent = Math.round(40 * Math.max(0, Math.min(1, depth)));
  return (
    <td
      title={title}
      style={{ backgroundColor: `color-mix(in srgb, var(--chart-1) ${percent}%, transparent)` }}
    >
      {children}
    </td>
  );
}
