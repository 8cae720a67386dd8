/** Prompts of the LLM judge side by side. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function judgeStrategiesQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "judge-board", "strategies"],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/judge-board/strategies", { params: { path: { slug } } })),
  });
}
