/** The judges at work and those that are done. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function runsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "runs"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/runs", { params: { path: { slug } } })),
  });
}
