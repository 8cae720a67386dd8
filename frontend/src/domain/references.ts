/** Published numbers without answers, as tables and forms need them. */
import type { CsvCells } from "../lib/csv";

type Subject = "system" | "judge";

/** What is needed of a published number; the server's has more. */
export interface Published {
  readonly subject: Subject;
  readonly name: string;
  readonly measure: string;
  readonly value: number;
  readonly n: number | null;
  readonly about: string;
  readonly source: string;
  /** Which part of the study it stands with; empty: the whole of it. */
  readonly dataset: string;
  readonly system: string;
  readonly prompt: string;
  readonly removed_at: string | null;
}

export interface Measure {
  readonly key: string;
  readonly name: string;
}

/** What is typed into the form; the measure is a key, or words where the key is empty. */
export interface Draft {
  readonly name: string;
  readonly measure: string;
  readonly words: string;
  readonly percent: string;
  readonly n: string;
  readonly about: string;
  readonly source: string;
  readonly source_url: string;
  readonly dataset: string;
  readonly system: string;
  readonly prompt: string;
}

export const EMPTY_DRAFT: Draft = {
  name: "",
  measure: "",
  words: "",
  percent: "",
  n: "",
  about: "",
  source: "",
  source_url: "",
  dataset: "",
  system: "",
  prompt: "",
};

/** Which field of the form is wrong, in words; empty where all can be sent. */
export function complaintsOf(draft: Draft): Partial<Record<keyof Draft, string>> {
  const percent = Number(draft.percent);
  const n = Number(draft.n);
  return {
    ...(draft.name.trim() === "" && { name: "Enter the system or judge." }),
    ...(draft.measure === "" && draft.words.trim() === "" && { words: "Enter the measure." }),
    ...((draft.percent.trim() === "" || !(Math.abs(percent) <= 100)) && {
      percent: "Enter a number up to 100, such as 71.4.",
    }),
    ...(draft.n.trim() !== "" &&
      !(Number.isInteger(n) && n > 0) && { n: "Enter a whole number, such as 301." }),
    ...(draft.source.trim() === "" && { source: "Enter the publication." }),
  };
}

/** The request; percents become shares without what floating point would add. */
export function requestOf(draft: Draft, subject: Subject) {
  return {
    subject,
    name: draft.name.trim(),
    measure: draft.measure || draft.words.trim(),
    value: Number((Number(draft.percent) / 100).toFixed(10)),
    n: draft.n.trim() === "" ? null : Number(draft.n),
    about: draft.about.trim(),
    source: draft.source.trim(),
    source_url: draft.source_url.trim(),
    dataset: draft.dataset,
    system: draft.system,
    prompt: draft.prompt.trim(),
  };
}

export function measureName(key: string, measures: readonly Measure[]): string {
  return measures.find((measure) => measure.key === key)?.name ?? key;
}

/** What a table shows in one row: the numbers of one name, measured alike and on the same. */
export interface ReferenceRow<Score = Published> {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly dataset: string;
  readonly prompt: string;
  /** By the cell each stands in. */
  readonly scores: Readonly<Record<string, Score>>;
}

interface Placed {
  readonly name: string;
  readonly about: string;
  readonly dataset: string;
  readonly prompt?: string;
}

/** The numbers of systems, or of judges, that were not taken out. */
export function inForce(references: readonly Published[], subject: Subject): readonly Published[] {
  return references.filter((each) => each.subject === subject && each.removed_at === null);
}

/** Rows for the numbers that have a cell in the table; others stand in the list of all only. */
export function referenceRows<Score extends Placed>(
  references: readonly Score[],
  cellOf: (reference: Score) => string | null,
): ReferenceRow<Score>[] {
  const rows = new Map<string, ReferenceRow<Score>>();
  for (const reference of references) {
    const cell = cellOf(reference);
    if (cell === null) continue;
    const { name, about, dataset, prompt = "" } = reference;
    const key = JSON.stringify([name, prompt, dataset, about]);
    const row = rows.get(key) ?? { key, name, about, dataset, prompt, scores: {} };
    rows.set(key, { ...row, scores: { ...row.scores, [cell]: reference } });
  }
  return [...rows.values()];
}

/** The cell of a number in a table whose columns are measures. */
export function byMeasure(keys: readonly string[]) {
  return ({ measure }: { readonly measure: string }) => (keys.includes(measure) ? measure : null);
}

/** How a row says that it was published, and of what. */
export function publishedNote({
  prompt,
  dataset,
  about,
}: Omit<ReferenceRow, "key" | "name" | "scores">): string {
  return ["published", prompt && `prompt ${prompt}`, dataset, about].filter(Boolean).join(" · ");
}

/** A judge's name in a file, which says by what prompt and of what its numbers are. */
export function publishedName({
  name,
  prompt,
  about,
}: Pick<ReferenceRow, "name" | "prompt" | "about">): string {
  return [name, prompt && `prompt ${prompt}`, about].filter(Boolean).join(", ");
}

/** Its line in the file of a table: what `names` says of it, and its numbers and their counts by their cells. */
export function publishedLine(
  { scores }: ReferenceRow<Pick<Published, "value" | "n" | "source">>,
  names: CsvCells,
): CsvCells {
  const cells = Object.entries(scores).flatMap(([cell, { value, n }]): [string, number | null][] => [
    [cell, value],
    [`${cell} n`, n],
  ]);
  return { ...names, ...Object.fromEntries(cells), published: sourcesOf(scores) };
}

/** A system's names in such a line: its label says of what its numbers are. */
export function systemNames({ name, dataset, about }: ReferenceRow<Placed>): CsvCells {
  return { system: name, label: [name, dataset, about].filter(Boolean).join(", ") };
}

/** What stands in a file's column `published` where a row is such a number. */
export function sourcesOf(scores: Readonly<Record<string, { readonly source: string }>>): string {
  return [...new Set(Object.values(scores).map(({ source }) => source))].join(" | ");
}
