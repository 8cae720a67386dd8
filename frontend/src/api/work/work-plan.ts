/** How a project's work is handed out, and how far each rater is. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function workPlanQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "work"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/work", { params: { path: { slug } } })),
  });
}
