/** What systems gain from one way of judging to the others, with intervals; takes longer than the scores. */
import { queryOptions } from "@tanstack/react-query";
import type { QuestionFilter } from "../../lib/question-filter";
import { api, unwrap } from "../client";

export function gainsQuery(slug: string, filter: QuestionFilter, column: string | undefined) {
  return queryOptions({
    queryKey: ["project", slug, "leaderboard", "gains", filter, column],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/leaderboard/gains", {
          params: { path: { slug }, query: { ...filter, column: column ?? "" } },
        }),
      ),
    enabled: column !== undefined,
  });
}
