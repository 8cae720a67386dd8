/** What the pages of comparison can be filtered by. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function filterChoicesQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "filters"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/filters", { params: { path: { slug } } })),
  });
}
