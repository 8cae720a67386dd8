/** Tables as comma-separated values, as RFC 4180 has them. */

export type CsvCell = string | number | null | undefined;
export type CsvCells = Readonly<Record<string, CsvCell>>;

/** A column of a table, as far as a file has it. */
export interface CsvColumn<Row> {
  /** Names it in a file, too. */
  readonly key: string;
  /** What it says of a row, unrounded. */
  readonly value?: (row: Row) => CsvCell;
  /** Its cells in a file by their names, where they are not its value under its key. */
  readonly csv?: (row: Row) => CsvCells;
}

/**
 * Spreadsheets run what begins like this, full-width signs and a further line too, also behind apostrophes;
 * one more in front makes it text. `annotation/release/rules.py` has the same rule.
 */
const FORMULA = /^'*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n]/;

function cellOf(value: CsvCell): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What a file has of a table: columns that show something without a value are not in it. */
export function csvRows<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): CsvCells[] {
  const cellsOf = ({ key, value, csv }: CsvColumn<Row>, row: Row) =>
    csv?.(row) ?? (value && { [key]: value(row) });
  return rows.map((row) => Object.assign({}, ...columns.map((column) => cellsOf(column, row))) as CsvCells);
}

/**
 * A file's lines with those of published numbers below, in the same columns; the last says where each was published.
 * What such a line does not know stays empty, and what the file has no column for is left out.
 */
export function withPublished(own: readonly CsvCells[], published: readonly CsvCells[]): CsvCells[] {
  const keys = Object.keys(own[0] ?? {});
  const lineOf = (cells: CsvCells) => Object.fromEntries(keys.map((key) => [key, cells[key]]));
  return [
    ...own.map((row) => ({ ...row, published: "" })),
    ...published.map((cells) => ({ ...lineOf(cells), published: cells["published"] })),
  ];
}

/** A table as a file. */
export function csvFile(rows: readonly CsvCells[]): Blob {
  // Spreadsheets read UTF-8 only where a byte order mark says so.
  return new Blob(["\uFEFF", toCsv(rows)], { type: "text/csv;charset=utf-8" });
}

/** The keys of all rows, in the order they come, name the columns. */
export function toCsv(rows: readonly CsvCells[]): string {
  if (rows.length === 0) return "";
  const keys = [...new Set(rows.flatMap(Object.keys))];
  const lines = [keys.map(cellOf), ...rows.map((row) => keys.map((key) => cellOf(row[key])))];
  return `${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
}
