/** Everything the judge board knows of a row, unrounded, for a file. */
import type { JudgeBoardRow } from "../../../api/contract";
import { publishedName, type ReferenceRow } from "../../../domain/references";
import type { CsvCell } from "../../../lib/csv";
import { acceptsOf, type Bounds, cellsOf, csvFigures, pick, rejectsOf, rowsOf } from "../beside-columns";
import { wronged } from "../wronged";

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

const CELLS = ["tp", "fn", "fp", "tn", "unscored"] as const;

type BoundsOf = (row: JudgeBoardRow, figure: string) => Bounds;

export function csvOf(row: JudgeBoardRow, boundsOf: BoundsOf): Readonly<Record<string, CsvCell>> {
  const { key, name, kind, signature, tp, fn, fp, tn, unscored } = row;
  const cells = cellsOf(row);
  const values = {
    ...pick(row, FIGURES),
    rejects_right: rejectsOf(row),
    accepts_wrong: acceptsOf(row),
    ...Object.fromEntries(
      CELLS.map((cell) => [`${cell}_share`, wronged(cells[cell], rowsOf(cells) - cells[cell])]),
    ),
  };
  return {
    key,
    name,
    kind,
    tp,
    fn,
    fp,
    tn,
    unscored,
    ...csvFigures(values, (figure) => boundsOf(row, figure)),
    cost_per_thousand_usd: row.cost_per_thousand,
    seconds_per_thousand: row.seconds_per_thousand,
    signature,
  };
}
