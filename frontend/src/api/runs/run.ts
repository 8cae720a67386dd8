/** One run with its progress. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function runQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: ["project", slug, "runs", id],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/runs/{run_id}", { params: { path: { slug, run_id: id } } })),
  });
}
