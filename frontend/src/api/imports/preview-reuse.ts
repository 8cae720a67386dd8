/** The answers that another project's decisions would decide. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function reusePreviewQuery(slug: string, project: string) {
  return queryOptions({
    queryKey: ["project", slug, "reuse", project],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/reuse/preview", { params: { path: { slug }, query: { project } } }),
      ),
  });
}
