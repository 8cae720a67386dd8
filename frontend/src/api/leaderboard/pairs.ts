/** Every pair of systems by one way of judging. */
import { queryOptions } from "@tanstack/react-query";
import type { QuestionFilter } from "../../lib/question-filter";
import { api, unwrap } from "../client";

export function pairsQuery(slug: string, filter: QuestionFilter, column: string) {
  return queryOptions({
    queryKey: ["project", slug, "leaderboard", "pairs", column, filter],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/leaderboard/pairs", {
          params: { path: { slug }, query: { ...filter, column } },
        }),
      ),
  });
}
