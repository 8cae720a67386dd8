/** Where a project stands. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function overviewQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "overview"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/overview", { params: { path: { slug } } })),
  });
}
