/** Stated probabilities beside what people say, in ten bins. */
import { useCallback } from "react";
import type { ScoredJudge } from "../../../api/schema";
import { CsvButton } from "../../../components/csv-button";
import { FigureCell, figureCells, LOOKS, whyWords } from "../../../components/figure";
import { PlotFigure } from "../../../components/plot-figure";
import { Table } from "../../../components/table";
import { countOf, formatCoefficient, formatCount, formatPoints } from "../../../lib/numbers";
import { Soft } from "../beside-columns";
import styles from "./board.module.css";
import { drawReliability } from "./score-charts";

/** The error is never negative, so chance alone gives some: how much, and how often this much. */
function chanceWords({ by_chance: { value: chance }, p_value: { value: p } }: Calibration): string {
  if (chance === null || p === null) return "";
  return ` (probabilities that are right would show ${formatCoefficient(chance, 3)} here by chance; p = ${formatCoefficient(p, 3)})`;
}

type Calibration = ScoredJudge["calibration"];

interface ReliabilityProps {
  readonly judge: ScoredJudge;
  readonly name: string;
}

export function Reliability({ judge, name }: ReliabilityProps) {
  const { calibration } = judge;
  const { bins } = calibration;
  const draw = useCallback<Parameters<typeof PlotFigure>[0]["draw"]>(
    (plot, width) => drawReliability(plot, width, bins),
    [bins],
  );
  if (bins.length === 0) return <Soft>{whyWords(calibration.error)}</Soft>;
  const size = countOf(judge.answers, "answer");
  return (
    <div className={styles["charts"]}>
      <PlotFigure
        title={`Reliability of ${name}`}
        note={`${size}; expected calibration error ${formatCoefficient(calibration.error.value, 3)}${chanceWords(calibration)}. Dashed: probabilities that mean what they say; bars are 95 % intervals, larger dots more answers.`}
        label={`Reliability of ${name}, ${size}`}
        draw={draw}
      />
      <div>
        <Table
          caption="Probabilities beside people, bin by bin"
          rows={bins}
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
              cell: ({ correct_share: figure }) => (
                <FigureCell {...figure} words={whyWords(figure)} look={LOOKS.share} />
              ),
            },
          ]}
        />
        <CsvButton
          name="judge-reliability"
          rows={bins.map(({ low, high, rows, mean_probability, correct_share }) => ({
            low,
            high,
            rows,
            mean_probability,
            ...figureCells({ correct_share }, ["correct_share"]),
          }))}
          signature={judge.signature}
        />
      </div>
    </div>
  );
}
