/** Published numbers without answers, as tables and forms need them. */

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
  readonly removed_at: string | null;
}

export interface Measure {
  readonly key: string;
  readonly name: string;
}

/** How judges are measured, by the keys of the judges' table. */
export const JUDGE_MEASURES: readonly Measure[] = [
  { key: "accuracy_all", name: "Accuracy" },
  { key: "f1", name: "F1" },
  { key: "macro_f1", name: "Macro-F1" },
  { key: "precision", name: "Precision" },
  { key: "recall", name: "Recall" },
  { key: "cohen_kappa", name: "Cohen’s κ" },
  { key: "kendall_tau_b", name: "Kendall’s τ" },
];

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
};

/** Which field of the form is wrong, in words; empty where all can be sent. */
export function complaintsOf(draft: Draft): Partial<Record<keyof Draft, string>> {
  const percent = Number(draft.percent);
  const n = Number(draft.n);
  return {
    ...(draft.name.trim() === "" && { name: "Say whose number it is." }),
    ...(draft.measure === "" && draft.words.trim() === "" && { words: "Say what was measured." }),
    ...((draft.percent.trim() === "" || !(Math.abs(percent) <= 100)) && {
      percent: "A number of at most 100, such as 71.4.",
    }),
    ...(draft.n.trim() !== "" && !(Number.isInteger(n) && n > 0) && { n: "A count, such as 301." }),
    ...(draft.source.trim() === "" && { source: "Say where it was published." }),
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
  };
}

export function measureName(key: string, measures: readonly Measure[]): string {
  return measures.find((measure) => measure.key === key)?.name ?? key;
}

/** What a table shows in one row: the numbers of one name, in force, measured on the same. */
export interface ReferenceRow {
  readonly name: string;
  readonly about: string;
  readonly scores: Readonly<Record<string, Published>>;
}

/** Rows for the numbers that fit one of the table's columns; others stand in the list of all only. */
export function referenceRows(
  references: readonly Published[],
  subject: Subject,
  keys: readonly string[],
): ReferenceRow[] {
  const rows = new Map<string, ReferenceRow>();
  for (const reference of references) {
    if (reference.subject !== subject || reference.removed_at !== null) continue;
    if (!keys.includes(reference.measure)) continue;
    const id = JSON.stringify([reference.name, reference.about]);
    const row = rows.get(id) ?? { name: reference.name, about: reference.about, scores: {} };
    rows.set(id, { ...row, scores: { ...row.scores, [reference.measure]: reference } });
  }
  return [...rows.values()];
}
