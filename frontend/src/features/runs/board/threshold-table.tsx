/** The numbers behind the curves: a dozen thresholds, those in use and best among them; the file has them all. */
import type { ScoredJudge } from "../../../api/schema";
import { CsvButton } from "../../../components/csv-button";
import { figureCells, figureColumn, type FigureName } from "../../../components/figure";
import { Table } from "../../../components/table";
import { formatCoefficient } from "../../../lib/numbers";
import styles from "./board.module.css";

const SHOWN = 10;

type Line = ScoredJudge["chosen"] & { readonly name: string };

const FIGURES = [
  "accuracy_scored",
  "recall",
  "precision",
  "f1",
  "accepts_wrong",
] as const satisfies readonly FigureName[];

export function ThresholdTable({ judge }: { readonly judge: ScoredJudge }) {
  const { chosen, best, points } = judge;
  const step = Math.max(1, Math.ceil((points.length - 1) / SHOWN));
  const shown = points.filter((_, place) => place % step === 0 || place === points.length - 1);
  const lines: Line[] = [
    { ...chosen, name: `In use${chosen.threshold === null ? "" : `: ${thresholdWords(chosen)}`}` },
    { ...best, name: `Best here: ${best.threshold === null ? "nothing" : `from ${thresholdWords(best)}`}` },
    ...shown.map((line) => ({ ...line, name: `from ${thresholdWords(line)}` })),
  ];
  return (
    <>
      <Table
        caption="What thresholds would accept"
        rows={lines}
        rowKey={({ name }) => name}
        columns={[
          { key: "threshold", header: "Accepts", isRowHeader: true, cell: ({ name }) => name },
          ...FIGURES.map((name) => figureColumn<Line>(name)),
        ]}
      />
      <div className={styles["below"]}>
        <span />
        <CsvButton
          name="judge-thresholds"
          rows={points.map(({ threshold, figures }) => ({ threshold, ...figureCells(figures, FIGURES) }))}
          signature={judge.signature}
        />
      </div>
    </>
  );
}

const thresholdWords = ({ threshold }: Pick<Line, "threshold">) => formatCoefficient(threshold, 3);
