/** What one judge's scores are worth: other thresholds, and whether its probabilities mean what they say. */
import { read } from "../../../api/client";
import type { JudgeBoardRow, ScoredJudge } from "../../../api/schema";
import type { KeyItem } from "../../../components/chart-key";
import { Choice } from "../../../components/form";
import {
  columnOfFigure,
  type Figure,
  figureColumn,
  figureIn,
  type FigureName,
  figuresInFile,
  intervalWords,
  whyWords,
} from "../../../components/figure";
import { PlotFigure } from "../../../components/plot-figure";
import { QueryView } from "../../../components/query-view";
import { numberColumn, Table } from "../../../components/table";
import { explained } from "../../../components/term";
import {
  countOf,
  FEW,
  formatCoefficient,
  formatDifference,
  formatPercent,
  formatPoints,
} from "../../../lib/numbers";
import { Computing, useIntervals } from "../../../domain/intervals";
import { useSearchState } from "../../../lib/search-state";
import { Soft } from "../beside-columns";
import styles from "./board.module.css";
import { drawPrecision, drawReliability, drawRoc } from "./score-charts";

interface ScoresSectionProps {
  readonly slug: string;
  readonly rows: readonly JudgeBoardRow[];
}

export function ScoresSection({ slug, rows }: ScoresSectionProps) {
  const search = useSearchState();
  const scored = rows.filter(({ has_scores }) => has_scores);
  const chosen = scored.find(({ run }) => run === search.read("judge")) ?? scored[0];
  if (!chosen) return null;
  return (
    <>
      <div className={styles["choice"]}>
        <Choice
          label="Judge"
          value={chosen.run}
          options={scored.map(({ run, name }) => ({ value: run, name }))}
          onChange={(judge) => search.write({ judge })}
        />
      </div>
      <Scores slug={slug} run={chosen.run} name={chosen.name} />
    </>
  );
}

function Scores({ slug, run, name }: { readonly slug: string; readonly run: string; readonly name: string }) {
  const { query, computing } = useIntervals((intervals) =>
    read("/api/projects/{slug}/judge-board/{run}/thresholds", { slug, run }, { intervals }),
  );
  return (
    <QueryView query={query}>
      {(judge) =>
        judge.rows === 0 || judge.positives === 0 || judge.positives === judge.rows ? (
          <Soft>{whyWords(judge.roc_area) ?? "This judge’s thresholds cannot be compared."}</Soft>
        ) : judge.answers < FEW ? (
          <Soft>
            The judge has scored {countOf(judge.answers, "answer")}. That is too few for curves or a
            threshold.
          </Soft>
        ) : (
          <>
            <p className={styles["sentence"]}>{sweepWords(judge)}</p>
            <Curves judge={judge} name={name} />
            <ThresholdTable judge={judge} />
            <Computing query={computing} />
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
  const size = countOf(judge.answers, "answer");
  return (
    <div className={styles["charts"]}>
      <PlotFigure
        title={`ROC curve of ${name}`}
        note={`${size}. Area under the curve: ${coefficientWords(judge.roc_area)}.`}
        marks={[dashed("random guessing")]}
        label={`ROC curve of ${name}, ${size}`}
        draw={drawRoc}
        of={judge}
      />
      <PlotFigure
        title={`Precision and recall of ${name}`}
        note={`${size}. Average precision: ${coefficientWords(judge.average_precision)}.`}
        marks={[dashed("accepting every answer")]}
        label={`Precision and recall of ${name}, ${size}`}
        draw={drawPrecision}
        of={judge}
      />
    </div>
  );
}

function dashed(name: string): KeyItem {
  return { shape: "dashed", color: "var(--chart-muted)", look: "dashed line", name };
}

/** A number with both ends in brackets, or why there are none; nothing while they are being computed. */
function coefficientWords(figure: Figure): string {
  const why = whyWords(figure);
  const bounds =
    why === undefined ? boundsWords(figure, thirdPlace) : ` (no interval: ${why.replace(/\.$/, "")})`;
  return `${thirdPlace(figure.value)}${bounds}`;
}

const thirdPlace = (value: number | null) => formatCoefficient(value, 3);

function boundsWords(figure: Figure, format: (end: number) => string): string {
  const interval = intervalWords(figure, format);
  return interval && ` (${interval})`;
}

/** What another threshold would bring, told by answers it was not chosen on. */
function sweepWords(judge: ScoredJudge): string {
  const [used, best] = [judge.chosen, judge.best].map(({ figures }) =>
    formatPercent(figureIn(figures, "accuracy_scored").value),
  );
  const here = `With its current threshold, the judge agrees with people on ${used} of the answers it scored. With the best threshold for these answers, it would agree on ${best}. That is optimistic, because the threshold is chosen and tested on the same answers.`;
  if (judge.gain.value === null) return `${here} ${whyWords(judge.gain) ?? ""}`;
  const gain = `${formatDifference(judge.gain.value)} points${boundsWords(judge.gain, formatDifference)}`;
  return `${here} A threshold chosen on other questions (tenfold cross-validation) changes agreement by ${gain}${rangeWords(judge)}.`;
}

function rangeWords({ other_thresholds }: ScoredJudge): string {
  const [low, high] = other_thresholds ?? [];
  if (low === undefined || high === undefined) return "";
  const ends = [low, high].map(thirdPlace);
  return ends[0] === ends[1]
    ? `, with a threshold of ${ends[0]}`
    : `, with thresholds from ${ends[0]} to ${ends[1]}`;
}

const SHOWN = 10;

type Line = ScoredJudge["chosen"] & { readonly name: string };

const FIGURES = [
  "accuracy_scored",
  "recall",
  "precision",
  "f1",
  "accepts_wrong",
] as const satisfies readonly FigureName[];

/** The numbers behind the curves: a dozen thresholds, those in use and best among them; the file has them all. */
function ThresholdTable({ judge }: { readonly judge: ScoredJudge }) {
  const { chosen, best, points } = judge;
  const step = Math.max(1, Math.ceil((points.length - 1) / SHOWN));
  const shown = points.filter((_, place) => place % step === 0 || place === points.length - 1);
  const lines: Line[] = [
    { ...chosen, name: `Current${chosen.threshold === null ? "" : `: ${thresholdWords(chosen)}`}` },
    { ...best, name: `Best: ${best.threshold === null ? "accept nothing" : thresholdWords(best)}` },
    ...shown.map((line) => ({ ...line, name: thresholdWords(line) })),
  ];
  return (
    <Table
      caption="Statistics by threshold"
      rows={lines}
      rowKey={({ name }) => name}
      columns={[
        { key: "threshold", header: "Threshold", explains: explained("threshold"), cell: ({ name }) => name },
        ...FIGURES.map((name) => figureColumn<Line>(name)),
      ]}
      file={{
        name: "judge-thresholds",
        columns: [{ key: "threshold", value: ({ threshold }) => threshold }, figuresInFile(FIGURES)],
        rows: points.map((point) => ({ ...point, name: "" })),
        signature: judge.signature,
      }}
    />
  );
}

const thresholdWords = ({ threshold }: Pick<Line, "threshold">) => formatCoefficient(threshold, 3);

/** The error is never negative, so chance alone gives some: how much, and how often this much. */
function chanceWords({ by_chance: { value: chance }, p_value: { value: p } }: Calibration): string {
  if (chance === null || p === null) return "";
  return ` (${formatCoefficient(chance, 3)} expected by chance with perfect calibration; p = ${formatCoefficient(p, 3)})`;
}

type Calibration = ScoredJudge["calibration"];
type Bin = Calibration["bins"][number];

/** Stated probabilities beside what people say, in ten bins. */
function Reliability({ judge, name }: CurvesProps) {
  const { calibration } = judge;
  const { bins } = calibration;
  if (bins.length === 0) return <Soft>{whyWords(calibration.error)}</Soft>;
  const size = countOf(judge.answers, "answer");
  return (
    <div className={styles["charts"]}>
      <PlotFigure
        title={`Reliability diagram of ${name}`}
        note={`${size}. Expected calibration error: ${formatCoefficient(calibration.error.value, 3)}${chanceWords(calibration)}.`}
        marks={[
          { shape: "sizes", color: "var(--chart-1)", look: "size of a dot", name: "number of answers" },
          { shape: "bar", color: "var(--chart-1)", look: "bar", name: "95% interval" },
          dashed("perfect calibration"),
        ]}
        label={`Reliability diagram of ${name}, ${size}`}
        draw={drawReliability}
        of={bins}
      />
      <div>
        <Table
          caption="Stated probabilities and people’s decisions"
          rows={bins}
          rowKey={({ low }) => String(low)}
          columns={[
            {
              key: "bin",
              header: "Probability",
              cell: ({ low, high }) => `${formatPoints(low, 0)}–${formatPoints(high, 0)}%`,
              csv: ({ low, high }) => ({ low, high }),
            },
            // Where programs settled answers, a drawn one stands for several.
            numberColumn<Bin>(
              "rows",
              judge.answers === judge.rows ? "Answers" : "Answers represented",
              ({ rows }) => rows,
            ),
            numberColumn<Bin>(
              "mean_probability",
              "Mean stated probability (%)",
              (bin) => bin.mean_probability,
              {
                format: formatPoints,
              },
            ),
            columnOfFigure<Bin>("correct_share", (bin) => bin.correct_share, {
              header: "Accepted by people (%)",
              explains: explained("calibration"),
            }),
          ]}
          file={{ name: "judge-reliability", signature: judge.signature }}
        />
      </div>
    </div>
  );
}
