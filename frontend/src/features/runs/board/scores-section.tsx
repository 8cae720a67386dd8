/** What one judge's scores are worth: other thresholds, and whether its probabilities mean what they say. */
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { read } from "../../../api/client";
import type { JudgeBoardRow, ScoredJudge, ThresholdIntervals } from "../../../api/schema";
import { Select } from "../../../components/form";
import { PlotFigure } from "../../../components/plot-figure";
import { QueryView } from "../../../components/query-view";
import { countOf, FEW, formatCoefficient, formatDifference, formatPercent } from "../../../lib/numbers";
import { useSearchState } from "../../../lib/search-state";
import { Computing, Soft } from "../beside-columns";
import styles from "./board.module.css";
import { Reliability } from "./reliability";
import { drawPrecision, drawRoc, ratesOf } from "./score-charts";
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
  const query = useQuery(read("/api/projects/{slug}/judge-board/{run}/thresholds", { slug, run }));
  const intervals = useQuery({
    ...read("/api/projects/{slug}/judge-board/{run}/thresholds/intervals", { slug, run }),
    enabled: query.isSuccess,
  });
  return (
    <QueryView query={query}>
      {(judge) =>
        judge.rows === 0 || judge.positives === 0 || judge.positives === judge.rows ? (
          <Soft>{judge.words["roc_area"] ?? "Its scores cannot be swept here."}</Soft>
        ) : judge.answers < FEW ? (
          <Soft>
            {countOf(judge.answers, "answer")} with a score {judge.answers === 1 ? "is" : "are"} too few for
            curves or a threshold.
          </Soft>
        ) : (
          <>
            <p className={styles["sentence"]}>{sweepWords(judge)}</p>
            <Curves judge={judge} intervals={intervals.data} name={name} />
            <ThresholdTable judge={judge} intervals={intervals.data} />
            <Computing query={intervals} />
            <Reliability judge={judge} name={name} />
          </>
        )
      }
    </QueryView>
  );
}

interface CurvesProps {
  readonly judge: ScoredJudge;
  readonly intervals: ThresholdIntervals | undefined;
  readonly name: string;
}

function Curves({ judge, intervals, name }: CurvesProps) {
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
        note={`${size}; area ${formatCoefficient(judge.roc_area, 3)}${coefficientWords(judge.roc_interval, judge.words["roc_interval"])}. Dashed: guessing.`}
        label={`ROC of ${name}, ${size}`}
        draw={roc}
      />
      <PlotFigure
        title={`Precision and recall of ${name}`}
        note={`${size}; average precision ${formatCoefficient(judge.average_precision, 3)}${coefficientWords(intervals?.average_precision, intervals?.words["average_precision"])}. Dashed: accepting all.`}
        label={`Precision and recall of ${name}, ${size}`}
        draw={precision}
      />
    </div>
  );
}

/** Both ends in brackets, or why there are none; nothing while they are being computed. */
function coefficientWords(bounds: readonly number[] | null | undefined, words: string | undefined): string {
  if (words !== undefined) return ` (no interval: ${words.replace(/\.$/, "")})`;
  return boundsWords(bounds ?? null, (end) => formatCoefficient(end, 3));
}

export function boundsWords(bounds: readonly number[] | null, format: (end: number) => string): string {
  const [low, high] = bounds ?? [];
  return low === undefined || high === undefined ? "" : ` (95 % interval ${format(low)} to ${format(high)})`;
}

/** What another threshold would bring, told by answers it was not chosen on. */
function sweepWords(judge: ScoredJudge): string {
  const used = formatPercent(ratesOf(judge, judge.chosen).accuracy);
  const best = formatPercent(ratesOf(judge, judge.best).accuracy);
  const here = `As it is used, the judge agrees with people on ${used} of the answers it scored; the best threshold on these very answers would on ${best}, which flatters it.`;
  if (judge.gain === null) return `${here} ${judge.words["gain"] ?? ""}`;
  const gain = `${formatDifference(judge.gain)} points${boundsWords(judge.gain_interval, formatDifference)}`;
  return `${here} Chosen on other questions (ten folds), the threshold changes agreement by ${gain}${rangeWords(judge)}.`;
}

function rangeWords({ other_thresholds }: ScoredJudge): string {
  const [low, high] = other_thresholds ?? [];
  if (low === undefined || high === undefined) return "";
  const ends = [low, high].map((end) => formatCoefficient(end, 3));
  return ends[0] === ends[1] ? `, with ${ends[0]}` : `, with thresholds from ${ends[0]} to ${ends[1]}`;
}
