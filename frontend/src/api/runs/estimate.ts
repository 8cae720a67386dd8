/** What a run would take, before it is started. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";
import type { RunChoice } from "../contract";

export function estimateQuery(slug: string, choice: RunChoice) {
  return queryOptions({
    queryKey: ["project", slug, "runs", "estimate", choice],
    queryFn: () =>
      unwrap(api.POST("/api/projects/{slug}/runs/estimate", { params: { path: { slug } }, body: choice })),
    retry: false,
  });
}
