/** How far the raters agree, under one rule for missing votes. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";
import type { MissingVotes } from "../contract";

export function agreementQuery(slug: string, missingVotes: MissingVotes) {
  return queryOptions({
    queryKey: ["project", slug, "agreement", missingVotes],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/agreement", {
          params: { path: { slug }, query: { missing_votes: missingVotes } },
        }),
      ),
  });
}
