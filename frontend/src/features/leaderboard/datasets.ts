/** Scores by data set as plain values. */
import type { ByDataset, DatasetRow, Score } from "../../api/schema";
import { CORRECTED } from "../../domain/judged";
import { byMeasure, type Published, type ReferenceRow, referenceRows } from "../../domain/references";
import { DECIDED } from "./standings";

/** One system, or several of one label that never answered the same data set: a system has a file for each. */
export interface SystemColumn {
  readonly key: string;
  readonly label: string;
  readonly systems: readonly string[];
}

export interface DatasetGroup {
  readonly dataset: ByDataset["datasets"][number];
  readonly rows: readonly DatasetRow[];
  /** The systems with a score here. */
  readonly columns: readonly SystemColumn[];
  /** Systems known by published numbers alone; their cells are ways of judging. */
  readonly published: readonly ReferenceRow[];
}

export function scoreOf({ scores }: DatasetRow, { systems }: SystemColumn): Score | null {
  return systems.map((system) => scores[system]).find((score) => score != null) ?? null;
}

/** Systems of one label share a column where no data set has answers of two of them. */
export function systemColumns({ systems, rows }: ByDataset): SystemColumn[] {
  const byLabel = new Map<string, string[]>();
  for (const { system, label } of systems) byLabel.set(label, [...(byLabel.get(label) ?? []), system]);
  const clash = (names: readonly string[]) =>
    rows.some(({ scores }) => names.filter((name) => scores[name] != null).length > 1);
  return [...byLabel].flatMap(([label, names]) =>
    clash(names)
      ? names.map((name) => ({ key: name, label: `${label} (${name})`, systems: [name] }))
      : [{ key: names.join("\n"), label, systems: names }],
  );
}

/** The data sets that anything was said of, each with its rows, people first. */
export function datasetGroups(found: ByDataset, references: readonly Published[] = []): DatasetGroup[] {
  const columns = systemColumns(found);
  const shown = shownRows(found);
  return found.datasets
    .map((dataset) => {
      const rows = shown
        .filter((row) => row.dataset === dataset.name)
        .toSorted((a, b) => Number(b.kind === "human") - Number(a.kind === "human"));
      const own = columns.filter((column) => rows.some((row) => scoreOf(row, column) !== null));
      const published = references.filter((each) => each.dataset === dataset.name);
      const cells = byMeasure(rows.map(({ column }) => column));
      return { dataset, rows, columns: own, published: referenceRows(published, cells) };
    })
    .filter(({ rows }) => rows.length > 0);
}

/** Whose scores the audit corrects on every data set of theirs, and whose it does not yet. */
export function finalOf({ systems, rows }: Pick<ByDataset, "systems" | "rows">) {
  const setsWith = (system: string, own: readonly DatasetRow[]) =>
    new Set(own.filter(({ scores }) => scores[system] != null).map(({ dataset }) => dataset)).size;
  const corrected = rows.filter(({ column }) => column === CORRECTED);
  const labels = (isFinal: boolean) =>
    systems
      .filter(({ system }) => setsWith(system, rows) > 0)
      .filter(({ system }) => (setsWith(system, corrected) === setsWith(system, rows)) === isFinal)
      .map(({ label }) => label);
  return { final: labels(true), others: labels(false) };
}

const PEOPLE = {
  column: "human",
  name: "People, otherwise exact match",
  kind: "human",
  signature: "",
  scores: {},
} as const;

/** With a row of people in each data set of which numbers of people are published, while nobody judged there. */
export function withPublishedPeople(found: ByDataset, references: readonly Published[]): ByDataset {
  const wanted = found.datasets.filter(
    ({ name }) =>
      references.some((each) => each.dataset === name && each.measure === PEOPLE.column) &&
      found.rows.some((row) => row.dataset === name) &&
      !found.rows.some((row) => row.dataset === name && row.column === PEOPLE.column),
  );
  return { ...found, rows: [...found.rows, ...wanted.map(({ name }) => ({ ...PEOPLE, dataset: name }))] };
}

/** One table for all where they share their systems, else one for each. */
export function tablesOf(groups: readonly DatasetGroup[]): (readonly DatasetGroup[])[] {
  const keys = new Set(groups.map(({ columns }) => columns.map(({ key }) => key).join("\t")));
  return keys.size === 1 ? [groups] : groups.map((group) => [group]);
}

/** Whether no system has a higher score in the row; nothing to tell where only one has any. */
export function isBest(row: DatasetRow, score: Score | null): boolean {
  const values = Object.values(row.scores).flatMap((each) => (each ? [each.value] : []));
  return values.length > 1 && score?.value === Math.max(...values);
}

/** Numbers of no data set of their own belong to the only one there is. */
export function placedIn(
  references: readonly Published[],
  datasets: readonly string[],
): readonly Published[] {
  const [only, ...more] = datasets;
  if (only === undefined || more.length > 0) return references;
  return references.map((each) => (each.dataset === "" ? { ...each, dataset: only } : each));
}

/** The systems known by published numbers alone of these data sets, each once. */
export function publishedColumns(groups: readonly DatasetGroup[]): readonly PublishedColumn[] {
  const names = new Map<string, PublishedColumn>();
  for (const { name, about } of groups.flatMap(({ published }) => published)) {
    names.set(JSON.stringify([name, about]), { name, about });
  }
  return [...names].map(([, column]) => column);
}

export interface PublishedColumn {
  readonly name: string;
  readonly about: string;
}

export function publishedScore(
  group: DatasetGroup | undefined,
  { name, about }: PublishedColumn,
  measure: string,
) {
  return group?.published.find((row) => row.name === name && row.about === about)?.scores[measure];
}

/** Every way of judging once: it has a row in each data set. */
export function judgesOf(found: ByDataset): DatasetRow[] {
  return [...new Map(shownRows(found).map((row) => [row.column, row])).values()];
}

/** Without what people decided alone where it repeats people's scores: once all is decided. */
function shownRows({ rows }: ByDataset): readonly DatasetRow[] {
  const said = (key: string) =>
    JSON.stringify(
      rows.flatMap(({ column, dataset, scores }) => (column === key ? [[dataset, scores]] : [])),
    );
  return said(DECIDED) === said(PEOPLE.column) ? rows.filter(({ column }) => column !== DECIDED) : rows;
}

/** A line a data set, way of judging and system, those published last. */
export function datasetCsv(found: ByDataset, references: readonly Published[] = []) {
  const own = found.rows.flatMap(({ dataset, column, scores }) =>
    found.systems.flatMap(({ system, label }) => {
      const score = scores[system];
      return score ? [lineOf(score, { dataset, judged_by: column, system, label })] : [];
    }),
  );
  const published = datasetGroups(found, references).flatMap(({ dataset, published: rows }) =>
    rows.flatMap(({ name, scores }) =>
      Object.entries(scores).map(([column, score]) => {
        const names = { dataset: dataset.name, judged_by: column, system: name, label: name };
        return lineOf(score, names, score.source);
      }),
    ),
  );
  return [...own, ...published];
}

type Known = Pick<Published, "value" | "n"> & Partial<Omit<Score, "n">>;

function lineOf<Names>(
  { value, correct = null, n, low = null, high = null }: Known,
  names: Names,
  published = "",
) {
  return { ...names, value, correct, n, low, high, published };
}
