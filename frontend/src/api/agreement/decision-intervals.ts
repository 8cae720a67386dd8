/** How sure the shares of what was decided are; asked for once the counts stand. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function decisionIntervalsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "agreement", "decision-intervals"],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/agreement/decisions/intervals", { params: { path: { slug } } })),
  });
}
