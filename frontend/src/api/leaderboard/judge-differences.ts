/** Judges two by two, each beside people. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function judgeDifferencesQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "judge-board", "differences"],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/judge-board/differences", { params: { path: { slug } } })),
  });
}
