/** ROC, precision and recall, and the reliability diagram of one judge's scores. */
import type { ScoredJudge } from "../../../api/schema";
import { figureIn } from "../../../components/figure";
import { HALO, type Drawn, OVER_SCALE, type Plot } from "../../../lib/chart-axes";

type Line = ScoredJudge["chosen"];

/** A figure of accepting from a threshold on, in percent; nothing where it is undefined. */
function percentOf({ figures }: Line, name: string): number | null {
  const { value } = figureIn(figures, name);
  return value === null ? null : percent(value);
}

const SIDE = { height: 332, marginLeft: 44, marginBottom: 40, marginTop: OVER_SCALE } as const;
const PERCENT = { domain: [0, 100], grid: true, ticks: 5 } as const;
const percent = (value: number) => 100 * value;

/** Where lines lie by two of their figures. */
function placesOf(lines: readonly Line[], [first, second]: readonly [x: string, y: string]) {
  return lines.flatMap((line) => {
    const [x, y] = [percentOf(line, first), percentOf(line, second)];
    return x === null || y === null ? [] : [{ x, y }];
  });
}

interface Place {
  readonly name: string;
  readonly fill: string;
  readonly x: number;
  readonly y: number;
}

/** On which side of a point its words are free of the curve: over it and under it. */
type Sides = readonly [over: "start" | "end", under: "start" | "end"];

/** Filled: the threshold in use; hollow: the best on these answers. Their words stand over and under. */
function marks(plot: Plot, judge: ScoredJudge, figures: readonly [x: string, y: string], sides: Sides) {
  const named = [
    { name: "current", fill: "var(--chart-2)", line: judge.chosen },
    { name: "best", fill: "var(--paper)", line: judge.best },
  ];
  const places: Place[] = named.flatMap(({ name, fill, line }) =>
    placesOf([line], figures).map((place) => ({ name, fill, ...place })),
  );
  const [upper, lower] = places.toSorted((a, b) => b.y - a.y);
  const isOnePlace = upper?.x === lower?.x && upper?.y === lower?.y;
  return plot.marks(
    plot.dot(places, { x: "x", y: "y", r: 5.5, fill: "fill", stroke: "var(--chart-2)", strokeWidth: 2 }),
    upper && words(plot, isOnePlace ? { ...upper, name: "current and best" } : upper, -13, sides[0]),
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
  const points = [{ x: 0, y: 0 }, ...placesOf(judge.points, ["accepts_wrong", "recall"])];
  return plot.plot({
    ...SIDE,
    width,
    x: { ...PERCENT, label: "Incorrect answers accepted (%) →" },
    y: { ...PERCENT, label: "↑ Correct answers accepted (%)" },
    marks: [
      plot.line(
        [
          [0, 0],
          [100, 100],
        ],
        { stroke: "var(--chart-muted)", strokeDasharray: "4 4" },
      ),
      plot.line(points, { x: "x", y: "y", stroke: "var(--chart-1)", strokeWidth: 2 }),
      marks(plot, judge, ["accepts_wrong", "recall"], ["end", "start"]),
    ],
  });
}

export function drawPrecision(plot: Plot, width: number, judge: ScoredJudge): Drawn {
  const points = placesOf(judge.points, ["recall", "precision"]);
  const base = percent(judge.positives / judge.rows);
  return plot.plot({
    ...SIDE,
    width,
    x: { ...PERCENT, label: "Recall: correct answers accepted (%) →" },
    y: { ...PERCENT, label: "↑ Precision: correct among accepted (%)" },
    marks: [
      plot.ruleY([base], { stroke: "var(--chart-muted)", strokeDasharray: "4 4" }),
      plot.line(points, { x: "x", y: "y", stroke: "var(--chart-1)", strokeWidth: 2, curve: "step-before" }),
      marks(plot, judge, ["recall", "precision"], ["start", "end"]),
    ],
  });
}

export function drawReliability(plot: Plot, width: number, bins: ScoredJudge["calibration"]["bins"]): Drawn {
  const points = bins.map(({ mean_probability, rows, correct_share: { value, low, high } }) => ({
    x: percent(mean_probability),
    y: percent(value ?? 0),
    low: percent(low ?? value ?? 0),
    high: percent(high ?? value ?? 0),
    rows,
  }));
  const own = { stroke: "var(--chart-1)" } as const;
  return plot.plot({
    ...SIDE,
    width,
    x: { ...PERCENT, label: "Stated probability (%) →" },
    y: { ...PERCENT, label: "↑ Accepted by people (%)" },
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
