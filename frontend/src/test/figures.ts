/** Scores, with what a test says nothing of left out. */
import type { Score } from "../api/schema";
import { makeFigure } from "../components/figure";

export function makeScore(value: number, more: Partial<Score> = {}): Score {
  const rank = makeFigure(null);
  return { ...makeFigure(null), value, correct: null, n: 100, rank, gain: null, relative: null, ...more };
}
