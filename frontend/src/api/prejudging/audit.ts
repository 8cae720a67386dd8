/** How often people disagreed with what machines settled. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function auditQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "prejudging", "audit"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/prejudging/audit", { params: { path: { slug } } })),
  });
}
