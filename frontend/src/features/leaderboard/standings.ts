/** The leaderboard as plain values: which columns, in which order, and who moved. */
import type { Leaderboard, LeaderboardColumn, Score, SystemRow } from "../../api/schema";
import { boundedCells, type Figure, makeFigure } from "../../components/figure";
import type { CsvCells } from "../../lib/csv";
import { CORRECTED } from "../../domain/judged";
import { formatCount, statistic } from "../../lib/numbers";
import { aboutSorting } from "./about";

export type Direction = "ascending" | "descending";

export interface Sorting {
  readonly key: string;
  readonly direction: Direction;
}

/** The column whose ranks stand for "before people looked". */
export function baselineColumn(columns: readonly LeaderboardColumn[]): LeaderboardColumn | null {
  return (
    columns.find(({ key }) => key === "exact_match") ??
    columns.find(({ kind, gold }) => kind === "judge" && gold !== "amended") ??
    null
  );
}

export const DECIDED = "human_decided";

/** Below it, scores by amended gold are mostly exact match, so they are not called people’s. */
const ENOUGH_DECIDED = 0.8;

/** The share of answers that people decided, of the system of which they decided least; 1 where it is not told. */
export function decidedShare(rows: readonly SystemRow[]): number {
  const shares = rows.map(({ n, scores }) =>
    scores[DECIDED] === undefined ? 1 : (scores[DECIDED]?.n ?? 0) / n,
  );
  return Math.min(1, ...shares);
}

/** Whether neither people nor programs have decided any answer, so that judges' scores are all there is. */
export function isUndecided({
  all_decided,
  programs_share,
  rows,
}: Pick<Leaderboard, "all_decided" | "programs_share" | "rows">): boolean {
  return !all_decided && programs_share === 0 && rows.every(({ decided_share: share }) => share === 0);
}

/**
 * The column that says what people found. Where programs settled answers it is the audit's estimate, once
 * there is one; else the last of the human ones that covers every answer, once enough of them are decided:
 * until then it is what was decided.
 */
export function humanColumn(
  columns: readonly LeaderboardColumn[],
  rows: readonly SystemRow[],
): LeaderboardColumn | null {
  const human = columns.filter(({ kind }) => kind === "human");
  const corrected = human.find(({ key }) => key === CORRECTED);
  if (corrected && rows.some(({ scores }) => scores[CORRECTED])) return corrected;
  const decided = human.find(({ key }) => key === DECIDED);
  if (decided && decidedShare(rows) < ENOUGH_DECIDED) return decided;
  return human.find(({ gold }) => gold === "amended") ?? human.at(-1) ?? null;
}

/** Whether a column says what people found, and not mostly what exact match says of what is undecided. */
export function isPeoples(column: LeaderboardColumn, rows: readonly SystemRow[]): boolean {
  if (column.kind !== "human") return false;
  return column.gold !== "amended" || decidedShare(rows) >= ENOUGH_DECIDED;
}

/**
 * The columns that say something of a system: what no audit corrects yet would take room for dashes, and once
 * all is decided two columns would say the same of people.
 */
export function withScores(
  columns: readonly LeaderboardColumn[],
  rows: readonly SystemRow[],
): LeaderboardColumn[] {
  const isRepeated = rows.every(
    ({ scores: { human, [DECIDED]: decided } }) => human?.n === decided?.n && human?.value === decided?.value,
  );
  return columns.filter(
    ({ key }) => rows.some(({ scores }) => scores[key]) && !(key === DECIDED && isRepeated),
  );
}

/** The columns shown where nobody chose: once all is decided, people's score is the one that ranks systems. */
export function usualColumns(
  columns: readonly LeaderboardColumn[],
  rows: readonly SystemRow[],
): LeaderboardColumn[] {
  const isOver = decidedShare(rows) >= 1 && humanColumn(columns, rows)?.key !== DECIDED;
  return columns.filter(({ key }) => !(isOver && key === DECIDED));
}

/** The columns chosen in the address, in the table's own order; the usual ones where nothing was chosen. */
export function chosenColumns(
  columns: readonly LeaderboardColumn[],
  chosen: string | undefined,
  usual: readonly LeaderboardColumn[] = columns,
): LeaderboardColumn[] {
  const keys = new Set((chosen ?? "").split(","));
  const found = columns.filter(({ key }) => keys.has(key));
  return found.length > 0 ? found : [...usual];
}

const PLACES = { human: 0, mixed: 1, judge: 2 } as const;

/** What people found before what judges say: however many judges there are, it stays in sight. */
export function peopleFirst(
  columns: readonly LeaderboardColumn[],
  rows: readonly SystemRow[],
): LeaderboardColumn[] {
  const placeOf = (column: LeaderboardColumn) => {
    const isMostlyMatched = column.kind === "human" && !isPeoples(column, rows);
    return PLACES[isMostlyMatched ? "mixed" : column.kind];
  };
  return columns.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** What the address says after one column was switched; nothing when all are shown again. */
export function toggledColumns(
  columns: readonly LeaderboardColumn[],
  shown: readonly LeaderboardColumn[],
  key: string,
  usual: readonly LeaderboardColumn[] = columns,
): string | undefined {
  const keys = new Set(shown.map((column) => column.key));
  if (keys.has(key)) keys.delete(key);
  else keys.add(key);
  const isUsual = keys.size === usual.length && usual.every((column) => keys.has(column.key));
  if (keys.size === 0 || isUsual) return undefined;
  return columns
    .filter((column) => keys.has(column.key))
    .map((column) => column.key)
    .join(",");
}

export function parseSorting(
  text: string | undefined,
  columns: readonly LeaderboardColumn[],
  rows: readonly SystemRow[],
): Sorting {
  return chosenSorting(text, columns) ?? usualSorting(columns, rows);
}

/** The order that the address asks for; null where it asks for none. */
function chosenSorting(text: string | undefined, columns: readonly LeaderboardColumn[]): Sorting | null {
  const [, key, direction] = /^(.*?)(?::(ascending|descending))?$/s.exec(text ?? "") ?? [];
  const known = key === "system" || columns.some((column) => column.key === key) || aboutSorting(key ?? "");
  if (key === undefined || !known) return null;
  return { key, direction: direction === "ascending" ? "ascending" : "descending" };
}

function usualSorting(columns: readonly LeaderboardColumn[], rows: readonly SystemRow[]): Sorting {
  const first = humanColumn(columns, rows) ?? columns[0];
  return { key: first?.key ?? "system", direction: first ? "descending" : "ascending" };
}

/**
 * The column by whose scores over too few answers systems come last, in the order that nobody chose; null
 * where somebody chose one, and where no score is over too few.
 */
export function splittingColumn(
  text: string | undefined,
  columns: readonly LeaderboardColumn[],
  rows: readonly SystemRow[],
): LeaderboardColumn | null {
  if (chosenSorting(text, columns)) return null;
  const { key } = usualSorting(columns, rows);
  const column = columns.find((each) => each.key === key);
  return column && rows.some((row) => isOfFew(row, column)) ? column : null;
}

export function writeSorting(sorting: Sorting): string {
  return `${sorting.key}:${sorting.direction}`;
}

/** A second press of the same heading turns the order round; numbers start with the best, names with A. */
export function nextSorting(current: Sorting, key: string): Sorting {
  if (current.key === key) {
    return { key, direction: current.direction === "descending" ? "ascending" : "descending" };
  }
  return { key, direction: key === "system" ? "ascending" : "descending" };
}

/** Rows in order; a system without a score comes last either way, equal ones by name. */
export function sortedRows(rows: readonly SystemRow[], sorting: Sorting): SystemRow[] {
  const sign = sorting.direction === "ascending" ? 1 : -1;
  const byName = (a: SystemRow, b: SystemRow) => a.label.localeCompare(b.label, "en");
  const valueOf = aboutSorting(sorting.key) ?? ((row: SystemRow) => row.scores[sorting.key]?.value ?? null);
  return [...rows].sort((a, b) => {
    if (sorting.key === "system") return sign * byName(a, b);
    const left = valueOf(a);
    const right = valueOf(b);
    if (left === null) return right === null ? byName(a, b) : 1;
    if (right === null) return -1;
    if (left === right) return byName(a, b);
    return typeof left === "number" && typeof right === "number"
      ? sign * (left - right)
      : sign * String(left).localeCompare(String(right), "en");
  });
}

/** Whether the system's score in the column is over too few answers to stand among the others. */
export function isOfFew(row: SystemRow, column: LeaderboardColumn): boolean {
  const score = row.scores[column.key];
  return score != null && score.n < column.fewest;
}

/** Rows in the order they had, but those with a score over too few answers come last. */
export function fewLast(rows: readonly SystemRow[], column: LeaderboardColumn): SystemRow[] {
  return rows.toSorted((a, b) => Number(isOfFew(a, column)) - Number(isOfFew(b, column)));
}

/** Places gained (positive) or lost between two columns; null where either gives no rank. */
export function rankChange(row: SystemRow, from: string, to: string): number | null {
  const before = row.scores[from]?.rank.value ?? null;
  const after = row.scores[to]?.rank.value ?? null;
  return before === null || after === null ? null : before - after;
}

/** The difference of two columns over the same questions as a share, or null. */
export function difference(row: SystemRow, from: string, to: string): number | null {
  const before = row.scores[from];
  const after = row.scores[to];
  if (before?.n !== after?.n || !before || !after) return null;
  return after.value - before.value;
}

/** What a system gains: by its scores until it is computed with its interval, where it is over the same questions. */
export function gainIn(row: SystemRow, from: string, to: string): Figure {
  return row.scores[to]?.gain ?? makeFigure(difference(row, from, to));
}

/** Common bounds for the interval bars of a table, a little wider than what they show, within 0 and 1. */
export function scale(rows: readonly SystemRow[], columns: readonly LeaderboardColumn[]): [number, number] {
  const ends = rows.flatMap((row) =>
    columns.flatMap(({ key }) => {
      const score = row.scores[key];
      return score ? [score.low ?? score.value, score.high ?? score.value] : [];
    }),
  );
  if (ends.length === 0) return [0, 1];
  const low = Math.floor(Math.min(...ends) * 10) / 10;
  const high = Math.ceil(Math.max(...ends) * 10) / 10;
  return low < high ? [low, high] : [Math.max(0, low - 0.1), Math.min(1, high + 0.1)];
}

/** On how many questions a score is, where these are not all. */
export function fewWords(score: Score | null | undefined, questions: number | undefined): string | undefined {
  return score && score.n !== questions ? statistic("n", formatCount(score.n)) : undefined;
}

/** A score's cells in a file. */
export function scoreCells(name: string, score: Score | null | undefined): CsvCells {
  return {
    [name]: score?.value,
    [`${name} correct`]: score?.correct,
    [`${name} n`]: score?.n,
    ...boundedCells(name, score, `${name} `),
  };
}

export function rankedCells(name: string, score: Score | null | undefined): CsvCells {
  return { ...scoreCells(name, score), [`${name} rank`]: score?.rank.value };
}
