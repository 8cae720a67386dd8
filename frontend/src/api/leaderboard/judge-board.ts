/** Judges compared with people. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function judgeBoardQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "judge-board"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/judge-board", { params: { path: { slug } } })),
  });
}
