/** One failure board. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";
import type { FailureBoardWanted } from "../contract";

export function failureBoardQuery(slug: string, wanted: FailureBoardWanted) {
  return queryOptions({
    queryKey: ["project", slug, "failures", "board", wanted],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/failure-board", { params: { path: { slug }, query: wanted } })),
  });
}
