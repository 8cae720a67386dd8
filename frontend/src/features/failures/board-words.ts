/** What each failure board is about, in words: its name, its shares, its answer in a sentence, what to do before. */
import type { FailureBoard } from "../../api/schema";
import type { Figure } from "../../components/figure";
import { countOf, FEW, formatCount, formatPercent } from "../../lib/numbers";

export interface BoardWords {
  readonly value: FailureBoard["board"];
  readonly name: string;
  /** What a share is, as a sentence. */
  readonly about: string;
  /** The axis of the bars. */
  readonly axis: string;
  /** What stands over a column. */
  readonly rate: string;
  /** What the rows are called. */
  readonly row: string;
  /** What people tag for it; empty where no tags are needed. */
  readonly next: string;
}

export const BOARDS: readonly BoardWords[] = [
  {
    value: "misses",
    name: "What judges miss",
    about: "Of the answers that people accept and the judge rejects: how many have each tag.",
    axis: "Share of the judge’s misses (percent)",
    rate: "Misses, of answers people accept",
    row: "Tag",
    next: "Create a round from what people accept and a judge rejects, and tag its answers.",
  },
  {
    value: "repairs",
    name: "What judges repair of exact match",
    about: "Of exact match’s misses with each tag: how many the other judge accepts.",
    axis: "Share of exact match’s misses that the judge accepts (percent)",
    rate: "Repaired, of all its misses",
    row: "Tag",
    next: "Create a round from what people accept and exact match rejects, and tag its answers.",
  },
  {
    value: "wrong",
    name: "What is wrong with wrong answers",
    about:
      "Of all answers of a system: how many are wrong with each tag. With one tag an answer the shares add up to the error rate, as far as answers are tagged.",
    axis: "Share of all answers of the system (percent)",
    rate: "Wrong, of all its answers",
    row: "Tag",
    next: "Create a round from what people reject, and tag its answers.",
  },
  {
    value: "errors",
    name: "Why one judge errs",
    about: "Of the judge’s errors on a system’s answers: how many have each tag.",
    axis: "Share of the judge’s errors (percent)",
    rate: "Errors, of the answers it judged",
    row: "Tag",
    next: "Create a round about one judge’s errors with a set about verdicts, and tag them.",
  },
  {
    value: "length",
    name: "Accuracy by length of the answer",
    about:
      "Of the answers of each length: on how many the judge says what people say. An answer counts once for each system that gave it, so the accuracy differs a little from “Judges beside people”, where it counts once.",
    axis: "Share of answers judged as people do (percent)",
    rate: "Accuracy, all lengths",
    row: "Length",
    next: "",
  },
  {
    value: "credit",
    name: "Why people accept more than gold",
    about:
      "Of the questions with a tagged answer that people accept and that equals no gold answer: how many have each tag. A question may have several.",
    axis: "Share of questions with a tagged answer (percent)",
    rate: "Questions with such an answer, of all",
    row: "Tag",
    next: "Create a round from what people accept beyond the gold answers, and tag its answers.",
  },
  {
    value: "unattributable",
    name: "Unattributable answers",
    about:
      "Of tagged answers that people reject: how many the judge accepts all the same, where nothing supports the answer and elsewhere.",
    axis: "Share of wrong answers that the judge accepts (percent)",
    rate: "Accepted, of all answers people reject",
    row: "Answers",
    next: "Tag wrong answers, and mark those that nothing supports as unattributable.",
  },
];

const [FIRST] = BOARDS as readonly [BoardWords];

export function wordsOf(kind: string | undefined): BoardWords {
  return BOARDS.find(({ value }) => value === kind) ?? FIRST;
}

type Column = FailureBoard["columns"][number];

/** Somebody has looked at something that stands on the board. */
export function hasShares(board: FailureBoard): boolean {
  return board.cells.some(({ share }) => share.value !== null);
}

type Counted = Pick<Column, "total" | "tagged" | "stands_for"> & { readonly board: FailureBoard["board"] };

/** "240 of 495 tagged", or how many answers stand behind a column's shares. */
export function taggedWords({ board, total, tagged }: Counted): string {
  if (board === "length") return countOf(total, "answer");
  const all = formatCount(total);
  return tagged === total ? `all ${all} tagged` : `${formatCount(tagged)} of ${all} tagged`;
}

/** The same, with what the tagged ones speak for where that is not all. */
export function sampleWords(column: Counted): string {
  const { total, tagged, stands_for: standsFor } = column;
  const open = standsFor < total && tagged > 0 ? `, standing for ${formatCount(standsFor)}` : "";
  return `${taggedWords(column)}${open}`;
}

/** Whether shares rest on part of what they are about, so that the page must say how. */
export function isSample(board: FailureBoard): boolean {
  return board.columns.some(({ total, tagged }) => tagged > 0 && tagged < total);
}

export function sampleNote(board: FailureBoard): string {
  if (!isSample(board)) return "";
  if (board.board === "credit") return "A sample: shares are of the questions tagged so far, unweighted.";
  const isOpen = board.columns.some(({ total, stands_for: standsFor }) => standsFor < total);
  const open = isOpen
    ? " What no round could draw, or where nothing of its kind is tagged yet, is stood for by nobody."
    : "";
  return `A sample: each tagged answer stands for those that the same rounds could have drawn.${open}`;
}

type Cell = FailureBoard["cells"][number];

const SENTENCES: Readonly<Record<FailureBoard["board"], (board: FailureBoard) => string>> = {
  misses: (board) => {
    if (isNever(board.columns)) return "No judge here rejects an answer that people accept.";
    const [column] = board.columns;
    return column
      ? `${column.name} rejects ${percent(column.rate)} of the answers people accept${mostOften(board, column)}.`
      : "";
  },
  repairs: (board) => {
    const best = highest(board.columns, ({ rate }) => rate.value);
    if (!best && board.columns.length > 0) return "Exact match rejects nothing that people accept.";
    return best ? `${best.name} accepts most of what exact match misses: ${percent(best.rate)}.` : "";
  },
  wrong: (board) => {
    if (isNever(board.columns)) return "People find no answer wrong.";
    const worst = highest(board.columns, ({ rate }) => rate.value);
    return worst
      ? `${worst.name} is wrong most often: ${percent(worst.rate)}${mostOften(board, worst)}.`
      : "";
  },
  errors: (board) => {
    const judge = board.runs.find(({ key }) => key === board.run)?.name ?? "The judge";
    if (isNever(board.columns)) return `${judge} says of every answer what people say.`;
    const worst = highest(board.columns, ({ rate }) => rate.value);
    return worst
      ? `${judge} errs most on ${worst.name}: ${percent(worst.rate)}${mostOften(board, worst)}.`
      : "";
  },
  length: (board) => {
    const cell = highest(
      board.cells.filter(({ of }) => of >= FEW),
      wrongShare,
    );
    if (!cell) return "";
    if (wrongShare(cell) === 0) return "Every judge says what people say, at every length.";
    const { judge, row } = namesOf(board, cell);
    const share = percent(cell.share);
    return `Furthest from people is ${judge} at ${row}: right on ${share} of ${countOf(cell.of, "answer")}.`;
  },
  credit: (board) => {
    const [column] = board.columns;
    return column
      ? `People accept an answer beyond gold to ${percent(column.rate)} of the questions${mostOften(board, column)}.`
      : "";
  },
  unattributable: (board) => {
    const cell = highest(
      board.cells.filter(({ row }) => row === "unattributable"),
      ({ share }) => share.value,
    );
    if (!cell) return "";
    const { judge } = namesOf(board, cell);
    const system = board.systems.find(({ key }) => key === board.system)?.name;
    const whose = system ? ` of ${system}` : "";
    return `${judge} accepts most of the unattributable wrong answers${whose}: ${percent(cell.share)} of ${cell.of}.`;
  },
};

export function headlineOf(board: FailureBoard): string {
  // Of what programs settled nobody has checked anything: what is left is what they found hard.
  if (board.left_out > 0)
    return `Programs settled ${countOf(board.left_out, "answer")} that nobody has checked yet: nothing can be said of all answers.`;
  return SENTENCES[board.board](board);
}

const percent = ({ value }: Figure) => formatPercent(value);

/** Of those with a share, the first of the highest. */
function highest<Part>(parts: readonly Part[], shareOf: (part: Part) => number | null): Part | undefined {
  return parts
    .filter((part) => shareOf(part) !== null)
    .toSorted((one, other) => (shareOf(other) ?? 0) - (shareOf(one) ?? 0))[0];
}

/** All have a rate, and each is zero. */
function isNever(columns: readonly Column[]): boolean {
  return columns.length > 0 && columns.every(({ rate }) => rate.value === 0);
}

const wrongShare = ({ share: { value } }: Cell) => (value === null ? null : 1 - value);

function namesOf(board: FailureBoard, cell: Cell) {
  return {
    judge: board.columns.find(({ key }) => key === cell.column)?.name ?? cell.column,
    row: board.rows.find(({ key }) => key === cell.row)?.name ?? cell.row,
  };
}

function mostOften(board: FailureBoard, column: Column): string {
  const cell = highest(
    board.cells.filter((own) => own.column === column.key && own.items > 0),
    ({ share }) => share.value,
  );
  if (!cell) return "";
  const share = cell.of < FEW ? `${cell.items} of ${cell.of}` : percent(cell.share);
  return `; most often “${namesOf(board, cell).row}”, ${share}`;
}
