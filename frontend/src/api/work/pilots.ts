/** The pilots with how far each rater is, and how many questions could serve in a further one. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function pilotsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "pilots"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/work/pilots", { params: { path: { slug } } })),
  });
}
