/** A page of the project's answers. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";
import type { AnswerFilter } from "../contract";

export function answersQuery(slug: string, filter: AnswerFilter) {
  return queryOptions({
    queryKey: ["project", slug, "answers", filter],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/answers", { params: { path: { slug }, query: filter } })),
  });
}
