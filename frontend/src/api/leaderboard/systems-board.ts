/** Systems beside each other. */
import { queryOptions } from "@tanstack/react-query";
import type { QuestionFilter } from "../../lib/question-filter";
import { api, unwrap } from "../client";

export function systemsBoardQuery(slug: string, filter: QuestionFilter) {
  return queryOptions({
    queryKey: ["project", slug, "systems-board", filter],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/systems-board", { params: { path: { slug }, query: filter } })),
  });
}
