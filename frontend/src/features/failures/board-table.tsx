/** A failure board in numbers: each share with its interval and counts, a link to its answers, and the same as CSV. */
import { useState } from "react";
import type { FailureBoard } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { boundedCells, FigureCell, LOOKS } from "../../components/figure";
import { ProjectLink } from "../../components/project-link";
import { type Column, numberColumn, Table } from "../../components/table";
import type { CsvCells } from "../../lib/csv";
import { countOf, formatCount } from "../../lib/numbers";
import { drawnRows } from "./board-chart";
import { behindCell, isBySystem } from "./board-choices";
import { sampleWords, wordsOf } from "./board-words";
import styles from "./failures.module.css";

type Row = FailureBoard["rows"][number];
type Head = FailureBoard["columns"][number];
type Cell = FailureBoard["cells"][number];
type Shared = Pick<Cell, "items" | "of" | "share">;

export function BoardTable({ board }: { readonly board: FailureBoard }) {
  const [showsAll, setShowsAll] = useState(false);
  const words = wordsOf(board.board);
  const cells = new Map(board.cells.map((cell) => [keyOf(cell.row, cell.column), cell]));
  const most = Math.max(0.01, ...board.cells.map(({ share }) => share.high ?? share.value ?? 0));
  const columns: readonly Column<Row>[] = [
    { key: "row", header: words.row, cell: (row) => <RowName row={row} /> },
    ...board.columns.map(({ key, name }) => {
      const cellOf = (row: Row) => cells.get(keyOf(row.key, key));
      return numberColumn<Row>(key, name, (row) => cellOf(row)?.share.value ?? null, {
        cell: (row) => <Share board={board} cell={cellOf(row)} to={most} />,
      });
    }),
  ];
  const told = drawnRows(board);
  const untold = board.rows.length - told.length;
  return (
    <div className={board.columns.length < 3 ? styles["few"] : undefined}>
      <Table
        caption={`${words.name}: ${words.axis}`}
        rows={showsAll ? board.rows : told}
        rowKey={({ key }) => key}
        columns={columns}
        footer={<Rates board={board} />}
        note={
          untold > 0 && (
            <Button size="small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
              {showsAll ? "Hide" : "Show"} {untoldWords(board, untold)}
            </Button>
          )
        }
        file={{
          name: `failures-${board.board}`,
          lines: linesOf(board),
          signature: board.signature,
          judges: board.judges,
        }}
      />
    </div>
  );
}

/** "7 tags without an answer". */
export function untoldWords({ board }: Pick<FailureBoard, "board">, count: number): string {
  const rows =
    board === "length"
      ? countOf(count, "length")
      : board === "unattributable"
        ? countOf(count, "kind")
        : countOf(count, "tag");
  return `${rows} without ${board === "credit" ? "a question" : "an answer"}`;
}

const keyOf = (row: string, column: string) => `${row}\n${column}`;

function RowName({ row }: { readonly row: Row }) {
  return (
    <span title={row.meaning}>
      {row.name}
      {row.group && <span className={styles["groupUnder"]}>{row.group}</span>}
    </span>
  );
}

interface ShareProps {
  readonly board: FailureBoard;
  readonly cell: Cell | undefined;
  readonly to: number;
}

function Share({ board, cell, to }: ShareProps) {
  if (!cell) return "–";
  return (
    <>
      <FigureCell figure={cell.share} look={{ ...LOOKS.percent, to }} />
      {cell.share.value !== null && <Counts {...cell} board={board} />}
    </>
  );
}

interface CountsProps extends Pick<Cell, "column" | "items" | "of"> {
  readonly board: FailureBoard;
  /** Absent for what stands under the column. */
  readonly row?: string;
}

/** Leads to the answers behind a share; of lengths, where it counts right verdicts, to the wrong ones. */
function Counts({ board, column, row, items, of }: CountsProps) {
  const { sees_systems: seesSystems } = useProject();
  const isOfLengths = board.board === "length";
  // A bare count beside a weighted share would contradict it.
  const text = `${formatCount(items)} of ${formatCount(of)}${board.weighed ? " before weighting" : ""}`;
  const isLinked = items !== (isOfLengths ? of : 0) && (seesSystems || !isBySystem(board, column));
  return (
    <span className={styles["counts"]}>
      {isLinked ? (
        <ProjectLink page="answers" search={behindCell(board, column, row)}>
          {text}
          {isOfLengths && <span className="visually-hidden">: the judge’s errors</span>}
        </ProjectLink>
      ) : (
        text
      )}
    </span>
  );
}

/** Under the columns: what they are about, and how much of it is tagged. */
function Rates({ board }: { readonly board: FailureBoard }) {
  return (
    <>
      <tr>
        <th scope="row">{wordsOf(board.board).rate}</th>
        {board.columns.map((column) => (
          <td key={column.key}>
            <span className={styles["end"]}>
              <FigureCell figure={column.rate} look={LOOKS.percent} />
              <Counts board={board} column={column.key} items={column.rated} of={column.base} />
            </span>
          </td>
        ))}
      </tr>
      {board.board !== "length" && (
        <tr>
          <th scope="row">Tagged</th>
          {board.columns.map((column) => (
            <td key={column.key}>
              <span className={styles["end"]}>{sampleWords({ ...column, board: board.board })}</span>
            </td>
          ))}
        </tr>
      )}
    </>
  );
}

/** A line a share, then one for what stands over each column. */
export function linesOf({ board, rows, columns, cells }: FailureBoard): CsvCells[] {
  const lineOf = (row: string, name: string, column: Head | undefined, { items, of, share }: Shared) => ({
    row,
    name,
    column: column?.key,
    column_name: column?.name,
    items,
    of,
    ...boundedCells("share", share, ""),
    total: column?.total,
    tagged: column?.tagged,
    stands_for: column?.stands_for,
  });
  const columnOf = (cell: Cell) => columns.find(({ key }) => key === cell.column);
  const nameOf = (cell: Cell) => rows.find(({ key }) => key === cell.row)?.name ?? "";
  return [
    ...cells.map((cell) => lineOf(cell.row, nameOf(cell), columnOf(cell), cell)),
    ...columns.map((column) => {
      const { rated: items, base: of, rate: share } = column;
      return lineOf("", wordsOf(board).rate, column, { items, of, share });
    }),
  ];
}
