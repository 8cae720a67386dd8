/** What a run said, answer by answer. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";
import type { VerdictFilter } from "../contract";

/** `judged`: how many there are, so that a run at work is read anew. */
export function verdictsQuery(slug: string, id: string, filter: VerdictFilter, judged: number) {
  return queryOptions({
    queryKey: ["project", slug, "runs", id, "verdicts", filter, judged],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/runs/{run_id}/verdicts", {
          params: { path: { slug, run_id: id }, query: filter },
        }),
      ),
  });
}
