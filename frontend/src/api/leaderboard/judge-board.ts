/** Judges compared with people. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

/** common: only answers that every judge with verdicts has judged. */
export function judgeBoardQuery(slug: string, common = false) {
  return queryOptions({
    queryKey: ["project", slug, "judge-board", { common }],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/judge-board", { params: { path: { slug }, query: { common } } })),
  });
}
