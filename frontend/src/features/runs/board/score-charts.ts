/** ROC, precision and recall, and the reliability diagram of one judge's scores. */
import type * as PlotLibrary from "@observablehq/plot";
import type { ScoredJudge } from "../../../api/schema";
import { HALO } from "../../../lib/chart-axes";

type Plot = typeof PlotLibrary;
type Drawn = HTMLElement | SVGElement;

export interface Rates {
  readonly threshold: number | null;
  readonly recall: number;
  readonly falsePositive: number;
  /** Nothing accepted has no precision. */
  readonly precision: number | null;
  /** Neither accepted nor right by people: nothing to count. */
  readonly f1: number | null;
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
    f1: right + wrong + judge.positives === 0 ? null : (2 * right) / (right + wrong + judge.positives),
    accuracy: judge.rows === 0 ? 0 : (right + negatives - wrong) / judge.rows,
  };
}

const SIDE = { height: 320, marginLeft: 44, marginBottom: 40 } as const;
const PERCENT = { domain: [0, 100], grid: true, ticks: 5 } as const;
const percent = (value: number) => 100 * value;

interface Place {
  readonly name: string;
  readonly fill: string;
  readonly x: number;
  readonly y: number;
}

/** On which side of a point its words are free of the curve: over it and under it. */
type Sides = readonly [over: "start" | "end", under: "start" | "end"];

/** Filled: the threshold in use; hollow: the best on these answers. Their words stand over and under. */
function marks(
  plot: Plot,
  judge: ScoredJudge,
  placeOf: (rates: Rates) => readonly [x: number, y: number | null],
  sides: Sides,
) {
  const named = [
    { name: "in use", fill: "var(--chart-2)", rates: ratesOf(judge, judge.chosen) },
    { name: "best here", fill: "var(--paper)", rates: ratesOf(judge, judge.best) },
  ];
  const places: Place[] = named.flatMap(({ name, fill, rates }) => {
    const [x, y] = placeOf(rates);
    return y === null ? [] : [{ name, fill, x: percent(x), y: percent(y) }];
  });
  const [upper, lower] = places.toSorted((a, b) => b.y - a.y);
  const isOnePlace = upper?.x === lower?.x && upper?.y === lower?.y;
  return plot.marks(
    plot.dot(places, { x: "x", y: "y", r: 5.5, fill: "fill", stroke: "var(--chart-2)", strokeWidth: 2 }),
    // At the top of the frame there is no room over a point.
    upper &&
      words(
        plot,
        isOnePlace ? { ...upper, name: "in use, best here" } : upper,
        upper.y > 92 ? 14 : -13,
        sides[0],
      ),
    lower && !isOnePlace ? words(plot, lower, 14, sides[1]) : null,
  );
}

/** Words stay inside the frame, whichever side is free. */
function words(plot: Plot, place: Place, dy: number, side: "start" | "end") {
  const anchor = place.x > 75 ? "end" : place.x < 25 ? "start" : side;
  const dx = anchor === "end" ? -10 : 10;
  const look = { x: "x", y: "y", text: "name", fill: "var(--ink)", ...HALO } as const;
  return plot.text([place], { ...look, dx, dy, textAnchor: anchor });
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
      marks(plot, judge, ({ falsePositive, recall }) => [falsePositive, recall], ["end", "start"]),
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
      marks(plot, judge, ({ recall, precision }) => [recall, precision], ["start", "end"]),
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
  const own = { stroke: "var(--chart-1)" } as const;
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
      // Seen through: where answers are many the interval is shorter than the dot is wide.
      plot.dot(points, { x: "x", y: "y", r: "rows", ...own, fill: "var(--chart-1)", fillOpacity: 0.3 }),
      plot.ruleX(points, { x: "x", y1: "low", y2: "high", ...own, strokeWidth: 2 }),
    ],
  });
}
