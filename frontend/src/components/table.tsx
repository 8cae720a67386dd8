/** A table that sorts by its headers, keeps them in sight and is saved as a file; on a phone it scrolls or folds. */
import { type ReactNode, useState } from "react";
import { classNames } from "../lib/class-names";
import type { CsvCell, CsvCells, CsvColumn } from "../lib/csv";
import { t } from "../lib/i18n/t";
import { formatCount } from "../lib/numbers";
import { CsvButton, type FileLook } from "./csv-button";
import { Choice } from "./form";
import { Sideways } from "./sideways";
import styles from "./table.module.css";
import { type Explanation, Tip, Word } from "./tip";
import tipStyles from "./tip.module.css";

/** Where it has a value, the table sorts by it, and a file saved from the same columns has it. */
export interface Column<Row> extends CsvColumn<Row> {
  readonly header: ReactNode;
  /** A word for the header where it is not plain text. */
  readonly headerTitle?: string;
  /** What the header means. */
  readonly explains?: Explanation | undefined;
  /** A line below the header. */
  readonly note?: ReactNode;
  /** Neighbors of one group stand under its name. */
  readonly group?: string;
  readonly align?: "start" | "end";
  /** What stands in the table; absent: the value, where numbers are printed as counts unless told. */
  readonly cell?: (row: Row) => ReactNode;
  readonly format?: (value: number) => string;
  /** The row's name, rendered as a row header that stays in sight: the first column, unless another says so. */
  readonly isRowHeader?: boolean;
  /** Set off from the others by a shade. */
  readonly isShaded?: boolean;
}

/** A column of numbers. */
export function numberColumn<Row>(
  key: string,
  header: ReactNode,
  value: (row: Row) => CsvCell,
  more: Partial<Column<Row>> = {},
): Column<Row> {
  return { key, header, align: "end", value, ...more };
}

export interface SortOrder {
  readonly key: string;
  readonly descending: boolean;
}

/** What is saved of a table: its own columns of its own rows, unless told. */
interface TableFile<Row> extends FileLook {
  readonly columns?: readonly CsvColumn<Row>[];
  readonly rows?: readonly Row[];
  /** Reads the rows of all pages, where the table shows one of several. */
  readonly readAll?: () => Promise<readonly Row[]>;
  /** In place of these, where a line of the file is no row of the table. */
  readonly lines?: readonly CsvCells[];
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly initialSort?: SortOrder;
  /** The order that the rows come in, where the page keeps it; chosen: one that no header was asked for. */
  readonly sort?: SortOrder;
  readonly onSort?: (key: string, chosen?: SortOrder) => void;
  readonly isSelected?: (row: Row) => boolean;
  /** Set off from the others by a shade. */
  readonly isShaded?: (row: Row) => boolean;
  /** Rows of one name stand together below it, the groups in the order the rows came in; "" has no heading. */
  readonly groupOf?: (row: Row) => string;
  readonly footer?: ReactNode;
  /** What the rows of the footer have in common, where groups are named. */
  readonly footerName?: string;
  /** What the numbers are of, below them. */
  readonly note?: ReactNode;
  readonly file?: TableFile<Row>;
  /** On a phone each row stands as lines of its own: for rows that are read or changed, not compared. */
  readonly folds?: boolean;
  /** The rows are one page of many, or their order says something: no header sorts them. */
  readonly keepsOrder?: boolean;
  /** No wider than what it holds. */
  readonly isNarrow?: boolean;
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

/** Rows of one name, each group sorted by itself; unnamed where nothing names them. */
function namedGroups<Row>(
  { rows, groupOf }: Pick<TableProps<Row>, "rows" | "groupOf">,
  shown: readonly Row[],
): readonly { readonly name?: string; readonly rows: readonly Row[] }[] {
  if (!groupOf) return [{ rows: shown }];
  const names = [...new Set(rows.map(groupOf))];
  return names.map((name) => ({
    ...(name && { name }),
    rows: shown.filter((row) => groupOf(row) === name),
  }));
}

function withRowHeader<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  if (columns.some(({ isRowHeader }) => isRowHeader)) return columns;
  return columns.map((column, place) => (place === 0 ? { ...column, isRowHeader: true } : column));
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, rows, rowKey, initialSort, onSort, footer, note, file } = props;
  const columns = withRowHeader(props.columns);
  const [own, setOwn] = useState<SortOrder | null>(initialSort ?? null);
  const sort = props.sort ?? own;
  const sortBy = (key: string, numeric: boolean) =>
    onSort ? onSort(key) : setOwn(nextSort(own, key, numeric));
  const shown = onSort ? rows : sortedRows(rows, columns, own);
  const look = classNames(
    styles["table"],
    props.folds && styles["folding"],
    props.isNarrow && styles["narrow"],
  );
  return (
    <>
      {props.folds && !props.keepsOrder && (
        <SortChoice
          columns={columns}
          sort={sort}
          onChange={(chosen) => (onSort ? onSort(chosen.key, chosen) : setOwn(chosen))}
        />
      )}
      <Sideways label={caption}>
        <table className={look}>
          <caption className="visually-hidden">{caption}</caption>
          <Head columns={columns} sort={sort} sortBy={props.keepsOrder ? undefined : sortBy} />
          {namedGroups(props, shown).map(({ name, rows: group }, place) => (
            <tbody key={place}>
              {name !== undefined && <GroupName name={name} span={columns.length} />}
              {group.map((row) => (
                <tr
                  key={rowKey(row)}
                  className={classNames(
                    props.isSelected?.(row) && styles["selected"],
                    props.isShaded?.(row) && styles["shadedRow"],
                  )}
                >
                  {columns.map((column) => (
                    <BodyCell key={column.key} column={column} row={row} />
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
          {footer && (
            <tfoot>
              {props.footerName && <GroupName name={props.footerName} span={columns.length} />}
              {footer}
            </tfoot>
          )}
        </table>
      </Sideways>
      {(note || file) && (
        <div className={styles["below"]}>
          {note && <p className="soft">{note}</p>}
          {file && (
            <div>
              <FileButton file={file} columns={columns} rows={rows} />
            </div>
          )}
        </div>
      )}
    </>
  );
}

function GroupName({ name, span }: { readonly name: string; readonly span: number }) {
  return (
    <tr>
      <th scope="rowgroup" colSpan={span} className={styles["groupName"]}>
        <span>{name}</span>
      </th>
    </tr>
  );
}

interface SortChoiceProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly sort: SortOrder | null;
  readonly onChange: (sort: SortOrder) => void;
}

/** On a phone rows that fold have no headers to sort by. */
function SortChoice<Row>({ columns, sort, onChange }: SortChoiceProps<Row>) {
  const sortable = columns.filter(({ header, value }) => value && typeof header === "string" && header);
  if (sortable.length < 2) return null;
  const options = sortable.flatMap((column) =>
    [true, false].map((descending) => ({
      value: `${column.key}${descending ? DOWN : UP}`,
      name: `${String(column.header)} ${descending ? "↓" : "↑"}`,
    })),
  );
  const chosen = sort && `${sort.key}${sort.descending ? DOWN : UP}`;
  const known = options.find(({ value }) => value === chosen)?.value;
  return (
    <div className={styles["sortChoice"]}>
      <Choice
        label={t("Sort by")}
        value={known ?? ""}
        options={options}
        {...(known === undefined && { empty: t("Default order") })}
        onChange={(next) => onChange({ key: next.slice(0, -DOWN.length), descending: next.endsWith(DOWN) })}
      />
    </div>
  );
}

const DOWN = " ↓";
const UP = " ↑";

interface FileButtonProps<Row> extends Required<Pick<TableFile<Row>, "columns" | "rows">> {
  readonly file: TableFile<Row>;
}

function FileButton<Row>({ file, columns, rows }: FileButtonProps<Row>) {
  const { lines, readAll, ...look } = file;
  if (lines) return <CsvButton {...look} columns={undefined} rows={lines} />;
  return <CsvButton {...look} columns={look.columns ?? columns} rows={look.rows ?? rows} readAll={readAll} />;
}

interface HeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly sort: SortOrder | null;
  /** Absent where no header sorts. */
  readonly sortBy: ((key: string, numeric: boolean) => void) | undefined;
}

function Head<Row>({ columns, sort, sortBy }: HeadProps<Row>) {
  const hasGroups = columns.some(({ group }) => group !== undefined);
  const isFirst = ({ group }: Column<Row>, place: number) =>
    group !== undefined && group !== columns[place - 1]?.group;
  const cellOf = (column: Column<Row>, place: number) => (
    <HeaderCell
      key={column.key}
      column={column}
      sort={sort}
      onSort={column.value && sortBy && (() => sortBy(column.key, column.align === "end"))}
      {...(hasGroups && column.group === undefined && { rowSpan: 2 })}
      isParted={isFirst(column, place)}
    />
  );
  if (!hasGroups)
    return (
      <thead>
        <tr>{columns.map(cellOf)}</tr>
      </thead>
    );
  return (
    <thead>
      <tr>
        {columns.map((column, place) =>
          column.group === undefined
            ? cellOf(column, place)
            : isFirst(column, place) && (
                <th
                  key={column.group}
                  scope="colgroup"
                  colSpan={columns.filter(({ group }) => group === column.group).length}
                  className={styles["parted"]}
                >
                  {column.group}
                </th>
              ),
        )}
      </tr>
      <tr>{columns.map((column, place) => column.group !== undefined && cellOf(column, place))}</tr>
    </thead>
  );
}

interface HeaderCellProps<Row> {
  readonly column: Column<Row>;
  readonly sort: SortOrder | null;
  readonly onSort: (() => void) | undefined;
  readonly rowSpan?: number;
  readonly isParted: boolean;
}

function HeaderCell<Row>({ column, sort, onSort, rowSpan, isParted }: HeaderCellProps<Row>) {
  const direction = sort?.key !== column.key ? "none" : sort.descending ? "descending" : "ascending";
  return (
    <th
      scope="col"
      rowSpan={rowSpan}
      className={classNames(
        lookOf(column),
        isParted && styles["parted"],
        isLongHeading(column) && styles["long"],
      )}
      title={column.headerTitle}
      aria-sort={onSort && direction}
    >
      <HeaderWords column={column} direction={direction} onSort={onSort} />
      {column.note && (
        <>
          {" "}
          <span className={styles["note"]}>{column.note}</span>
        </>
      )}
    </th>
  );
}

interface HeaderWordsProps<Row> extends Pick<HeaderCellProps<Row>, "column" | "onSort"> {
  readonly direction: "none" | "ascending" | "descending";
}

/** What a header says: it sorts, explains itself, both or neither. */
function HeaderWords<Row>({ column: { header, explains }, direction, onSort }: HeaderWordsProps<Row>) {
  if (!onSort) return explains ? <Word {...explains}>{header}</Word> : header;
  const sortButton = (told?: { readonly "aria-describedby": string | undefined }) => (
    <button type="button" className={styles["sort"]} onClick={onSort} {...told}>
      {explains ? <span className={tipStyles["marked"]}>{header}</span> : header}
      <span aria-hidden="true" className={styles["arrow"]}>
        {direction === "none" ? "" : direction === "descending" ? "↓" : "↑"}
      </span>
    </button>
  );
  return explains ? <Tip {...explains}>{sortButton}</Tip> : sortButton();
}

/** More letters than three lines of a narrow column hold. */
const LONG_HEADING = 20;

function isLongHeading<Row>({ header, note }: Column<Row>): boolean {
  return [header, note].some((words) => typeof words === "string" && words.length > LONG_HEADING);
}

function lookOf<Row>({ align, isRowHeader, isShaded }: Column<Row>): string | undefined {
  return classNames(
    align === "end" && styles["end"],
    isRowHeader && styles["pinned"],
    isShaded && styles["shaded"],
  );
}

function contentOf<Row>({ cell, value, format = formatCount }: Column<Row>, row: Row): ReactNode {
  if (cell) return cell(row);
  const found = value?.(row);
  return typeof found === "number" ? format(found) : (found ?? "–");
}

interface BodyCellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
}

function BodyCell<Row>({ column, row }: BodyCellProps<Row>) {
  const content = contentOf(column, row);
  if (column.isRowHeader)
    return (
      <th scope="row" className={lookOf(column)}>
        {content}
      </th>
    );
  const name = typeof column.header === "string" ? column.header : undefined;
  return (
    <td className={lookOf(column)} data-name={name}>
      {content}
    </td>
  );
}
