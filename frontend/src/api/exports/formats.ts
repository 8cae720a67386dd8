/** The forms in which a project can leave. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function exportFormatsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "export-formats"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/export-formats", { params: { path: { slug } } })),
  });
}
