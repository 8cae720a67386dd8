/** The files that were made. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function exportsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "exports"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/exports", { params: { path: { slug } } })),
  });
}
