/** The answer of each failure board in one sentence. */
import type { FailureBoard } from "../../api/schema";
import { countOf, FEW, formatPercent } from "../../lib/numbers";

type Column = FailureBoard["columns"][number];
type Cell = FailureBoard["cells"][number];

const SENTENCES: Readonly<Record<FailureBoard["board"], (board: FailureBoard) => string>> = {
  misses: (board) => {
    if (isNever(board.columns)) return "No judge here rejects an answer that people accept.";
    const [column] = board.columns;
    return column
      ? `${column.name} rejects ${percent(column)} of the answers people accept${mostOften(board, column)}.`
      : "";
  },
  repairs: (board) => {
    const best = highest(board.columns);
    if (!best && board.columns.length > 0) return "Exact match rejects nothing that people accept.";
    return best ? `${best.name} accepts most of what exact match misses: ${percent(best)}.` : "";
  },
  wrong: (board) => {
    if (isNever(board.columns)) return "People find no answer wrong.";
    const worst = highest(board.columns);
    return worst ? `${worst.name} is wrong most often: ${percent(worst)}${mostOften(board, worst)}.` : "";
  },
  errors: (board) => {
    const judge = board.runs.find(({ key }) => key === board.run)?.name ?? "The judge";
    if (isNever(board.columns)) return `${judge} says of every answer what people say.`;
    const worst = highest(board.columns);
    return worst ? `${judge} errs most on ${worst.name}: ${percent(worst)}${mostOften(board, worst)}.` : "";
  },
  length: (board) => {
    const cell = highest(board.cells.filter(({ of }) => of >= FEW).map(inverted));
    if (!cell) return "";
    if (cell.share === 0) return "Every judge says what people say, at every length.";
    const { judge, row } = namesOf(board, cell);
    const share = formatPercent(1 - (cell.share ?? 0));
    return `Furthest from people is ${judge} at ${row}: right on ${share} of ${countOf(cell.of, "answer")}.`;
  },
  credit: (board) => {
    const [column] = board.columns;
    return column
      ? `People accept an answer beyond gold to ${percent(column)} of the questions${mostOften(board, column)}.`
      : "";
  },
  unattributable: (board) => {
    const cell = highest(board.cells.filter(({ row }) => row === "unattributable"));
    if (!cell) return "";
    const { judge } = namesOf(board, cell);
    const system = board.systems.find(({ key }) => key === board.system)?.name;
    const whose = system ? ` of ${system}` : "";
    return `${judge} accepts most of the unattributable wrong answers${whose}: ${percent(cell)} of ${cell.of}.`;
  },
};

export function headlineOf(board: FailureBoard): string {
  // Of what programs settled nobody has checked anything: what is left is what they found hard.
  if (board.left_out > 0)
    return `Programs settled ${countOf(board.left_out, "answer")} that nobody has checked yet: nothing can be said of all answers.`;
  return SENTENCES[board.board](board);
}

const percent = ({ share }: { readonly share: number | null }) => formatPercent(share);

/** Of those with a share, the first of the highest. */
function highest<Part extends { readonly share: number | null }>(parts: readonly Part[]): Part | undefined {
  return parts
    .filter(({ share }) => share !== null)
    .toSorted((one, other) => (other.share ?? 0) - (one.share ?? 0))[0];
}

/** All have a share, and each is zero. */
function isNever(parts: readonly { readonly share: number | null }[]): boolean {
  return parts.length > 0 && parts.every(({ share }) => share === 0);
}

function inverted(cell: Cell): Cell {
  return { ...cell, share: cell.share === null ? null : 1 - cell.share };
}

function namesOf(board: FailureBoard, cell: Cell) {
  return {
    judge: board.columns.find(({ key }) => key === cell.column)?.name ?? cell.column,
    row: board.rows.find(({ key }) => key === cell.row)?.name ?? cell.row,
  };
}

function mostOften(board: FailureBoard, column: Column): string {
  const cell = highest(board.cells.filter((own) => own.column === column.key && own.items > 0));
  if (!cell) return "";
  const share = cell.of < FEW ? `${cell.items} of ${cell.of}` : percent(cell);
  return `; most often “${namesOf(board, cell).row}”, ${share}`;
}
