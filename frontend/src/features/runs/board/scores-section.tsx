/** What one judge's scores are worth: other thresholds, and whether its probabilities mean what they say. */
import { useCallback } from "react";
import { read } from "../../../api/client";
import type { JudgeBoardRow, ScoredJudge } from "../../../api/schema";
import { Select } from "../../../components/form";
import { type Figure, figureIn, whyWords } from "../../../components/figure";
import { PlotFigure } from "../../../components/plot-figure";
import { QueryView } from "../../../components/query-view";
import { countOf, FEW, formatCoefficient, formatDifference, formatPercent } from "../../../lib/numbers";
import { useSearchState } from "../../../lib/search-state";
import { Computing, Soft, useIntervals } from "../beside-columns";
import styles from "./board.module.css";
import { Reliability } from "./reliability";
import { drawPrecision, drawRoc } from "./score-charts";
import { ThresholdTable } from "./threshold-table";

interface ScoresSectionProps {
  readonly slug: string;
  readonly rows: readonly JudgeBoardRow[];
}

export function ScoresSection({ slug, rows }: ScoresSectionProps) {
  const search = useSearchState();
  const scored = rows.filter(({ has_scores }) => has_scores);
  const chosen = scored.find(({ run }) => run === search.read("judge")) ?? scored[0];
  if (!chosen) {
    return (
      <Soft>
        No judge here gives a score beyond its verdict: F1, Fuzzy Match, BERTScore, BLEURT and BEM do.
      </Soft>
    );
  }
  return (
    <>
      <div className={styles["choice"]}>
        <Select
          label="Judge"
          value={chosen.run}
          onChange={({ target }) => search.write({ judge: target.value })}
        >
          {scored.map(({ run, name }) => (
            <option key={run} value={run}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <Scores slug={slug} run={chosen.run} name={chosen.name} />
    </>
  );
}

function Scores({ slug, run, name }: { readonly slug: string; readonly run: string; readonly name: string }) {
  const { query, bounded } = useIntervals((intervals) =>
    read("/api/projects/{slug}/judge-board/{run}/thresholds", { slug, run }, { intervals }),
  );
  return (
    <QueryView query={bounded.data ? bounded : query}>
      {(judge) =>
        judge.rows === 0 || judge.positives === 0 || judge.positives === judge.rows ? (
          <Soft>{whyWords(judge.roc_area) ?? "Its scores cannot be swept here."}</Soft>
        ) : judge.answers < FEW ? (
          <Soft>
            {countOf(judge.answers, "answer")} with a score {judge.answers === 1 ? "is" : "are"} too few for
            curves or a threshold.
          </Soft>
        ) : (
          <>
            <p className={styles["sentence"]}>{sweepWords(judge)}</p>
            <Curves judge={judge} name={name} />
            <ThresholdTable judge={judge} />
            <Computing query={bounded} />
            <Reliability judge={judge} name={name} />
          </>
        )
      }
    </QueryView>
  );
}

interface CurvesProps {
  readonly judge: ScoredJudge;
  readonly name: string;
}

function Curves({ judge, name }: CurvesProps) {
  const roc = useCallback<Parameters<typeof PlotFigure>[0]["draw"]>(
    (plot, width) => drawRoc(plot, width, judge),
    [judge],
  );
  const precision = useCallback<Parameters<typeof PlotFigure>[0]["draw"]>(
    (plot, width) => drawPrecision(plot, width, judge),
    [judge],
  );
  const size = countOf(judge.answers, "answer");
  return (
    <div className={styles["charts"]}>
      <PlotFigure
        title={`ROC of ${name}`}
        note={`${size}; area ${coefficientWords(judge.roc_area)}. Dashed: guessing.`}
        label={`ROC of ${name}, ${size}`}
        draw={roc}
      />
      <PlotFigure
        title={`Precision and recall of ${name}`}
        note={`${size}; average precision ${coefficientWords(judge.average_precision)}. Dashed: accepting all.`}
        label={`Precision and recall of ${name}, ${size}`}
        draw={precision}
      />
    </div>
  );
}

/** A number with both ends in brackets, or why there are none; nothing while they are being computed. */
function coefficientWords(figure: Figure): string {
  const why = whyWords(figure);
  const bounds =
    why === undefined ? boundsWords(figure, thirdPlace) : ` (no interval: ${why.replace(/\.$/, "")})`;
  return `${thirdPlace(figure.value)}${bounds}`;
}

const thirdPlace = (value: number | null) => formatCoefficient(value, 3);

function boundsWords({ low, high }: Figure, format: (end: number) => string): string {
  return low === null || high === null ? "" : ` (95 % interval ${format(low)} to ${format(high)})`;
}

/** What another threshold would bring, told by answers it was not chosen on. */
function sweepWords(judge: ScoredJudge): string {
  const [used, best] = [judge.chosen, judge.best].map(({ figures }) =>
    formatPercent(figureIn(figures, "accuracy_scored").value),
  );
  const here = `As it is used, the judge agrees with people on ${used} of the answers it scored; the best threshold on these very answers would on ${best}, which flatters it.`;
  if (judge.gain.value === null) return `${here} ${whyWords(judge.gain) ?? ""}`;
  const gain = `${formatDifference(judge.gain.value)} points${boundsWords(judge.gain, formatDifference)}`;
  return `${here} Chosen on other questions (ten folds), the threshold changes agreement by ${gain}${rangeWords(judge)}.`;
}

function rangeWords({ other_thresholds }: ScoredJudge): string {
  const [low, high] = other_thresholds ?? [];
  if (low === undefined || high === undefined) return "";
  const ends = [low, high].map(thirdPlace);
  return ends[0] === ends[1] ? `, with ${ends[0]}` : `, with thresholds from ${ends[0]} to ${ends[1]}`;
}
