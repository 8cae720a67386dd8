/** How many answers were decided to be what. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function decisionCountsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "agreement", "decisions"],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/agreement/decisions", { params: { path: { slug } } })),
  });
}
