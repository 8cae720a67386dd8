/** Saves a table's numbers, unrounded, as a CSV file, and says how they came about. */
import { type CsvCell, toCsv } from "../lib/csv";
import { saveFile } from "../lib/save-file";
import { Button } from "./button";
import { Signature } from "./signature";

interface CsvButtonProps {
  /** The file's name without its ending. */
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, CsvCell>>[];
  /** What produced all the numbers: shown below, and the file's last column. */
  readonly signature?: string | undefined;
}

export function CsvButton({ name, rows, signature }: CsvButtonProps) {
  const save = () => {
    const signed = signature === undefined ? rows : rows.map((row) => ({ ...row, signature }));
    // Spreadsheets read UTF-8 only where a byte order mark says so.
    saveFile(`${name}.csv`, new Blob(["\uFEFF", toCsv(signed)], { type: "text/csv;charset=utf-8" }));
  };
  return (
    <>
      <Button size="small" variant="quiet" onClick={save} disabled={rows.length === 0}>
        Save as CSV<span className="visually-hidden">: {name}</span>
      </Button>
      {signature !== undefined && <Signature text={signature} />}
    </>
  );
}
