/** Stated probabilities beside what people say, in ten bins. */
import { useCallback } from "react";
import type { ScoredJudge } from "../../../api/schema";
import { CsvButton } from "../../../components/csv-button";
import { PlotFigure } from "../../../components/plot-figure";
import { Table } from "../../../components/table";
import { countOf, formatCoefficient, formatCount, formatPoints } from "../../../lib/numbers";
import { Soft } from "../beside-columns";
import styles from "./board.module.css";
import { drawReliability } from "./score-charts";

/** The error is never negative, so chance alone gives some: how much, and how often this much. */
function chanceWords({ calibration_by_chance: chance, calibration_p_value: p }: ScoredJudge): string {
  if (chance === null || p === null) return "";
  return ` (probabilities that are right would show ${formatCoefficient(chance, 3)} here by chance; p = ${formatCoefficient(p, 3)})`;
}

interface ReliabilityProps {
  readonly judge: ScoredJudge;
  readonly name: string;
}

export function Reliability({ judge, name }: ReliabilityProps) {
  const draw = useCallback<Parameters<typeof PlotFigure>[0]["draw"]>(
    (plot, width) => drawReliability(plot, width, judge.bins),
    [judge.bins],
  );
  if (judge.bins.length === 0) return <Soft>{judge.words["calibration_error"]}</Soft>;
  const size = countOf(judge.answers, "answer");
  return (
    <div className={styles["charts"]}>
      <PlotFigure
        title={`Reliability of ${name}`}
        note={`${size}; expected calibration error ${formatCoefficient(judge.calibration_error, 3)}${chanceWords(judge)}. Dashed: probabilities that mean what they say; bars are 95 % intervals, larger dots more answers.`}
        label={`Reliability of ${name}, ${size}`}
        draw={draw}
      />
      <div>
        <Table
          caption="Probabilities beside people, bin by bin"
          rows={judge.bins}
          rowKey={({ low }) => String(low)}
          columns={[
            {
              key: "bin",
              header: "Probability",
              isRowHeader: true,
              cell: ({ low, high }) => `${formatPoints(low, 0)}–${formatPoints(high, 0)} %`,
            },
            {
              key: "rows",
              // Where programs settled answers, a drawn one stands for several.
              header: judge.answers === judge.rows ? "Answers" : "Answers they stand for",
              align: "end",
              cell: ({ rows }) => formatCount(rows),
            },
            {
              key: "stated",
              header: "Mean stated (%)",
              align: "end",
              cell: ({ mean_probability }) => formatPoints(mean_probability),
            },
            {
              key: "right",
              header: "Right by people (%)",
              align: "end",
              cell: ({ correct_share }) => formatPoints(correct_share),
            },
            {
              key: "interval",
              header: "95 % interval",
              align: "end",
              cell: ({ interval, words }) =>
                interval?.map((end) => formatPoints(end)).join("–") ?? <small>{words}</small>,
            },
          ]}
        />
        <CsvButton
          name="judge-reliability"
          rows={judge.bins.map(({ low, high, rows, mean_probability, correct_share, interval }) => ({
            low,
            high,
            rows,
            mean_probability,
            correct_share,
            correct_share_low: interval?.[0],
            correct_share_high: interval?.[1],
          }))}
          signature={judge.signature}
        />
      </div>
    </div>
  );
}
