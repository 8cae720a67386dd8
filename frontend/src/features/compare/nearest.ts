/** Which judges come nearest to people: on one system, and over all. */
import type { ComparedSystem, Evaluator } from "../../api/schema";

// Scores of equal counts may differ in the last digits.
const EQUAL = 1e-9;

/** The keys of the judges whose score of a system is nearest to people's; several where they are level. */
export function nearestTo(row: ComparedSystem, evaluators: readonly Evaluator[]): readonly string[] {
  const distances = evaluators.flatMap(({ key }) => {
    const difference = row.scores[key]?.difference.value ?? null;
    return difference === null ? [] : [{ key, distance: Math.abs(difference) }];
  });
  const least = Math.min(...distances.map(({ distance }) => distance));
  return distances.filter(({ distance }) => distance <= least + EQUAL).map(({ key }) => key);
}

/** Judges with a distance, the nearest first, then those without. */
export function byDistance(evaluators: readonly Evaluator[]): Evaluator[] {
  return evaluators.toSorted((a, b) => (a.distance.value ?? Infinity) - (b.distance.value ?? Infinity));
}

/** Judges that stand beside people on as many systems as any: means over other systems do not compare. */
export function comparableWith(evaluators: readonly Evaluator[]): Evaluator[] {
  const most = Math.max(0, ...evaluators.map(({ systems }) => systems));
  return byDistance(evaluators).filter(
    ({ systems, distance }) => distance.value !== null && systems === most,
  );
}

/** The judges named in the address, or all of them. */
export function chosenOf(evaluators: readonly Evaluator[], text: string | undefined): readonly Evaluator[] {
  const keys = text?.split("~") ?? [];
  const chosen = evaluators.filter(({ key }) => keys.includes(key));
  return chosen.length > 0 ? chosen : evaluators;
}
