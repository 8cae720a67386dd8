/** A failure board in numbers: each share with its interval and counts, a link to its answers, and the same as CSV. */
import type { FailureBoard } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { boundedCells, type Figure, FigureCell, LOOKS } from "../../components/figure";
import { ProjectLink } from "../../components/project-link";
import { type Column, Table } from "../../components/table";
import type { CsvColumn } from "../../lib/csv";
import { formatCount } from "../../lib/numbers";
import { behindCell, isBySystem } from "./board-choices";
import { sampleWords, wordsOf } from "./board-words";
import styles from "./failures.module.css";

type Row = FailureBoard["rows"][number];
type Head = FailureBoard["columns"][number];
type Cell = FailureBoard["cells"][number];

export function BoardTable({ board }: { readonly board: FailureBoard }) {
  const words = wordsOf(board.board);
  const cells = new Map(board.cells.map((cell) => [keyOf(cell.row, cell.column), cell]));
  const most = Math.max(0.01, ...board.cells.map(({ share }) => share.high ?? share.value ?? 0));
  const columns: readonly Column<Row>[] = [
    { key: "row", header: words.row, isRowHeader: true, cell: (row) => <RowName row={row} /> },
    ...board.columns.map((column): Column<Row> => ({
      key: column.key,
      header: column.name,
      align: "end",
      cell: (row) => <Share board={board} cell={cells.get(keyOf(row.key, column.key))} to={most} />,
      value: (row) => cells.get(keyOf(row.key, column.key))?.share.value ?? null,
    })),
  ];
  return (
    <>
      <div className={board.columns.length < 3 ? styles["few"] : undefined}>
        <Table
          caption={`${words.name}: ${words.axis}`}
          rows={board.rows}
          rowKey={({ key }) => key}
          columns={columns}
          footer={<Rates board={board} />}
        />
      </div>
      <div className={styles["line"]}>
        <CsvButton
          name={`failures-${board.board}`}
          columns={LINE}
          rows={linesOf(board)}
          signature={board.signature}
          judges={board.judges}
        />
      </div>
    </>
  );
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
      <BoundedShare figure={cell.share} to={to} />
      {cell.share.value !== null && (
        <span className={styles["counts"]}>
          <Counts board={board} cell={cell} />
        </span>
      )}
    </>
  );
}

function BoundedShare({ figure, to }: { readonly figure: Figure; readonly to: number }) {
  return <FigureCell figure={figure} look={{ ...LOOKS.percent, to }} />;
}

/** Leads to the answers behind the share; of lengths, where it counts right verdicts, to the wrong ones. */
function Counts({ board, cell }: { readonly board: FailureBoard; readonly cell: Cell }) {
  const { sees_systems: seesSystems } = useProject();
  const behind = board.board === "length" ? cell.of - cell.items : cell.items;
  const text = `${formatCount(cell.items)} of ${formatCount(cell.of)}`;
  if (behind === 0 || (!seesSystems && isBySystem(board, cell.column))) return text;
  return (
    <ProjectLink page="answers" search={behindCell(board, cell.column, cell.row)}>
      {text}
      {board.board === "length" && <span className="visually-hidden">: the wrong verdicts</span>}
    </ProjectLink>
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
            <Rate board={board} column={column} />
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

function Rate({ board, column }: { readonly board: FailureBoard; readonly column: Head }) {
  const { sees_systems: seesSystems } = useProject();
  const text = `${formatCount(column.rated)} of ${formatCount(column.base)}`;
  const behind = board.board === "length" ? column.base - column.rated : column.rated;
  return (
    <span className={styles["end"]}>
      <BoundedShare figure={column.rate} to={1} />
      <span className={styles["counts"]}>
        {behind === 0 || (!seesSystems && isBySystem(board, column.key)) ? (
          text
        ) : (
          <ProjectLink page="answers" search={behindCell(board, column.key)}>
            {text}
          </ProjectLink>
        )}
      </span>
    </span>
  );
}

/** A share of the board, as the file has it. */
interface Line {
  readonly row: string;
  readonly name: string;
  readonly column: Head | undefined;
  readonly items: number;
  readonly of: number;
  readonly share: Figure;
}

export const LINE: readonly CsvColumn<Line>[] = [
  { key: "row", value: ({ row }) => row },
  { key: "name", value: ({ name }) => name },
  { key: "column", value: ({ column }) => column?.key },
  { key: "column_name", value: ({ column }) => column?.name },
  { key: "items", value: ({ items }) => items },
  { key: "of", value: ({ of }) => of },
  { key: "share", csv: ({ share }) => boundedCells("share", share, "") },
  { key: "total", value: ({ column }) => column?.total },
  { key: "tagged", value: ({ column }) => column?.tagged },
  { key: "stands_for", value: ({ column }) => column?.stands_for },
];

/** A line a share, then one for what stands over each column. */
export function linesOf({ board, rows, columns, cells }: FailureBoard): Line[] {
  const nameOf = (key: string) => rows.find((row) => row.key === key)?.name ?? "";
  const shares = cells.map((cell) => ({
    ...cell,
    name: nameOf(cell.row),
    column: columns.find(({ key }) => key === cell.column),
  }));
  const rates = columns.map((column) => ({
    row: "",
    name: wordsOf(board).rate,
    column,
    items: column.rated,
    of: column.base,
    share: column.rate,
  }));
  return [...shares, ...rates];
}
