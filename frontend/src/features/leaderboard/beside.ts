/** The judged sample beside all questions, as plain values. */
import type { Leaderboard, LeaderboardColumn, Score, SystemRow } from "../../api/schema";
import type { Published, ReferenceRow } from "../../domain/references";
import type { CsvCell, CsvCells } from "../../lib/csv";
import { isPeoples, peopleFirst } from "./standings";

export interface BesideRow {
  readonly system: string;
  readonly label: string;
  readonly sample: SystemRow | null;
  readonly entire: SystemRow | null;
}

/** The programs' columns over all questions: people judge the sample only. */
export function entireColumns(entire: Leaderboard): LeaderboardColumn[] {
  return entire.columns.filter(({ kind }) => kind === "judge");
}

/**
 * All columns of the sample; those that stand over all questions, too, in the same order last. What is
 * mostly exact match is not people's.
 */
export function sampleColumns(sample: Leaderboard, entire: Leaderboard): LeaderboardColumn[] {
  const shared = new Set(entireColumns(entire).map(({ key }) => key));
  return peopleFirst(sample.columns, sample.rows)
    .map((column) =>
      column.kind === "human" && !isPeoples(column, sample.rows)
        ? { ...column, kind: "mixed" as const }
        : column,
    )
    .toSorted((a, b) => Number(shared.has(b.key)) - Number(shared.has(a.key)));
}

/** Every system of either, in the sample's order; those without answers beyond it have none there. */
export function besideRows(sample: readonly SystemRow[], entire: readonly SystemRow[]): BesideRow[] {
  const beyond = new Map(entire.map((row) => [row.system, row]));
  const known = new Set(sample.map(({ system }) => system));
  return [
    ...sample.map((row) => ({
      system: row.system,
      label: row.label,
      sample: row,
      entire: beyond.get(row.system) ?? null,
    })),
    ...entire
      .filter(({ system }) => !known.has(system))
      .map((row) => ({ system: row.system, label: row.label, sample: null, entire: row })),
  ];
}

/** A line a system; each column its score, counts, interval and rank. */
export function besideCsv(rows: readonly BesideRow[], sample: Leaderboard, entire: Leaderboard) {
  return rows.map(({ system, label, ...row }) => ({
    system,
    label,
    ...cellsOf("all", row.entire, entireColumns(entire)),
    ...cellsOf("sample", row.sample, sampleColumns(sample, entire)),
  }));
}

/** A published number of as many answers as there are questions is of all; any other stands with the sample. */
export function isOfAll({ measure, n }: Pick<Published, "measure" | "n">, entire: Leaderboard): boolean {
  return n === entire.n_questions && entireColumns(entire).some(({ key }) => key === measure);
}

/** Its cells in the file of the sample beside all questions. */
export function besidePublishedCells(
  row: ReferenceRow,
  entire: Leaderboard,
): Readonly<Record<string, CsvCell>> {
  const { system, label } = publishedCells(row);
  const values = Object.entries(row.scores).flatMap(([key, score]): [string, CsvCell][] => {
    const name = `${isOfAll(score, entire) ? "all" : "sample"} ${key}`;
    return [
      [name, score.value],
      [`${name} n`, score.n],
    ];
  });
  return { system, label, ...Object.fromEntries(values) };
}

/**
 * A line a system of one board; range: what people's score may yet become. Intervals of ranks are empty
 * while they are computed.
 */
export function boardCsv(rows: readonly SystemRow[], columns: readonly LeaderboardColumn[]) {
  return rows.map((row) => ({
    system: row.system,
    label: row.label,
    n: row.n,
    ...cellsOf("", row, columns),
    ...Object.fromEntries(
      columns.flatMap(({ key }) => {
        const rank = row.scores[key]?.rank;
        return [
          [`${key} best rank`, rank?.low],
          [`${key} worst rank`, rank?.high],
        ];
      }),
    ),
    "decided share": row.decided_share,
    "range low": row.range?.[0],
    "range high": row.range?.[1],
  }));
}

/** A published number's cells in the file of a board: value and count of each column, which nothing else is known of. */
export function publishedCells({
  name,
  dataset,
  about,
  scores,
}: ReferenceRow): Readonly<Record<string, CsvCell>> {
  const values = Object.entries(scores).flatMap(([key, { value, n }]): [string, CsvCell][] => [
    [key, value],
    [`${key} n`, n],
  ]);
  return {
    system: name,
    label: [name, dataset, about].filter(Boolean).join(", "),
    ...Object.fromEntries(values),
  };
}

function cellsOf(group: string, row: SystemRow | null, columns: readonly LeaderboardColumn[]) {
  const cells: Record<string, CsvCell> = {};
  for (const { key } of columns) {
    const score = row?.scores[key];
    const name = group ? `${group} ${key}` : key;
    Object.assign(cells, scoreCells(name, score));
    cells[`${name} rank`] = score?.rank.value ?? null;
  }
  return cells;
}

/** A score's cells in a file. */
export function scoreCells(name: string, score: Score | null | undefined): CsvCells {
  return {
    [name]: score?.value,
    [`${name} right`]: score?.correct,
    [`${name} n`]: score?.n,
    [`${name} low`]: score?.low,
    [`${name} high`]: score?.high,
  };
}
