/** What a judge's scores are worth. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function judgeThresholdsQuery(slug: string, run: string) {
  return queryOptions({
    queryKey: ["project", slug, "judge-board", run, "thresholds"],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/judge-board/{run}/thresholds", { params: { path: { slug, run } } }),
      ),
  });
}
