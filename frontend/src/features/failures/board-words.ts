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
    name: "Correct answers that judges miss",
    about:
      "A miss is an answer that people accept and the judge rejects. The chart shows the share of each judge’s misses with each tag.",
    axis: "Share of the judge’s misses (percent)",
    rate: "Miss rate among answers that people accept",
    row: "Tag",
    next: "Create a round of answers that people accept and a judge rejects, then tag them.",
  },
  {
    value: "repairs",
    name: "Exact-match misses that judges accept",
    about:
      "A miss is an answer that people accept and exact match rejects. The chart shows, for each tag, the share of misses that another judge accepts.",
    axis: "Exact-match misses that the judge accepts (percent)",
    rate: "Share of all misses accepted",
    row: "Tag",
    next: "Create a round of answers that people accept and exact match rejects, then tag them.",
  },
  {
    value: "wrong",
    name: "System errors",
    about:
      "The chart shows, for each tag, the share of a system’s answers that are incorrect and have this tag. If judges settled answers, the shares are estimated from the answers that people decided. In that case, the shares can differ from the corrected scores, which also use the judges’ verdicts. If each answer has one tag and all are tagged, the shares add up to the error rate.",
    axis: "Share of the system’s answers (percent)",
    rate: "Error rate over all answers",
    row: "Tag",
    next: "Create a round of answers that people reject, then tag them.",
  },
  {
    value: "errors",
    name: "One judge’s errors",
    about:
      "An error is a verdict that disagrees with people’s decision. The chart shows, for each system, the share of the judge’s errors with each tag.",
    axis: "Share of the judge’s errors (percent)",
    rate: "Error rate over the judged answers",
    row: "Tag",
    next: "Using a tag set for verdicts, create a round of one judge’s errors, then tag the errors.",
  },
  {
    value: "length",
    name: "Accuracy by answer length",
    about:
      "Accuracy is the share of answers on which the judge agrees with people. Here, an answer counts once for each system that gave it. In “Judges compared with people,” it counts only once, so the accuracy differs slightly.",
    axis: "Accuracy (percent)",
    rate: "Accuracy over all lengths",
    row: "Length",
    next: "",
  },
  {
    value: "credit",
    name: "Correct answers missing from gold",
    about:
      "This board covers questions with a tagged answer that people accept but that matches no gold answer. The chart shows the share of these questions with each tag. A question may have several tags.",
    axis: "Share of questions with a tagged answer (percent)",
    rate: "Questions with a correct answer missing from gold",
    row: "Tag",
    next: "Create a round of answers that people accept but that match no gold answer, then tag them.",
  },
  {
    value: "unattributable",
    name: "Unattributable answers",
    about:
      "The chart shows the share of tagged incorrect answers that each judge accepts. Answers that no source supports are shown separately from the others.",
    axis: "Incorrect answers that the judge accepts (percent)",
    rate: "Share of all incorrect answers accepted",
    row: "Answers",
    next: "Tag incorrect answers, and mark an answer as unattributable if no source supports it.",
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
  const open = standsFor < total && tagged > 0 ? `, representing ${formatCount(standsFor)}` : "";
  return `${taggedWords(column)}${open}`;
}

/** Whether shares rest on part of what they are about, so that the page must say how. */
export function isSample(board: FailureBoard): boolean {
  return board.columns.some(({ total, tagged }) => tagged > 0 && tagged < total);
}

export function sampleNote(board: FailureBoard): string {
  if (!isSample(board)) return "";
  if (board.board === "credit") return "Shares cover only the questions tagged so far and are not weighted.";
  const isOpen = board.columns.some(({ total, stands_for: standsFor }) => standsFor < total);
  const open = isOpen
    ? " They leave out two kinds of answers: those that no round could have sampled, and those that could have been sampled only in rounds that have no tags yet."
    : "";
  return `Shares are estimates: each tagged answer also represents other answers that the same rounds could have sampled.${open}`;
}

type Cell = FailureBoard["cells"][number];

const SENTENCES: Readonly<Record<FailureBoard["board"], (board: FailureBoard) => string>> = {
  misses: (board) => {
    if (isNever(board.columns)) return "No judge on this board rejects an answer that people accept.";
    const [column] = board.columns;
    return column
      ? `${column.name} rejects ${percent(column.rate)} of the answers that people accept${mostOften(board, column)}.`
      : "";
  },
  repairs: (board) => {
    const best = highest(board.columns, ({ rate }) => rate.value);
    if (!best && board.columns.length > 0) return "Exact match rejects no answer that people accept.";
    return best
      ? `${best.name} accepts the largest share of exact match’s misses: ${percent(best.rate)}.`
      : "";
  },
  wrong: (board) => {
    if (isNever(board.columns)) return "People have not rejected any answers.";
    const worst = highest(board.columns, ({ rate }) => rate.value);
    return worst
      ? `${worst.name} has the highest error rate, ${percent(worst.rate)}${mostOften(board, worst)}.`
      : "";
  },
  errors: (board) => {
    const judge = board.runs.find(({ key }) => key === board.run)?.name ?? "The judge";
    if (isNever(board.columns)) return `${judge} agrees with people on every answer.`;
    const worst = highest(board.columns, ({ rate }) => rate.value);
    return worst
      ? `${judge} has its highest error rate on ${worst.name}, ${percent(worst.rate)}${mostOften(board, worst)}.`
      : "";
  },
  length: (board) => {
    const cell = highest(
      board.cells.filter(({ of }) => of >= FEW),
      wrongShare,
    );
    if (!cell) return "";
    if (wrongShare(cell) === 0) return "Every judge agrees with people at every length.";
    const { judge, row } = namesOf(board, cell);
    const share = percent(cell.share);
    return `${judge} has the lowest accuracy for answers of ${row}: ${share} of ${countOf(cell.of, "answer")}.`;
  },
  credit: (board) => {
    const [column] = board.columns;
    return column
      ? `For ${percent(column.rate)} of the questions, people accept an answer that matches no gold answer${mostOften(board, column)}.`
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
    const whose = system ? ` from ${system}` : "";
    return `${judge} accepts the largest share of unattributable incorrect answers${whose}: ${percent(cell.share)} of ${cell.of}.`;
  },
};

export function headlineOf(board: FailureBoard): string {
  // Of what programs settled nobody has checked anything: what is left is what they found hard.
  if (board.left_out > 0)
    return `Automatic judges settled ${countOf(board.left_out, "answer")} that nobody has checked yet, so this board does not cover all answers.`;
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

/** Nothing where several tags tie, as far as readers see. */
function mostOften(board: FailureBoard, column: Column): string {
  const cells = board.cells.filter((own) => own.column === column.key && own.items > 0);
  const cell = highest(cells, ({ share }) => share.value);
  if (!cell) return "";
  const share = tagShare(cell);
  if (cells.some((other) => other !== cell && tagShare(other) === share)) return "";
  return `; the most frequent tag is “${namesOf(board, cell).row}” (${share})`;
}

const tagShare = ({ items, of, share }: Cell) => (of < FEW ? `${items} of ${of}` : percent(share));
