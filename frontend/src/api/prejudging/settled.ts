/** The answers that a policy settled, page by page. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";
import type { SettledFilter } from "../contract";

export function settledQuery(slug: string, filter: SettledFilter) {
  return queryOptions({
    queryKey: ["project", slug, "prejudging", "answers", filter],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/prejudging/answers", { params: { path: { slug }, query: filter } }),
      ),
  });
}
