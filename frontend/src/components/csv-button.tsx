/** Saves a table's numbers, unrounded, as a CSV file. */
import { type CsvCell, toCsv } from "../lib/csv";
import { saveFile } from "../lib/save-file";
import { Button } from "./button";

interface CsvButtonProps {
  /** The file's name without its ending. */
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, CsvCell>>[];
}

export function CsvButton({ name, rows }: CsvButtonProps) {
  const save = () => {
    // Spreadsheets read UTF-8 only where a byte order mark says so.
    saveFile(`${name}.csv`, new Blob(["\uFEFF", toCsv(rows)], { type: "text/csv;charset=utf-8" }));
  };
  return (
    <Button size="small" variant="quiet" onClick={save} disabled={rows.length === 0}>
      Save as CSV<span className="visually-hidden">: {name}</span>
    </Button>
  );
}
