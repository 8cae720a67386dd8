/** Figures and scores, with what a test says nothing of left out. */
import type { Score } from "../api/schema";
import type { Figure } from "../components/figure";

export function makeFigure(value: number | null, more: Partial<Figure> = {}): Figure {
  return { value, low: null, high: null, why: null, ...more };
}

export function makeScore(value: number, more: Partial<Score> = {}): Score {
  const rank = makeFigure(null);
  return { ...makeFigure(null), value, correct: null, n: 100, rank, gain: null, relative: null, ...more };
}
