/** What came out of a tagging round. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function taggingResultsQuery(slug: string, round: string) {
  return queryOptions({
    queryKey: ["project", slug, "tagging", round, "results"],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/tagging/{tagging_round}/results", {
          params: { path: { slug, tagging_round: round } },
        }),
      ),
  });
}
