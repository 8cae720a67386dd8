/** Which amendment of a gold list moved which system. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { QuestionFilter } from "../../lib/question-filter";
import { api, unwrap } from "../client";

export function amendmentsQuery(slug: string, filter: QuestionFilter, system: string, page: number) {
  return queryOptions({
    queryKey: ["project", slug, "leaderboard", "amendments", filter, system, page],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/leaderboard/amendments", {
          params: { path: { slug }, query: { ...filter, system, page } },
        }),
      ),
    // The table stays while its next page comes.
    placeholderData: keepPreviousData,
  });
}
