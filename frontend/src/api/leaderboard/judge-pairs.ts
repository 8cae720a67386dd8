/** Judges and people two by two. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function judgePairsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "judge-board", "pairs"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/judge-board/pairs", { params: { path: { slug } } })),
  });
}
