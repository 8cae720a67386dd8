/** The numbers behind the curves: a dozen thresholds, those in use and best among them; the file has them all. */
import type { ScoredJudge } from "../../../api/contract";
import { CsvButton } from "../../../components/csv-button";
import { Table } from "../../../components/table";
import { formatCoefficient, formatPoints } from "../../../lib/numbers";
import styles from "./board.module.css";
import { type Rates, ratesOf } from "./score-charts";

const SHOWN = 10;

interface Line extends Rates {
  readonly key: string;
  readonly name: string;
}

export function ThresholdTable({ judge }: { readonly judge: ScoredJudge }) {
  const points = judge.points.map((point) => ratesOf(judge, point));
  const step = Math.max(1, Math.ceil((points.length - 1) / SHOWN));
  const shown = points.filter((_, place) => place % step === 0 || place === points.length - 1);
  const lines: Line[] = [
    { key: "used", name: `In use${thresholdWords(judge.chosen.threshold)}`, ...ratesOf(judge, judge.chosen) },
    { key: "best", name: bestName(judge), ...ratesOf(judge, judge.best) },
    ...shown.map((rates, place) => ({
      key: String(place),
      name: `from ${formatCoefficient(rates.threshold, 3)}`,
      ...rates,
    })),
  ];
  return (
    <>
      <Table
        caption="What thresholds would accept, in percent"
        rows={lines}
        rowKey={({ key }) => key}
        columns={[
          { key: "threshold", header: "Accepts", isRowHeader: true, cell: ({ name }) => name },
          column("accuracy", "Agrees with people (%)"),
          column("recall", "Recall (%)"),
          column("precision", "Precision (%)"),
          column("falsePositive", "Accepts of wrong (%)"),
        ]}
      />
      <div className={styles["below"]}>
        <span />
        <CsvButton
          name="judge-thresholds"
          rows={points.map(({ threshold, accuracy, recall, precision, falsePositive }) => ({
            threshold,
            accuracy,
            recall,
            precision,
            false_positive_rate: falsePositive,
          }))}
          signature={judge.signature}
        />
      </div>
    </>
  );
}

function column(key: "accuracy" | "recall" | "precision" | "falsePositive", header: string) {
  return { key, header, align: "end" as const, cell: (line: Line) => formatPoints(line[key]) };
}

function thresholdWords(threshold: number | null): string {
  return threshold === null ? "" : `: ${formatCoefficient(threshold, 3)}`;
}

function bestName({ best }: ScoredJudge): string {
  return best.threshold === null
    ? "Best here: nothing"
    : `Best here: from ${formatCoefficient(best.threshold, 3)}`;
}
