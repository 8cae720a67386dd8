/** How sure the ranks of a leaderboard are; takes longer than the scores. */
import { queryOptions } from "@tanstack/react-query";
import type { QuestionFilter } from "../../lib/question-filter";
import { api, unwrap } from "../client";

export function uncertaintyQuery(slug: string, filter: QuestionFilter) {
  return queryOptions({
    queryKey: ["project", slug, "leaderboard", "uncertainty", filter],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/leaderboard/uncertainty", {
          params: { path: { slug }, query: filter },
        }),
      ),
  });
}
