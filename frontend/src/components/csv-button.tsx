/** Saves a table's numbers, unrounded, as a CSV file, and says how they came about. */
import { useState } from "react";
import { messageOf } from "../api/error";
import { type CsvCells, type CsvColumn, csvFile, csvRows, withPublished } from "../lib/csv";
import { saveFile } from "../lib/save-file";
import { Button } from "./button";
import { Signatures, type Signed } from "./signature";

/** What the file has: a table's columns of its rows, or lines made otherwise. */
type Content<Row> =
  | {
      readonly columns: readonly CsvColumn<Row>[];
      readonly rows: readonly Row[];
      /** Reads all rows, where those at hand are one page of several. */
      readonly readAll?: (() => Promise<readonly Row[]>) | undefined;
    }
  | { readonly columns?: undefined; readonly rows: readonly CsvCells[]; readonly readAll?: undefined };

export interface FileLook {
  /** The file's name without its ending. */
  readonly name: string;
  /** What produced all the numbers: folded below, and the file's last column. */
  readonly signature?: string | undefined;
  /**
   * Those whose numbers stand in the table: their own lines are folded below, too. Beside a signature they are
   * columns of the file; without one each of its rows brings its own.
   */
  readonly judges?: readonly Signed[];
  /** Lines of published numbers, below the others. */
  readonly published?: readonly CsvCells[];
}

export function CsvButton<Row>({
  name,
  signature,
  judges = [],
  published,
  ...content
}: FileLook & Content<Row>) {
  const [isReading, setReading] = useState(false);
  const [refusal, setRefusal] = useState("");
  const save = async () => {
    const own = content.columns
      ? csvRows(content.columns, content.readAll ? await content.readAll() : content.rows)
      : content.rows;
    const rows = published ? withPublished(own, published) : own;
    const signed = signature === undefined ? rows : rows.map((row) => sign(row, signature, judges));
    saveFile(`${name}.csv`, csvFile(signed));
  };
  const press = async () => {
    setReading(true);
    setRefusal("");
    try {
      await save();
    } catch (error) {
      setRefusal(messageOf(error as Error));
    } finally {
      setReading(false);
    }
  };
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        atEdge
        busy={isReading}
        onClick={() => void press()}
        disabled={content.rows.length === 0}
      >
        Save as CSV<span className="visually-hidden">: {name}</span>
      </Button>
      {refusal && <span role="alert">{refusal}</span>}
      {(signature !== undefined || judges.length > 0) && <Signatures own={signature} judges={judges} />}
    </>
  );
}

/** A published number came about elsewhere: its row says where, and has no line of ours. */
function sign(row: CsvCells, signature: string, judges: readonly Signed[]): CsvCells {
  const isOurs = !row["published"];
  const own = judges.map(({ name, signature: line }) => [`signature of ${name}`, isOurs ? line : ""]);
  return { ...row, ...Object.fromEntries(own), signature: isOurs ? signature : "" };
}
