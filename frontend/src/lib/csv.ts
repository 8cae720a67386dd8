/** Tables as comma-separated values, as RFC 4180 has them. */

export type CsvCell = string | number | null | undefined;

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

/** The name of a file that holds one page of several says which. */
export function namePage(
  name: string,
  found: { readonly page: number; readonly page_count: number },
): string {
  return found.page_count > 1 ? `${name}-page-${found.page}-of-${found.page_count}` : name;
}

/** Rows are objects with the same keys in the same order, which name the columns. */
export function toCsv(rows: readonly Readonly<Record<string, CsvCell>>[]): string {
  const [first] = rows;
  if (first === undefined) return "";
  const lines = [Object.keys(first).map(cellOf), ...rows.map((row) => Object.values(row).map(cellOf))];
  return `${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
}
