/** What each system gains by the amendment of gold lists, with intervals; takes longer than the counts. */
import { queryOptions } from "@tanstack/react-query";
import type { QuestionFilter } from "../../lib/question-filter";
import { api, unwrap } from "../client";

export function amendmentGainsQuery(slug: string, filter: QuestionFilter) {
  return queryOptions({
    queryKey: ["project", slug, "leaderboard", "amendments", "gains", filter],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/leaderboard/amendments/gains", {
          params: { path: { slug }, query: filter },
        }),
      ),
  });
}
