/** Which answers a run can be limited to. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function scopesQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "runs", "scopes"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/runs/scopes", { params: { path: { slug } } })),
  });
}
