/** The first rows, so that one sees whether the right columns were read. */
import { type Column, Table } from "../../components/table";
import { isRecord } from "../../lib/storage";
import styles from "./import.module.css";

type Row = Readonly<Record<string, unknown>>;

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(cellText).join(" · ");
  if (isRecord(value)) {
    return Object.entries(value)
      .map(([name, part]) => `${name}: ${cellText(part)}`)
      .join(" · ");
  }
  return String(value);
}

function columnsOf(rows: readonly Row[]): Column<Row>[] {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return keys.map((key) => ({
    key,
    header: key.replaceAll("_", " "),
    cell: (row) => (
      <span className={styles["cell"]} dir="auto">
        {cellText(row[key])}
      </span>
    ),
  }));
}

export function SampleRows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <Table
      folds
      caption="First rows of the files"
      columns={columnsOf(rows)}
      rows={rows}
      rowKey={(row) => JSON.stringify(row)}
    />
  );
}
