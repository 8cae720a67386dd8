/** Every rater of a project, one row each. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function ratersQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "raters"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/raters", { params: { path: { slug } } })),
  });
}
