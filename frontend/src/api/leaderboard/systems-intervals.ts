/** How sure the shares of systems beside each other are; takes longer than the shares. */
import { queryOptions } from "@tanstack/react-query";
import type { QuestionFilter } from "../../lib/question-filter";
import { api, unwrap } from "../client";

export function systemsIntervalsQuery(slug: string, filter: QuestionFilter) {
  return queryOptions({
    queryKey: ["project", slug, "systems-board", "intervals", filter],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/systems-board/intervals", {
          params: { path: { slug }, query: filter },
        }),
      ),
  });
}
