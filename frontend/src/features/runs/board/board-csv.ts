/** Everything the judge board knows of a row, unrounded, for a file. */
import type { JudgeBoardRow } from "../../../api/schema";
import { figureCells, figureIn } from "../../../components/figure";
import type { CsvCell } from "../../../lib/csv";
import { publishedName, type ReferenceRow } from "../../../domain/references";
import { CELLS } from "../beside-columns";

const FIGURES = [
  "accuracy_all",
  "accuracy_scored",
  "coverage",
  "precision",
  "recall",
  "f1",
  "macro_f1",
  "cohen_kappa",
  "gwet_ac1",
  "accepted_share",
  "correct_share",
  "bias",
  "error_multiple",
  "kendall_tau_b",
] as const;

/** The figures of the file that a published number can be. */
export const PUBLISHED_FIGURES: readonly string[] = FIGURES;

/** A published number's cells in the file: its figures, and of what it was measured in its name. */
export function publishedCells(row: ReferenceRow): Readonly<Record<string, CsvCell>> {
  const values = Object.entries(row.scores).map(([figure, { value }]) => [figure, value] as const);
  return { name: publishedName(row), kind: "published", ...Object.fromEntries(values) };
}

export function csvOf(row: JudgeBoardRow): Readonly<Record<string, CsvCell>> {
  const { key, name, kind, signature, counts, figures } = row;
  return {
    key,
    name,
    kind,
    ...counts,
    ...figureCells(figures, [...FIGURES, "rejects_right", "accepts_wrong", ...SHARES]),
    cost_per_thousand_usd: figureIn(figures, "cost_per_thousand").value,
    seconds_per_thousand: figureIn(figures, "seconds_per_thousand").value,
    signature,
  };
}

const SHARES = CELLS.map((cell) => `${cell}_share`);
