/** How raters' work is looked at, and how the training went so far. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function qualityPlanQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "quality-plan"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/quality-plan", { params: { path: { slug } } })),
  });
}
