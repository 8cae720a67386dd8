/** Published numbers that stand beside a project's own, and those taken out. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function referencesQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "references"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/reference-scores", { params: { path: { slug } } })),
  });
}
