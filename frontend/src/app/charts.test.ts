/** Every chart names its axes, with the unit of what it measures. */
import * as Plot from "@observablehq/plot";
import { describe, expect, it } from "vitest";
import type { Evaluator, FailureBoard, RaterDetail, ScoredJudge } from "../api/schema";
import { makeFigure } from "../components/figure";
import { drawDistances } from "../features/compare/distance-chart";
import { drawBoard } from "../features/failures/board-chart";
import { BOARDS } from "../features/failures/board-words";
import { drawDumbbells, dumbbells } from "../features/leaderboard/dumbbell-chart";
import { drawRightBy } from "../features/leaderboard/right-by";
import { drawSlope, slopePoints } from "../features/leaderboard/slope-chart";
import { drawCurve } from "../features/raters/curve-chart";
import { drawPrecision, drawReliability, drawRoc } from "../features/runs/board/score-charts";
import { makeBoard } from "../test/lead-cast";

const { rows, columns } = makeBoard(true);
const WIDTH = 600;

function slopes(measure: "rank" | "score") {
  const points = slopePoints(rows, columns, measure);
  return drawSlope(Plot, WIDTH, { points, columns, measure, highlighted: [] });
}

const line = (recall: number, accepts_wrong: number, precision: number) => ({
  figures: {
    recall: makeFigure(recall),
    accepts_wrong: makeFigure(accepts_wrong),
    precision: makeFigure(precision),
  },
});
const JUDGE = {
  rows: 10,
  positives: 6,
  points: [line(0.5, 0.25, 0.75), line(1, 1, 0.6)],
  chosen: line(0.67, 0.25, 0.8),
  best: line(0.83, 0.25, 0.83),
  calibration: {
    bins: [{ rows: 10, mean_probability: 0.45, correct_share: makeFigure(0.6, { low: 0.4, high: 0.8 }) }],
  },
} as unknown as ScoredJudge;
const EVALUATORS = [
  { key: "em", name: "Exact match", distance: 0.2, interval: [0.1, 0.3] },
] as unknown as Evaluator[];
const RIGHT_BY = [{ name: "none (hard)", share: 40, low: 20, high: 60 }];
const PERIODS = [
  { agreement: { value: 0.9, low: 0.8, high: 0.95 } },
  { agreement: { value: 0.8, low: 0.7, high: 0.9 } },
] as unknown as RaterDetail["periods"];
const BOARD = {
  board: "misses",
  rows: [{ key: "synonym", name: "Synonym" }],
  columns: [{ key: "em", name: "Exact match", total: 9, tagged: 9, stands_for: 9 }],
  cells: [{ row: "synonym", column: "em", share: makeFigure(0.5, { low: 0.3, high: 0.7 }), items: 3, of: 6 }],
} as unknown as FailureBoard;

const CHARTS: readonly (readonly [string, () => Element])[] = [
  ["slopes of ranks", () => slopes("rank")],
  ["slopes of scores", () => slopes("score")],
  [
    "before and after",
    () => drawDumbbells(Plot, WIDTH, { pairs: dumbbells(rows, "exact_match", "human"), from: "a", to: "b" }),
  ],
  ["questions by how many systems are right", () => drawRightBy(Plot, WIDTH, RIGHT_BY)],
  ["distances", () => drawDistances(Plot, WIDTH, EVALUATORS)],
  ["ROC", () => drawRoc(Plot, WIDTH, JUDGE)],
  ["precision", () => drawPrecision(Plot, WIDTH, JUDGE)],
  ["reliability", () => drawReliability(Plot, WIDTH, JUDGE.calibration.bins)],
  ["an annotator's curve", () => drawCurve(Plot, WIDTH, PERIODS)],
  ...BOARDS.map(
    (words) =>
      [words.name, () => drawBoard(Plot, WIDTH, { board: BOARD, words, onChoose: () => undefined })] as const,
  ),
];

function nameOf(chart: Element, axis: "x" | "y"): string {
  return chart.querySelector(`[aria-label="${axis}-axis label"]`)?.textContent ?? "";
}

describe("the axes of every chart", () => {
  it.each(CHARTS)("have names, and one a unit: %s", (_, draw) => {
    const chart = draw();
    const names = [nameOf(chart, "x"), nameOf(chart, "y")];
    expect(names).not.toContain("");
    expect(names.join(" ")).toMatch(/percent|%|points|Rank/);
  });
});
