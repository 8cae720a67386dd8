/** ROC, precision and recall, and the reliability diagram of one judge's scores. */
import type * as PlotLibrary from "@observablehq/plot";
import type { ScoredJudge } from "../../../api/contract";

type Plot = typeof PlotLibrary;
type Drawn = HTMLElement | SVGElement;

export interface Rates {
  readonly threshold: number | null;
  readonly recall: number;
  readonly falsePositive: number;
  /** Nothing accepted has no precision. */
  readonly precision: number | null;
  readonly accuracy: number;
}

type Counts = Pick<ScoredJudge["chosen"], "threshold" | "true_positive" | "false_positive">;

export function ratesOf(judge: Pick<ScoredJudge, "rows" | "positives">, counts: Counts): Rates {
  const { true_positive: right, false_positive: wrong, threshold } = counts;
  const negatives = judge.rows - judge.positives;
  return {
    threshold,
    recall: judge.positives === 0 ? 0 : right / judge.positives,
    falsePositive: negatives === 0 ? 0 : wrong / negatives,
    precision: right + wrong === 0 ? null : right / (right + wrong),
    accuracy: judge.rows === 0 ? 0 : (right + negatives - wrong) / judge.rows,
  };
}

const SIDE = { height: 320, marginLeft: 44, marginBottom: 40 } as const;
const PERCENT = { domain: [0, 100], grid: true, ticks: 5 } as const;
const percent = (value: number) => 100 * value;

/** Filled: the threshold in use; hollow: the best on these answers. */
function marks(
  plot: Plot,
  judge: ScoredJudge,
  x: (rates: Rates) => number,
  y: (rates: Rates) => number | null,
) {
  const place = { x: "x", y: "y" } as const;
  const places = [
    { name: "in use", fill: "var(--chart-2)", rates: ratesOf(judge, judge.chosen) },
    { name: "best here", fill: "var(--paper)", rates: ratesOf(judge, judge.best) },
  ].flatMap(({ name, fill, rates }) => {
    const height = y(rates);
    return height === null ? [] : [{ name, fill, x: percent(x(rates)), y: percent(height) }];
  });
  const isOnePlace = places[0]?.x === places[1]?.x && places[0]?.y === places[1]?.y;
  const named = isOnePlace ? [{ ...places[0], name: "in use, best here" }] : places;
  const [left, right] = [
    named.filter((each) => (each.x ?? 0) <= 70),
    named.filter((each) => (each.x ?? 0) > 70),
  ];
  const words = { ...place, text: "name", fill: "var(--ink)" } as const;
  return plot.marks(
    plot.dot(places, { ...place, r: 5.5, fill: "fill", stroke: "var(--chart-2)", strokeWidth: 2 }),
    // Words stay inside the frame.
    plot.text(left, { ...words, dx: 10, dy: 12, textAnchor: "start" }),
    plot.text(right, { ...words, dx: -10, dy: -12, textAnchor: "end" }),
  );
}

export function drawRoc(plot: Plot, width: number, judge: ScoredJudge): Drawn {
  const curve = judge.points.map((point) => ratesOf(judge, point));
  const points = [
    { x: 0, y: 0 },
    ...curve.map((each) => ({ x: percent(each.falsePositive), y: percent(each.recall) })),
  ];
  return plot.plot({
    ...SIDE,
    width,
    x: { ...PERCENT, label: "Accepted of wrong answers (%) →" },
    y: { ...PERCENT, label: "↑ Accepted of right answers (%)" },
    marks: [
      plot.line(
        [
          [0, 0],
          [100, 100],
        ],
        { stroke: "var(--chart-muted)", strokeDasharray: "4 4" },
      ),
      plot.line(points, { x: "x", y: "y", stroke: "var(--chart-1)", strokeWidth: 2 }),
      marks(
        plot,
        judge,
        ({ falsePositive }) => falsePositive,
        ({ recall }) => recall,
      ),
    ],
  });
}

export function drawPrecision(plot: Plot, width: number, judge: ScoredJudge): Drawn {
  const points = judge.points
    .map((point) => ratesOf(judge, point))
    .flatMap(({ recall, precision }) =>
      precision === null ? [] : [{ x: percent(recall), y: percent(precision) }],
    );
  const base = percent(judge.positives / judge.rows);
  return plot.plot({
    ...SIDE,
    width,
    x: { ...PERCENT, label: "Recall: accepted of right answers (%) →" },
    y: { ...PERCENT, label: "↑ Precision: right of accepted (%)" },
    marks: [
      plot.ruleY([base], { stroke: "var(--chart-muted)", strokeDasharray: "4 4" }),
      plot.line(points, { x: "x", y: "y", stroke: "var(--chart-1)", strokeWidth: 2, curve: "step-before" }),
      marks(
        plot,
        judge,
        ({ recall }) => recall,
        ({ precision }) => precision,
      ),
    ],
  });
}

export function drawReliability(plot: Plot, width: number, bins: ScoredJudge["bins"]): Drawn {
  const points = bins.map((bin) => ({
    x: percent(bin.mean_probability),
    y: percent(bin.correct_share),
    low: percent(bin.interval?.[0] ?? bin.correct_share),
    high: percent(bin.interval?.[1] ?? bin.correct_share),
    rows: bin.rows,
  }));
  return plot.plot({
    ...SIDE,
    width,
    x: { ...PERCENT, label: "Stated probability (%) →" },
    y: { ...PERCENT, label: "↑ Right by people (%)" },
    r: { range: [3, 11], domain: [0, Math.max(...bins.map(({ rows }) => rows))] },
    marks: [
      plot.line(
        [
          [0, 0],
          [100, 100],
        ],
        { stroke: "var(--chart-muted)", strokeDasharray: "4 4" },
      ),
      plot.ruleX(points, { x: "x", y1: "low", y2: "high", stroke: "var(--chart-1)", strokeWidth: 2 }),
      plot.dot(points, { x: "x", y: "y", r: "rows", fill: "var(--chart-1)", stroke: "var(--paper)" }),
    ],
  });
}
