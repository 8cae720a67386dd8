/** What other projects' decisions offer, and what was taken over from them. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function reuseQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "reuse"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/reuse", { params: { path: { slug } } })),
  });
}
