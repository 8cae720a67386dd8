/** How sure the figures of prompts side by side are; takes longer than the figures. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function strategyIntervalsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "judge-board", "strategies", "intervals"],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/judge-board/strategies/intervals", { params: { path: { slug } } }),
      ),
  });
}
