/** The numbers behind the curves: a dozen thresholds, those in use and best among them; the file has them all. */
import type { ScoredJudge, ThresholdIntervals } from "../../../api/schema";
import { BoundedNumber } from "../../../components/bounded-number";
import { CsvButton } from "../../../components/csv-button";
import { type Column, Table } from "../../../components/table";
import { formatCoefficient, formatPoints } from "../../../lib/numbers";
import { csvFigures, boundsIn } from "../beside-columns";
import styles from "./board.module.css";
import { type Rates, ratesOf } from "./score-charts";

const SHOWN = 10;

type Found = ThresholdIntervals["best"] | undefined;

interface Line extends Rates {
  readonly key: string;
  readonly name: string;
  readonly found: Found;
}

interface ThresholdTableProps {
  readonly judge: ScoredJudge;
  /** Nothing while they are being computed. */
  readonly intervals: ThresholdIntervals | undefined;
}

export function ThresholdTable({ judge, intervals }: ThresholdTableProps) {
  const points = judge.points.map((point, place) => ({
    ...ratesOf(judge, point),
    found: intervals?.points[place],
  }));
  const step = Math.max(1, Math.ceil((points.length - 1) / SHOWN));
  const shown = points.filter((_, place) => place % step === 0 || place === points.length - 1);
  const lines: Line[] = [
    {
      key: "used",
      name: `In use${thresholdWords(judge.chosen.threshold)}`,
      ...ratesOf(judge, judge.chosen),
      found: intervals?.chosen,
    },
    { key: "best", name: bestName(judge), ...ratesOf(judge, judge.best), found: intervals?.best },
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
          column("accuracy", "accuracy_scored", "Agrees, of those it judged (%)"),
          column("recall", "recall", "Recall (%)"),
          column("precision", "precision", "Precision (%)"),
          column("f1", "f1", "F1 (%)"),
          column("falsePositive", "accepts_wrong", "Accepts of wrong (%)"),
        ]}
      />
      <div className={styles["below"]}>
        <span />
        <CsvButton name="judge-thresholds" rows={points.map(csvRow)} signature={judge.signature} />
      </div>
    </>
  );
}

type Rate = "accuracy" | "recall" | "precision" | "f1" | "falsePositive";

/** `figure`: the name that intervals have for it. */
function column(key: Rate, figure: string, header: string): Column<Line> {
  return {
    key,
    header,
    align: "end",
    cell: (line) => (
      <BoundedNumber
        text={formatPoints(line[key])}
        interval={line.found?.figures[figure]}
        format={(end) => formatPoints(end)}
        words={line[key] === null ? undefined : line.found?.words[figure]}
      />
    ),
  };
}

function csvRow({
  threshold,
  accuracy,
  recall,
  precision,
  f1,
  falsePositive,
  found,
}: Rates & { found: Found }) {
  const figures = { accuracy, recall, precision, f1, false_positive_rate: falsePositive };
  const names: Readonly<Record<string, string>> = {
    accuracy: "accuracy_scored",
    false_positive_rate: "accepts_wrong",
  };
  return { threshold, ...csvFigures(figures, (name) => boundsIn(found, names[name] ?? name)) };
}

function thresholdWords(threshold: number | null): string {
  return threshold === null ? "" : `: ${formatCoefficient(threshold, 3)}`;
}

function bestName({ best }: ScoredJudge): string {
  return best.threshold === null
    ? "Best here: nothing"
    : `Best here: from ${formatCoefficient(best.threshold, 3)}`;
}
