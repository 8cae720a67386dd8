/** Everything the judge board knows of a row, unrounded, for a file. */
import type { JudgeBoardRow } from "../../../api/contract";
import type { CsvCell } from "../../../lib/csv";

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

type BoundsOf = (row: JudgeBoardRow, figure: string) => readonly number[] | null | undefined;

export function csvOf(row: JudgeBoardRow, boundsOf: BoundsOf): Readonly<Record<string, CsvCell>> {
  const { key, name, kind, signature, tp, fn, fp, tn, unscored } = row;
  const figures = FIGURES.flatMap((figure): [string, CsvCell][] => {
    const [low, high] = boundsOf(row, figure) ?? [];
    const value: [string, CsvCell] = [figure, row[figure]];
    // What nothing is resampled for has no ends to write.
    if (["coverage", "accepted_share", "correct_share"].includes(figure)) return [value];
    return [value, [`${figure}_low`, low], [`${figure}_high`, high]];
  });
  return {
    key,
    name,
    kind,
    tp,
    fn,
    fp,
    tn,
    unscored,
    ...Object.fromEntries(figures),
    cost_per_thousand_usd: row.cost_per_thousand,
    seconds_per_thousand: row.seconds_per_thousand,
    signature,
  };
}
