/** A page of the sheets that this rater has handed in, newest first. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";
import type { PastFilter } from "../contract";

export function judgedQuery(slug: string, filter: PastFilter) {
  return queryOptions({
    queryKey: ["project", slug, "judged", filter],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/judged", { params: { path: { slug }, query: filter } })),
    // Every visit reads it anew: sheets are handed in between.
    staleTime: 0,
  });
}
