/** Systems by ways of judging, data set by data set. */
import { queryOptions } from "@tanstack/react-query";
import type { QuestionFilter } from "../../lib/question-filter";
import { api, unwrap } from "../client";

export function byDatasetQuery(slug: string, filter: QuestionFilter) {
  return queryOptions({
    queryKey: ["project", slug, "leaderboard", "datasets", filter],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/leaderboard/datasets", {
          params: { path: { slug }, query: filter },
        }),
      ),
  });
}
