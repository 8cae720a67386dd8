/** One rater with what the figures are made of. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function raterQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: ["project", slug, "rater", id],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/raters/{rater}", { params: { path: { slug, rater: id } } })),
  });
}
