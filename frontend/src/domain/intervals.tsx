/** Figures at once, then the same with their intervals, which take a while. */
import { useQuery, type UseQueryOptions } from "@tanstack/react-query";

interface Computation {
  readonly isPending: boolean;
  readonly isError: boolean;
}

export function useIntervals<Data>(
  ask: (intervals: boolean) => UseQueryOptions<Data, Error, Data, unknown[]>,
  enabled = true,
) {
  const points = useQuery({ ...ask(false), enabled });
  // What was chosen before stays in sight meanwhile: its intervals are no others' intervals.
  const whole = useQuery({ ...ask(true), enabled: points.isSuccess && !points.isPlaceholderData });
  const isThere = whole.data !== undefined && !whole.isPlaceholderData;
  const computing: Computation = {
    // Before the points are there, their own place says so.
    isPending: points.isSuccess && !isThere && !whole.isError,
    isError: !isThere && whole.isError,
  };
  return { query: isThere ? whole : points, computing };
}

export function computingWords({ isPending, isError }: Computation): string {
  if (isPending) return "Computing intervals…";
  return isError ? "Could not compute the intervals." : "";
}

/** While intervals are on their way the figures stand alone; where they do not come it is said. */
export function Computing({ query }: { readonly query: Computation }) {
  const words = computingWords(query);
  return (
    words && (
      <p className="soft" role="status">
        {words}
      </p>
    )
  );
}
