/** How sure the figures of a judge's other thresholds are; asked for once the points stand. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function thresholdIntervalsQuery(slug: string, run: string) {
  return queryOptions({
    queryKey: ["project", slug, "judge-board", run, "threshold-intervals"],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/judge-board/{run}/thresholds/intervals", {
          params: { path: { slug, run } },
        }),
      ),
  });
}
