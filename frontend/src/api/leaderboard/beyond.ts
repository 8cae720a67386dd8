/** What people accept of the answers that exact match rejects. */
import { queryOptions } from "@tanstack/react-query";
import type { QuestionFilter } from "../../lib/question-filter";
import { api, unwrap } from "../client";

export function beyondQuery(slug: string, filter: QuestionFilter) {
  return queryOptions({
    queryKey: ["project", slug, "leaderboard", "beyond", filter],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/leaderboard/beyond", {
          params: { path: { slug }, query: { ...filter } },
        }),
      ),
  });
}
