/** Every import of a project, the newest first. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function importsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "imports"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/imports", { params: { path: { slug } } })),
  });
}
