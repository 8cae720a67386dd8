/** A table that sorts by its headers and keeps them in sight; on a phone it scrolls sideways, or its rows fold. */
import { type ReactNode, useState } from "react";
import { classNames } from "../lib/class-names";
import type { CsvCell, CsvColumn } from "../lib/csv";
import { formatCount } from "../lib/numbers";
import styles from "./table.module.css";

/** Where it has a value, the table sorts by it, and a file saved from the same columns has it. */
export interface Column<Row> extends CsvColumn<Row> {
  readonly header: ReactNode;
  /** A word for the header where it is not plain text. */
  readonly headerTitle?: string;
  readonly align?: "start" | "end";
  /** What stands in the table; absent: the value, numbers as counts. */
  readonly cell?: (row: Row) => ReactNode;
  /** The row's name: rendered as a row header that stays in sight. */
  readonly isRowHeader?: boolean;
}

interface SortOrder {
  readonly key: string;
  readonly descending: boolean;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly initialSort?: SortOrder;
  readonly isSelected?: (row: Row) => boolean;
  readonly footer?: ReactNode;
  /** On a phone each row stands as lines of its own: for rows that are read or changed, not compared. */
  readonly folds?: boolean;
  /** The rows are one page of many, or their order says something: no header sorts them. */
  readonly keepsOrder?: boolean;
}

/** Missing values go last in either direction. */
function compare(left: CsvCell, right: CsvCell, descending: boolean): number {
  if (left == null || right == null) return Number(left == null) - Number(right == null);
  const order =
    typeof left === "number" && typeof right === "number"
      ? left - right
      : String(left).localeCompare(String(right), "en", { numeric: true });
  return descending ? -order : order;
}

function sortedRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: SortOrder | null) {
  const value = columns.find((column) => column.key === sort?.key)?.value;
  if (!sort || !value) return rows;
  return rows.toSorted((left, right) => compare(value(left), value(right), sort.descending));
}

function nextSort(sort: SortOrder | null, key: string, numeric: boolean): SortOrder {
  if (sort?.key !== key) return { key, descending: numeric };
  return { key, descending: !sort.descending };
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, initialSort, isSelected, footer, folds, keepsOrder } = props;
  const [sort, setSort] = useState<SortOrder | null>(initialSort ?? null);
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className={styles["scroll"]} role="region" aria-label={caption} tabIndex={0}>
      <table className={classNames(styles["table"], folds && styles["folding"])}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell
                key={column.key}
                column={column}
                sorts={column.value !== undefined && !keepsOrder}
                sort={sort}
                onSort={() => setSort(nextSort(sort, column.key, column.align === "end"))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sortedRows(rows, columns, sort).map((row) => (
            <tr key={rowKey(row)} className={classNames(isSelected?.(row) && styles["selected"])}>
              {columns.map((column) => (
                <BodyCell key={column.key} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
        {footer && <tfoot>{footer}</tfoot>}
      </table>
    </div>
  );
}

interface HeaderCellProps<Row> {
  readonly column: Column<Row>;
  readonly sorts: boolean;
  readonly sort: SortOrder | null;
  readonly onSort: () => void;
}

function HeaderCell<Row>({ column, sorts, sort, onSort }: HeaderCellProps<Row>) {
  const direction = sort?.key !== column.key ? "none" : sort.descending ? "descending" : "ascending";
  const className = classNames(
    column.align === "end" && styles["end"],
    column.isRowHeader && styles["pinned"],
  );
  if (!sorts) {
    return (
      <th scope="col" className={className} title={column.headerTitle}>
        {column.header}
      </th>
    );
  }
  return (
    <th scope="col" className={className} aria-sort={direction} title={column.headerTitle}>
      <button type="button" className={styles["sort"]} onClick={onSort}>
        {column.header}
        <span aria-hidden="true" className={styles["arrow"]}>
          {direction === "none" ? "" : direction === "descending" ? "↓" : "↑"}
        </span>
      </button>
    </th>
  );
}

function contentOf<Row>({ cell, value }: Column<Row>, row: Row): ReactNode {
  if (cell) return cell(row);
  const found = value?.(row);
  return typeof found === "number" ? formatCount(found) : (found ?? "–");
}

function BodyCell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const end = column.align === "end" && styles["end"];
  if (column.isRowHeader) {
    return (
      <th scope="row" className={classNames(end, styles["pinned"])}>
        {contentOf(column, row)}
      </th>
    );
  }
  const name = typeof column.header === "string" ? column.header : undefined;
  return (
    <td className={classNames(end)} data-name={name}>
      {contentOf(column, row)}
    </td>
  );
}
