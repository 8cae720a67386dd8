/** Systems by ways of judging. */
import { queryOptions } from "@tanstack/react-query";
import type { QuestionFilter } from "../../lib/question-filter";
import { api, unwrap } from "../client";

export function leaderboardQuery(slug: string, filter: QuestionFilter) {
  return queryOptions({
    queryKey: ["project", slug, "leaderboard", filter],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/leaderboard", { params: { path: { slug }, query: filter } })),
  });
}
